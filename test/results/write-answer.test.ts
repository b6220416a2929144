import t from 'tap'
import type { RecordName } from '../../src/results/records/index.ts'
import { writeResult } from '../../src/results/result.ts'
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

t.test('of a list longer than any page no more records are looked at than are shown', t => {
  let looked = 0
  const value = Array.from({ length: 6_000 }, (_, at) => ({
    get iid() {
      looked++
      return at
    },
    project_id: 1
  }))
  const { output, policy, tool } = shown('', 'issue')
  const { content } = writeResult({ ...output, value }, policy, tool)
  t.match(content[0], { text: /^\[\{"iid":0,"project_id":1\},/ })
  t.match(content[1], { text: / of 6000 records are shown/ })
  t.ok(looked < 200, `${looked} of 6000 were looked at`)
  t.end()
})
