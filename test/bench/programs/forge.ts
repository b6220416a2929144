import { createServer, type Socket } from 'node:net'
import { answers, LOG_BYTES, LOG_PATH, logPiece } from './answers.ts'

/*
 * The forge of the benchmark, in a process of its own: forge.ts [MILLISECONDS that each answer takes]. It reads no more
 * of HTTP than the path and where a request ends, so that what is measured is the server before it.
 */

const delay = Number(process.argv[2] ?? 0)
const replies = await answers()
const missing = Buffer.from(
  'HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\ncontent-type: application/json\r\n\r\n{}'
)
const piece = logPiece()

const server = createServer(socket => {
  let rest = ''
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  socket.on('data', chunk => {
    rest += chunk.toString('latin1')
    for (let end = rest.indexOf('\r\n\r\n'); end >= 0; end = rest.indexOf('\r\n\r\n')) {
      const path = /^GET ([^ ?]+)/.exec(rest)?.[1] ?? ''
      rest = rest.slice(end + 4)
      if (delay === 0) answer(socket, path)
      else setTimeout(answer, delay, socket, path)
    }
  })
})
server.listen(Number(process.env.PORT), '127.0.0.1', 4096)

function answer(socket: Socket, path: string): void {
  if (path === LOG_PATH) sendLog(socket)
  else socket.write(replies.get(path) ?? missing)
}

function sendLog(socket: Socket): void {
  let left = LOG_BYTES
  const more = () => {
    while (left > 0) {
      const next = left < piece.length ? piece.subarray(0, left) : piece
      left -= next.length
      if (!socket.write(next)) {
        socket.once('drain', more)
        return
      }
    }
  }
  socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: ${LOG_BYTES}\r\n\r\n`)
  more()
}
