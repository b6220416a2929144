import t, { type Test } from 'tap'
import { Forges } from '../../src/upstream/forges.ts'
import { ScriptedDispatcher } from '../support/scripted-dispatcher.ts'

const session = (token: string, apiUrl: string) => ({
  credential: { kind: 'private-token' as const, token },
  apiUrl,
  activated: 0,
  version: '2025-11-25' as const
})

const forgesOf = (t: Test, addresses: Record<string, string> = {}) => {
  const forges = new Forges({
    home: 'https://home.example/api/v4',
    dispatcher: () => new ScriptedDispatcher([]),
    hosts: { home: undefined, callers: undefined },
    addressesOf: async hostname => [addresses[hostname] ?? hostname],
    userAgent: 'test',
    concurrency: 256,
    poolSize: 20,
    poolIdleMs: 1000,
    now: () => 0
  })
  t.teardown(() => forges.close())
  return (token: string, url: string, from?: string) => forges.lease(session(token, url), { from })
}

t.test('paths of one host fill half of the pool at most, whoever names them', async t => {
  const lease = forgesOf(t)
  const held = await Promise.all(
    Array.from({ length: 10 }, (_, at) => lease(`made-up ${at}`, `https://one.example:8443/${at}/api/v4`))
  )
  await t.rejects(async () => lease('made-up', 'https://one.example/more/api/v4'), {
    name: 'PoolCapacityError'
  })
  held[0]!.release()
  held[0]!.release()
  t.ok(await lease('made-up', 'https://one.example:8443/more/api/v4'), 'what was given back can be had')
  t.ok(await lease('somebody', 'https://one.example:8443/3/api/v4'), 'what is held already is no more')
})

t.test('and so do all names of one address', async t => {
  const addresses = Object.fromEntries(
    Array.from({ length: 11 }, (_, at) => [`name-${at}.example`, '198.51.100.1'])
  )
  const lease = forgesOf(t, addresses)
  for (let at = 0; at < 10; at++) await lease(`made-up ${at}`, `https://name-${at}.example/api/v4`)
  await t.rejects(async () => lease('made-up', 'https://name-10.example/api/v4'), {
    name: 'PoolCapacityError'
  })
})
