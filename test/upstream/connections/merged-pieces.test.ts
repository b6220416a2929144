import t from 'tap'
import { MergedPieces } from '../../../src/upstream/connections/merged-pieces.ts'

const piece = (size: number, of = 'x') => Buffer.from(of.repeat(size))

t.test('one small piece alone is passed on as it is, at the end', async t => {
  const merged = new MergedPieces()
  const only = Buffer.alloc(10, 'x')
  t.same(merged.add(only), [])
  t.equal(merged.rest(), only)
  t.equal(merged.rest(), undefined)
})

t.test('a large piece is passed on at once, after what came before it', async t => {
  const merged = new MergedPieces()
  const large = piece(4096, 'l')
  t.same(merged.add(large), [large])
  merged.add(piece(2, 'a'))
  merged.add(piece(2, 'b'))
  t.same(merged.add(large).map(String), ['aabb', String(large)])
  t.equal(merged.rest(), undefined)
})

t.test('a piece that is little of what was received with it keeps none of that', async t => {
  const received = Buffer.alloc(64 * 1024, 'x')
  const merged = new MergedPieces()
  for (const [size, kept] of [
    [2048, 2048],
    [32 * 1024, 32 * 1024],
    [60 * 1024, 64 * 1024]
  ] as const) {
    const [piece] = merged.add(received.subarray(0, size))
    t.equal(String(piece), 'x'.repeat(size))
    t.equal(piece?.buffer.byteLength, kept)
  }
})

t.test('single bytes between larger pieces keep nothing of what they were received in', async t => {
  const received = Buffer.alloc(64 * 1024, 'x')
  const merged = new MergedPieces()
  const got = [received.subarray(0, 1), piece(1024), received.subarray(1, 2), piece(1024), piece(1), piece(1)]
    .flatMap(one => merged.add(one))
    .concat(merged.rest()!)
  t.same(
    got.filter(({ length, buffer }) => length < 1024 && buffer.byteLength > length),
    []
  )
  t.equal(String(Buffer.concat(got)), 'x'.repeat(4 + 2 * 1024))
})

t.test('small pieces are put together in blocks, none lost and in order', async t => {
  const merged = new MergedPieces()
  const sent: string[] = []
  const got: Buffer[] = []
  for (let at = 0; at < 10_000; at++) {
    const text = String(at % 10).repeat(1 + (at % 7))
    sent.push(text)
    got.push(...merged.add(Buffer.from(text)))
  }
  got.push(merged.rest()!)
  t.equal(Buffer.concat(got).toString(), sent.join(''))
  t.ok(got.length < 5, `${got.length} blocks`)
})
