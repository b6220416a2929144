import t from 'tap'
import { readMetaTrace, readTrace, traceHeaders } from '../../src/tracing/context.ts'

const id = '0af7651916cd43dd8448eb211c80319c'
const span = 'b7ad6b7169203331'
const traceparent = `00-${id}-${span}-01`

t.test('what was read is written again as it came', async t => {
  t.same(traceHeaders(readTrace(traceparent)!), { traceparent })
  const tracestate = 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE'
  t.same(traceHeaders(readTrace(traceparent, tracestate)!), { traceparent, tracestate })
})

t.test('what is no traceparent is no trace', async t => {
  for (const bad of [
    undefined,
    7,
    [traceparent],
    '',
    'nonsense',
    `00-${id}-${span}`,
    `00-${'0'.repeat(32)}-${span}-01`,
    `00-${id}-${'0'.repeat(16)}-01`,
    `ff-${id}-${span}-01`,
    `00-${id.toUpperCase()}-${span}-01`,
    `${traceparent}-more`,
    `01-${id}-${span}-01-${'x'.repeat(600)}`
  ])
    t.equal(readTrace(bad, 'a=b'), undefined, String(bad))
})

t.test('a later version may go on, and is written as the version that is known', async t => {
  const later = readTrace(`01-${id}-${span}-00-later`)
  t.same(later, { id, span, flags: '00' })
  t.equal(traceHeaders(later!).traceparent, `00-${id}-${span}-00`)
})

t.test('a tracestate that no header may hold is left out', async t => {
  for (const bad of ['', 'a=b\r\nprivate-token: x', 'a=é', 'x'.repeat(513), ['a=b'], 7])
    t.same(readTrace(traceparent, bad), { id, span, flags: '01' })
})

t.test('a message names its trace in _meta', async t => {
  t.same(readMetaTrace({ traceparent, tracestate: 'a=b', progressToken: 1 }), {
    id,
    span,
    flags: '01',
    state: 'a=b'
  })
  for (const none of [undefined, null, 'text', 7, [], {}, { traceparent: {} }])
    t.equal(readMetaTrace(none), undefined)
})
