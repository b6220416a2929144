import t from 'tap'
import type { RecordName } from '../../src/results/records/index.ts'
import { writeAnswer } from '../../src/results/write-answer.ts'

const shown = (text: string, record?: string) => ({
  bytes: new TextEncoder().encode(text),
  output: {},
  policy: { output: 'compact', maxChars: 1_000 } as const,
  tool: { class: 'read', inputs: new Set<string>(), record: record as RecordName, structured: false } as never
})

t.test('a large answer is read and written in one go', async t => {
  t.match(writeAnswer(shown('{"a":1}')), { result: { content: [{ text: '{"a":1}' }] }, cuts: [] })
})

t.test('what cannot be written is said, rather than thrown: that would end the worker', async t => {
  t.match(writeAnswer(shown('{"a":1}', 'nothing of the table')), { fault: 'odd', cause: TypeError })
})
