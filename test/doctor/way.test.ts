import type { LookupFunction } from 'node:net'
import t from 'tap'
import type { Config } from '../../src/config/schema.ts'
import { wayFindings } from '../../src/doctor/way.ts'
import { transportFault } from '../../src/upstream/connections/transport-fault.ts'
import { guardedLookup } from '../../src/upstream/hosts/addresses.ts'

const withoutProxy = { HTTPS_PROXY: '', HTTP_PROXY: '' } as Config

/** What is found of a forge whose name resolves to an address. */
async function foundAt(address: string) {
  const lookup: LookupFunction = (_host, _options, callback) => callback(null, address, 6)
  const error = await new Promise<Error | null>(done =>
    guardedLookup({ denyPrivate: false, isHome: true }, lookup)('forge.example', {}, done)
  )
  const fault = transportFault(error!, 'https://forge.example', false)
  const probe = { fault, connected: [], tookMs: 1 }
  return { fault, findings: wayFindings(new URL('https://forge.example'), withoutProxy, probe, 0, 1) }
}

t.test('a name that a translator of addresses stands for is told with the way around it', async t => {
  for (const address of ['64:ff9b::c000:208', '64:ff9b::192.0.2.8', '64:ff9b:1::1']) {
    const { fault, findings } = await foundAt(address)
    t.match(findings, [
      {
        check: 'name',
        state: 'fail',
        says: `forge.example is found: ${address}. ${fault.message}`,
        advice: /address of a translator \(NAT64\).*set HTTPS_PROXY to a proxy/
      }
    ])
    t.notMatch(fault.message, address, 'callers do not read the address')
  }
})

t.test('a name that stands for an address of another kind that is never asked is told with it', async t => {
  const { findings } = await foundAt('fe80::1')
  t.match(findings, [{ says: /^forge\.example is found: fe80::1\. /, advice: /never asked/ }])
  t.notMatch(findings[0]!.advice, /translator/)
})

t.test('a look-up that takes long is the name server’s, and not the forge’s', async t => {
  const home = new URL('http://forge.example')
  const probe = { reply: { status: 200, headers: {}, body: '' }, connected: [], tookMs: 1 }
  const nameAfter = (ms: number) => wayFindings(home, withoutProxy, probe, 0, ms)[0]
  t.match(nameAfter(999), { check: 'name', state: 'ok' })
  t.match(nameAfter(5_000), { state: 'warn', says: /took 5\.0 s to look it up/, advice: /resolv\.conf/ })
})
