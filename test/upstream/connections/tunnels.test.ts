import t from 'tap'
import type { buildConnector } from 'undici'
import { ConnectFailure, staged } from '../../../src/upstream/connections/connect-failure.ts'
import { transportFault } from '../../../src/upstream/connections/transport-fault.ts'
import { tunnelled } from '../../../src/upstream/connections/tunnels.ts'
import { adviceOn } from '../../../src/upstream/guard/trouble-advice.ts'
import { stayAwake } from '../../support/stay-awake.ts'

t.test('a proxy that keeps silent is trouble with the proxy, and no slow forge', async t => {
  stayAwake(t)
  const silent = tunnelled(
    ((options, callback) => {
      const { signal } = options as unknown as { signal: AbortSignal }
      // As undici does.
      signal.addEventListener('abort', () => callback(signal.reason, null))
    }) as buildConnector.connector,
    1
  )
  const error = await new Promise<Error>(resolve =>
    staged(silent)({} as never, (...[error]) => resolve(error!))
  )
  t.match(transportFault(error, 'https://forge.example', false), {
    fault: 'proxy',
    message: /the proxy on the way did not connect to it in time \(TUNNEL_TIMEOUT\)\.$/
  })
})

t.test('a proxy that was never reached is not blamed for a forge that it could not reach', async t => {
  const unheard = Object.assign(new Error('Connect Timeout Error'), { code: 'UND_ERR_CONNECT_TIMEOUT' })
  const fault = transportFault(new ConnectFailure('proxy', unheard), 'https://forge.example', false)
  t.match(fault, {
    fault: 'proxy',
    message: /: the proxy on the way was not reached in time \(UND_ERR_CONNECT_TIMEOUT\)\.$/
  })
  t.match(adviceOn('proxy', fault.cause), /did not answer at its address.*networkPolicy\.egress\.ports/)
  t.equal(transportFault(unheard, 'https://forge.example', false).fault, 'timeout')
})
