import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import t from 'tap'
import { openStream } from '../../../src/upstream/answers/stream.ts'
import { createDispatcher } from '../../../src/upstream/connections/dispatcher.ts'
import { Handshakes } from '../../../src/upstream/connections/handshakes.ts'
import { OpenConnections } from '../../../src/upstream/connections/open-connections.ts'
import { tlsTrust } from '../../../src/upstream/connections/tls.ts'
import { LargeAnswers } from '../../../src/upstream/reading/large-answers.ts'
import { selfSigned } from '../../support/certificates.ts'

/* Before 8, undici's parser failed an assertion, and the process with it, where its connection ended while it was paused. */

const trusted = selfSigned(t)
const tls = tlsTrust({ caPath: trusted.path, verify: true })
const HEAD = 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n'
/** Almost as much as is read ahead, and then so little more that nothing of it is left in the connection. */
const PARTS = ['x'.repeat(65_000), 'y'.repeat(2_000)]
const SIZE = PARTS.join('').length

const largeAnswers = new LargeAnswers()
t.teardown(() => largeAnswers.close())

const strangers = { handshakes: new Handshakes(), open: OpenConnections.for(1) }

for (const [over, scheme, bounds] of [
  ['http', 'http', {}],
  ['https', 'https', {}],
  ['https to a host of a caller', 'https', { strangers }]
] as const)
  for (const [how, close] of [
    ['ends', (raw: Socket) => raw.end()],
    ['is reset', (raw: Socket) => raw.resetAndDestroy()],
    ['is left open for a time and ends', (raw: Socket) => void setTimeout(() => raw.end(), 300)]
  ] as const)
    t.test(
      `an answer over ${over} that nobody reads yet ends no process when its connection ${how}`,
      async t => {
        const sockets = new Set<Socket>()
        let sendRest = async () => {}
        const forge = createServer(raw => {
          sockets.add(raw)
          raw.on('error', () => {})
          const socket =
            scheme === 'http'
              ? raw
              : new TLSSocket(raw, { isServer: true, key: trusted.key, cert: trusted.cert })
          socket.on('error', () => {})
          socket.once('data', () => socket.write(HEAD + PARTS[0]))
          sendRest = async () => {
            await sleep(100)
            socket.write(PARTS[1]!)
            await sleep(100)
            close(raw)
          }
        })
        await new Promise<void>(resolve => forge.listen(0, '127.0.0.1', resolve))
        const dispatcher = createDispatcher({ tls, ...bounds })
        t.teardown(async () => {
          await dispatcher.destroy()
          for (const socket of sockets) socket.destroy()
          forge.close()
        })
        const origin = `${scheme}://localhost:${(forge.address() as AddressInfo).port}`
        const whose = { caller: 'caller', holder: 'forge', largeAnswers }
        const { body } = await openStream(
          dispatcher,
          { origin, path: '/', method: 'GET' },
          60_000,
          undefined,
          whose
        )
        // A reset takes what has not arrived along: not before the answer has begun here.
        await sendRest()
        await sleep(200)
        let size = 0
        const read = async () => {
          for await (const piece of body) size += (piece as Buffer).length
        }
        if (how === 'is reset') await t.rejects(read(), { message: /UND_ERR_SOCKET/ })
        else {
          await read()
          t.equal(size, SIZE)
        }
      }
    )
