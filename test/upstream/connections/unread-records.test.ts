import { Duplex, PassThrough } from 'node:stream'
import t from 'tap'
import { Handshakes } from '../../../src/upstream/connections/handshakes.ts'

const RECORD_BYTES = 23

/** A secure connection on which so many of the smallest records wait, of each of which TLS makes one byte. */
function smallRecords(count: number) {
  const raw = new PassThrough()
  // Nobody has to rest, as nothing takes time.
  const socket = new Handshakes(() => () => 0).over(raw, 'forge', 'caller')
  const over = Object.assign(new Duplex({ read() {} }), { bytesRead: 0 })
  const seen = { most: 0 }
  socket.on('data', () => {
    over.bytesRead++
    over.push('x')
    seen.most = Math.max(seen.most, over.readableLength)
  })
  socket.secured(over)
  const record = Buffer.alloc(RECORD_BYTES, 23)
  record.writeUInt16BE(RECORD_BYTES - 5, 3)
  raw.write(Buffer.concat(Array(count).fill(record)))
  return { over, seen }
}

const aTurn = () => new Promise(resolve => setImmediate(resolve))

t.test('while nobody reads what TLS has made of a record it gets no other', async t => {
  const { over, seen } = smallRecords(700)
  for (let turn = 0; turn < 20; turn++) await aTurn()
  t.equal(seen.most, 1)
  t.equal(String(over.read()), 'x')
  for (let turn = 0; turn < 20; turn++) await aTurn()
  t.equal(over.bytesRead, 2)
})

t.test('whoever reads small records gets all of them, one at a time', async t => {
  const { over, seen } = smallRecords(700)
  let read = 0
  await new Promise<void>(resolve =>
    over.on('readable', () => {
      for (let piece = over.read(); piece !== null; piece = over.read()) read += piece.length
      if (read === 700) resolve()
    })
  )
  t.equal(seen.most, 1)
})
