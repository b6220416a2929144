import { type AddressInfo, createServer } from 'node:net'
import { TLSSocket } from 'node:tls'
import t from 'tap'
import { createDispatcher } from '../../../src/upstream/connections/dispatcher.ts'
import { Handshakes } from '../../../src/upstream/connections/handshakes.ts'
import { OpenConnections } from '../../../src/upstream/connections/open-connections.ts'
import { tlsTrust } from '../../../src/upstream/connections/tls.ts'
import { exchange } from '../../../src/upstream/reading/exchange.ts'
import { selfSigned } from '../../support/certificates.ts'

/* TLS that breaks on an open connection: Node tells of it and does not close, and keeps whatever comes after it. */

const trusted = selfSigned(t)
const tls = tlsTrust({ caPath: trusted.path, verify: true })
const strangers = { handshakes: new Handshakes(), open: OpenConnections.for(8) }
const limits = { maxBytes: 1000, deadlineMs: 60_000 }

for (const [what, record, code] of [
  ['a record that nobody can read', `1703030020${'00'.repeat(32)}`, /DECRYPTION_FAILED|BAD_RECORD/],
  ['something else', '47'.repeat(64), /WRONG_VERSION|RECORD/]
] as const)
  for (const [whose, options] of [
    ['the home forge', { tls }],
    ['a caller’s forge', { tls, strangers }]
  ] as const)
    t.test(`${what} from ${whose} ends the call and the connection`, async t => {
      let closed = () => {}
      const isClosed = new Promise<void>(resolve => {
        closed = resolve
      })
      const forge = createServer(raw => {
        raw.on('error', () => {}).on('close', closed)
        const secure = new TLSSocket(raw, { isServer: true, key: trusted.key, cert: trusted.cert })
        secure.on('error', () => {})
        secure.once('data', () => raw.write(Buffer.from(record, 'hex')))
      })
      await new Promise<void>(resolve => forge.listen(0, '127.0.0.1', resolve))
      const dispatcher = createDispatcher(options)
      t.teardown(async () => {
        await dispatcher.destroy()
        forge.close()
      })
      const origin = `https://localhost:${(forge.address() as AddressInfo).port}`
      await t.rejects(exchange(dispatcher, { origin, path: '/', method: 'GET' }, limits), { message: code })
      await isClosed
    })
