import t from 'tap'
import { classify } from '../../../src/protocol/messages/jsonrpc.ts'

t.test('a message with neither a method nor an answer is told of both', async t => {
  t.same(classify({ jsonrpc: '2.0', id: 'q1' }), {
    kind: 'invalid',
    id: 'q1',
    why: 'method must be there, a string, or, in an answer, result or error.'
  })
})

t.test('a method that is no string is told of the method alone', async t => {
  for (const method of [null, 1])
    t.match(classify({ jsonrpc: '2.0', id: 1, method }), { why: 'method must be a string.' })
})
