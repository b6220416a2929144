import t from 'tap'
import { hasCapability, isLogLevel, isToldOf, readCapabilities } from '../../src/session/client.ts'

t.test('what a client declares is kept as bits', async t => {
  for (const [declared, has] of [
    [{}, []],
    [{ sampling: {}, roots: { listChanged: true } }, ['sampling', 'roots']],
    [{ elicitation: {} }, ['elicitation']],
    [{ elicitation: { form: {}, url: {} } }, ['elicitation']],
    [{ elicitation: { url: {} } }, []],
    [{ sampling: true, roots: null, other: {} }, []]
  ] as const) {
    const bits = readCapabilities(declared)
    t.same(
      (['elicitation', 'sampling', 'roots'] as const).filter(capability => hasCapability(bits, capability)),
      has
    )
  }
  t.notOk(hasCapability(undefined, 'roots'))
})

t.test('severities have an order', async t => {
  t.ok(isToldOf('info', 'notice'))
  t.ok(isToldOf('error', 'error'))
  t.notOk(isToldOf('error', 'warning'))
  t.notOk(isLogLevel('loud'))
})
