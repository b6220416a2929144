import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { watchParser } from '../../../src/edge/connections/http-parser.ts'
import { collect } from '../../support/collect.ts'

t.test(
  'parsers, which are used again and again, keep nothing of the connections that they were of',
  async t => {
    const sockets: WeakRef<Socket>[] = []
    const server = createServer((_request, response) => response.end('x'))
    server.on('connection', socket => {
      sockets.push(new WeakRef(socket))
      const watch = () => socket.bytesRead
      watchParser(socket, { onHead: watch, onFields: watch, onPiece: watch, onRead: watch })
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

t.test(
  'a request after one with trailers has the target that it asked for, and none of them as headers',
  async t => {
    const server = createServer((request, response) => {
      request.resume()
      response.end(`<${request.url} ${request.headers['x-a']}>`)
    })
    const watch = () => {}
    server.on('connection', socket =>
      watchParser(socket, { onHead: watch, onFields: watch, onPiece: watch, onRead: watch })
    )
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    t.teardown(() => server.close())
    // Node hands them over 32 at a time.
    for (const trailers of [1, 33, 100]) {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
      const head = 'Host: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n'
      socket.write(`POST /first?a=b HTTP/1.1\r\n${head}${'X-A: b\r\n'.repeat(trailers)}\r\n`)
      await once(socket, 'data')
      socket.write('GET /second HTTP/1.1\r\nHost: localhost\r\n\r\n')
      const [answer] = await once(socket, 'data')
      t.match(String(answer), '</second undefined>', `${trailers} of them`)
      socket.destroy()
    }
  }
)
