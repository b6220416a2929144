import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, Server } from 'node:net'
import t from 'tap'
import { queueTaken } from '../../../src/edge/connections/accept-queue.ts'

const COUNT = 50

t.test('those who had connected when a server closes are answered', async t => {
  const server = createServer((_request, response) => response.setHeader('connection', 'close').end('x'))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const answers = Array.from({ length: COUNT }, async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    let text = ''
    await once(
      socket.on('data', piece => (text += piece)),
      'close'
    )
    return text.slice(0, 12)
  })
  await new Promise(resolve => process.nextTick(resolve))
  await queueTaken(server)
  server.close()
  t.same(await Promise.all(answers), Array(COUNT).fill('HTTP/1.1 200'))
})

t.test('a server is closed in the end, even if somebody connects in every turn', async t => {
  const server = new Server()
  let goes = true
  const connects = () => {
    server.emit('connection')
    if (goes) setImmediate(connects)
  }
  connects()
  await queueTaken(server)
  goes = false
  t.equal(server.listenerCount('connection'), 0)
})
