import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { watchParser } from '../../src/edge/http-parser.ts'
import { collect } from '../support/collect.ts'

t.test(
  'parsers, which are used again and again, keep nothing of the connections that they were of',
  async t => {
    const sockets: WeakRef<Socket>[] = []
    const server = createServer((_request, response) => response.end('x'))
    server.on('connection', socket => {
      sockets.push(new WeakRef(socket))
      watchParser(socket, { onPiece: () => socket.bytesRead, onRead: () => socket.bytesRead })
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    t.teardown(() => server.close())
    for (let at = 0; at < 3; at++) {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
      socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx')
      await once(socket, 'data')
      socket.destroy()
      await once(socket, 'close')
    }
    for (let at = 0; at < 50 && sockets[0]?.deref() !== undefined; at++) {
      await sleep(20)
      collect()
    }
    t.equal(sockets.length, 3)
    t.equal(sockets[0]?.deref(), undefined, 'the first that the parser was of')
  }
)
