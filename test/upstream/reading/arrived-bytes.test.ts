import t from 'tap'
import { ArrivedBytes } from '../../../src/upstream/reading/arrived-bytes.ts'

const MIB = 2 ** 20
const arrayBuffers = () => process.memoryUsage().arrayBuffers

t.test('pieces of any length are put together in their order', async t => {
  const whole = Buffer.from(Array.from({ length: 700_000 }, (_, at) => at * 31))
  for (const size of [0, 1000, 262_144, 262_145, 524_288, 700_000])
    for (const length of [1000, 4096, 100_003, 262_144, 700_000]) {
      const arrived = new ArrivedBytes()
      for (let at = 0; at < size; at += length) arrived.add(whole.subarray(at, Math.min(size, at + length)))
      t.ok(arrived.whole().equals(whole.subarray(0, size)), `${size} bytes in pieces of ${length}`)
    }
})

t.test('a large answer takes no more than its own memory, and none once it is given up', async t => {
  const piece = Buffer.alloc(4096, 'x')
  const large = () => {
    const arrived = new ArrivedBytes()
    for (let bytes = 0; bytes < 8 * MIB; bytes += piece.length) arrived.add(piece)
    return arrived
  }
  const before = arrayBuffers()
  large().free()
  t.ok(arrayBuffers() - before < MIB, `${arrayBuffers() - before} bytes`)
  const whole = large().whole()
  t.equal(whole.length, 8 * MIB)
  t.equal(whole.buffer.byteLength, whole.length)
  t.ok(arrayBuffers() - before < 9 * MIB, `${arrayBuffers() - before} bytes`)
})
