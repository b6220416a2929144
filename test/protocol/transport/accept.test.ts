import t from 'tap'
import { readAccept } from '../../../src/protocol/transport/accept.ts'

t.test('Accept is read by media range, the nearest deciding, and zero is a no', async t => {
  for (const [header, json, events, streams] of [
    [undefined, true, true, false],
    ['*/*', true, true, false],
    ['application/json', true, false, false],
    ['text/event-stream', false, true, true],
    ['application/json, text/event-stream', true, true, true],
    ['APPLICATION/JSON ; q=0.5, Text/Event-Stream', true, true, true],
    ['application/*', true, false, false],
    ['text/*', false, true, false],
    ['text/html', false, false, false],
    ['application/json;q=0, text/event-stream', false, true, true],
    ['application/json, text/event-stream; q=0.000', true, false, false],
    ['text/event-stream;q=0, */*', true, false, false],
    ['*/*, application/json; Q = 0', false, true, false],
    ['*/*;q=0', false, false, false],
    ['application/json;q=0.01', true, false, false]
  ] as const)
    t.same(readAccept(header), { json, events, streams }, String(header))
})

t.test('of a header with thousands of ranges the first hundred count', async t => {
  const others = (count: number) => 'a/b,'.repeat(count)
  t.equal(readAccept(`${others(99)}application/json`).json, true)
  t.equal(readAccept(`${others(100)}application/json`).json, false)
})
