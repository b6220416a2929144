import t from 'tap'
import { Forges } from '../../src/upstream/forges.ts'
import { ScriptedDispatcher } from '../support/scripted-dispatcher.ts'

const session = (token: string, apiUrl: string) => ({
  credential: { kind: 'private-token' as const, token },
  apiUrl,
  activated: 0,
  version: '2025-11-25' as const
})

t.test('paths of one host fill half of the pool at most, whoever names them', async t => {
  const forges = new Forges({
    home: 'https://home.example/api/v4',
    dispatcher: () => new ScriptedDispatcher([]),
    hosts: { home: undefined, callers: undefined },
    userAgent: 'test',
    poolSize: 20,
    poolIdleMs: 1000,
    now: () => 0
  })
  t.teardown(() => forges.close())
  const lease = (token: string, url: string) => forges.lease(session(token, url))
  const held = Array.from({ length: 10 }, (_, at) =>
    lease(`made-up ${at}`, `https://one.example:8443/${at}/api/v4`)
  )
  t.throws(() => lease('made-up', 'https://one.example:8443/more/api/v4'), { name: 'PoolCapacityError' })
  t.ok(lease('somebody', 'https://one.example:8443/3/api/v4'), 'what is held already is no more')
  t.ok(lease('made-up', 'https://other.example/api/v4'))
  t.ok(lease('made-up', 'https://one.example/api/v4'), 'another port is another host')
  held[0]!.release()
  held[0]!.release()
  t.ok(lease('made-up', 'https://one.example:8443/more/api/v4'), 'what was given back can be had')
  t.throws(() => lease('made-up', 'https://one.example:8443/0/api/v4'), { name: 'PoolCapacityError' })
})
