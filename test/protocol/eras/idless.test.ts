import t from 'tap'
import { tellIdless } from '../../../src/protocol/eras/idless.ts'
import type { Exchange } from '../../../src/protocol/exchange/exchange.ts'
import { InFlight } from '../../../src/protocol/exchange/in-flight.ts'
import type { RequestId } from '../../../src/protocol/messages/jsonrpc.ts'

/** What is told of a cancellation while calls with some ids run in its session. */
function toldOf(requestId: RequestId, running: readonly RequestId[], sessionKey = 'ada') {
  const inFlight = new InFlight()
  for (const id of running) inFlight.enter('ada', id, () => {}, false)
  const told: string[] = []
  tellIdless({ method: 'notifications/cancelled', params: { requestId } }, { sessionKey } as Exchange, {
    inFlight,
    onIdless: () => t.fail('it needs no id'),
    onMisnamed: (_name, meant) => void told.push(meant)
  })
  return told
}

t.test('a cancellation whose id differs from that of a running call in its type alone is told', async t => {
  const meant = ['params.requestId in the type of the id, which is a string or a number']
  t.same(toldOf('7', [7]), meant)
  t.same(toldOf(7, ['7']), meant)
})

t.test('a cancellation of a running call, or of none here, is not', async t => {
  t.same(toldOf(7, [7, '7']), [], 'both types run, and one is named')
  t.same(toldOf('07', [7]), [])
  t.same(toldOf('7', []), [], 'it may be over')
  t.same(toldOf('7', [7], 'grace'), [], 'in another session')
})
