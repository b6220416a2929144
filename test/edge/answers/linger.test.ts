import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import t, { type Test } from 'tap'
import { linger } from '../../../src/edge/answers/linger.ts'

/** A server that answers before it has read anything, and how many bytes of bodies it has read then. */
async function hasty(t: Test, isShared: boolean) {
  const seen = { bytes: 0 }
  const server = createServer((request, response) => {
    request.on('data', (piece: Buffer) => {
      seen.bytes += piece.length
    })
    linger(request, response, () => isShared)
    response.end('no')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  let text = ''
  let fault: Error | undefined
  socket.on('data', piece => (text += piece)).on('error', error => (fault = error))
  const closed = once(socket, 'close')
  return { seen, socket, closed, text: () => text, fault: () => fault }
}

const head = (length: number, more = '') =>
  `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n${more}\r\n`

for (const [what, isShared, more] of [
  ['a proxy is told that a connection ends which has much of a body left', true, ''],
  ['who asks for the end of a connection has the whole body read', false, 'Connection: close\r\n']
] as const)
  t.test(what, async t => {
    const { seen, socket, closed, text, fault } = await hasty(t, isShared)
    socket.write(head(3_000_000, more))
    await once(socket, 'data')
    socket.write('x'.repeat(3_000_000))
    await closed
    t.match(text(), /^HTTP\/1\.1 200 .*\r\nconnection: close\r\n/is)
    t.equal(seen.bytes, 3_000_000)
    t.equal(fault(), undefined)
  })

t.test('a connection with little left to read is kept', async t => {
  for (const isShared of [true, false]) {
    const { socket, text } = await hasty(t, isShared)
    socket.write(head(10))
    await once(socket, 'data')
    socket.write(`0123456789${head(0)}`)
    await once(socket, 'data')
    t.equal(text().match(/HTTP\/1\.1 200/g)?.length, 2)
    t.notMatch(text(), /connection: close/i)
  }
})

t.test('whose connection it is does not matter for a request that has arrived', async t => {
  const arrived = { complete: true } as IncomingMessage
  linger(arrived, {} as ServerResponse, () => t.fail('it was asked'))
})
