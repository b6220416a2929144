import { connect, Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { SHORT_READ_BYTES, shortReads } from '../../../src/upstream/connections/forge-queues.ts'
import { ReadPace } from '../../../src/upstream/connections/read-pace.ts'
import { listen } from '../../support/listen.ts'

/** A connection that is never made: each look for more of it waits for that. */
const unmade = (options?: object): Socket => new Socket(options).setMaxListeners(0)

/** A connection on which so many reads brought so many bytes each, while nobody read it. */
function unread(reads: number, bytes: number) {
  const { buffer, callback } = shortReads.onread
  const socket = unmade({ highWaterMark: shortReads.highWaterMark })
  let sent = ''
  let goesOn = true
  for (let at = 0; at < reads; at++) {
    const text = String(at % 10).repeat(bytes)
    sent += text
    buffer.write(text)
    goesOn = callback.call(socket, bytes)
  }
  return { socket, sent, goesOn }
}

/** @returns what flows out of a connection at once: its pieces, as they waited */
function piecesOf(socket: Socket): string[] {
  const pieces: string[] = []
  socket.on('data', piece => pieces.push(String(piece)))
  socket.resume()
  for (let piece = socket.read(); piece !== null; piece = socket.read());
  return pieces
}

for (const [reads, bytes] of [
  [10_000, 1],
  [65, 100],
  [300, 20],
  [3, 5000]
] as const)
  t.test(`${reads} reads of ${bytes} bytes that nobody takes wait in few pieces, none lost`, t => {
    const { socket, sent, goesOn } = unread(reads, bytes)
    t.ok(goesOn)
    const pieces = piecesOf(socket)
    t.equal(pieces.join(''), sent)
    t.ok(pieces.length <= 256, `${pieces.length} pieces`)
    t.end()
  })

t.test('what is read as it comes is passed on as it came', t => {
  const { buffer, callback } = shortReads.onread
  const socket = unmade()
  for (let at = 0; at < 300; at++) {
    buffer.write(String(at % 10))
    callback.call(socket, 1)
    t.equal(String(socket.read()), String(at % 10))
  }
  t.end()
})

t.test('reading stops where as many bytes wait as are read at once', t => {
  t.notOk(unread(16 * 1024, 1).goesOn)
  t.end()
})

t.test('pieces that wait are put together once there are many, and not at each read after that', t => {
  const { buffer, callback } = shortReads.onread
  const socket = unmade({ highWaterMark: shortReads.highWaterMark })
  let joined = 0
  const { concat } = Buffer
  t.intercept(Buffer, 'concat', {
    value: (pieces: Uint8Array[]) => {
      joined++
      return concat(pieces)
    }
  })
  for (let at = 0; at < 2_560; at++) {
    buffer.write('x')
    callback.call(socket, 1)
  }
  t.equal(joined, 9, 'of as many pieces each')
  t.end()
})

t.test(
  'a paced reader that takes little at a time lets no more of an answer in than one that takes nothing',
  async t => {
    const bytes = 1024 * 1024
    const { port } = new URL(await listen(t, (_request, response) => response.end('x'.repeat(bytes))))
    const socket = connect({ host: '127.0.0.1', port: Number(port), ...shortReads })
    t.teardown(() => socket.destroy())
    new ReadPace(Number.POSITIVE_INFINITY).keep(socket, 'a forge')
    socket.on('readable', () => {})
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
    let taken = 0
    let most = 0
    while (taken < bytes) {
      await nextTurn()
      most = Math.max(most, socket.readableLength)
      taken += socket.read()?.length ?? 0
    }
    t.ok(most <= 2 * SHORT_READ_BYTES, `${most} bytes`)
  }
)

t.test('each piece has memory of its own, and keeps none of other connections', t => {
  const { buffer, callback } = shortReads.onread
  for (const reads of [1, 257]) {
    const socket = unmade({ highWaterMark: shortReads.highWaterMark })
    for (let at = 0; at < reads; at++) {
      buffer.write('x')
      callback.call(socket, 1)
    }
    const piece: Buffer = socket.read()
    t.equal(piece.length, piece.buffer.byteLength)
  }
  t.end()
})
