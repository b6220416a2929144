import { Readable } from 'node:stream'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { Cancellation } from '../../../src/base/cancellation.ts'
import { gunzipInTurns, unpack, unpackSmall } from '../../../src/upstream/answers/unpack.ts'
import { LargeAnswers } from '../../../src/upstream/reading/large-answers.ts'
import { amongEmptyBlocks } from '../../support/empty-blocks.ts'

const MOST = 1_000_000
const text = '{"name":"main"}'
const packed = amongEmptyBlocks(text, 100_000)

t.test('what holds nothing is unpacked piece by piece, each in a turn of its holder', async t => {
  const largeAnswers = new LargeAnswers()
  t.teardown(() => largeAnswers.close())
  const turns = largeAnswers.unpacking
  const one = { holder: 'one', caller: 'caller' }
  const first = await turns.piece(one)
  let isThere = false
  const unpacked = unpack(packed, MOST, { largeAnswers, holder: 'other', caller: 'caller' }).then(bytes => {
    isThere = true
    return bytes
  })
  // Whoever comes again waits behind it, and it has more than one piece.
  for (let give = first, pieces = 0; pieces < 3; pieces++) {
    const next = turns.piece(one)
    give()
    give = await next
    t.notOk(isThere)
    if (pieces === 2) give()
  }
  t.equal(String(await unpacked), text)
})

t.test('what the operator’s own forge has sent is unpacked beside that of callers’ forges', async t => {
  const largeAnswers = new LargeAnswers()
  t.teardown(() => largeAnswers.close())
  await largeAnswers.unpacking.piece({ holder: 'forge', caller: 'caller' })
  t.equal(String(await unpack(packed, MOST, { largeAnswers, holder: 'caller', caller: 'caller' })), text)
})

t.test('a turn is given back with what fails, is too large, or is not read on', async t => {
  const largeAnswers = new LargeAnswers()
  t.teardown(() => largeAnswers.close())
  const whose = { largeAnswers, holder: 'forge', caller: 'caller' }
  const random = Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * at * 7919) % 251))
  await t.rejects(unpack(Buffer.alloc(50_000, 'x'), MOST, whose), { name: 'ForgeError', fault: 'bad-answer' })
  await t.rejects(unpack(packed.subarray(0, 50_000), MOST, whose), {
    name: 'ForgeError',
    fault: 'bad-answer'
  })
  await t.rejects(unpack(gzipSync(random), 1000, whose), { name: 'ForgeError', fault: 'too-large' })
  const unread = Readable.from([gzipSync(Buffer.alloc(MOST))]).pipe(gunzipInTurns(whose))
  await setTimeout(50)
  t.equal(String(await unpack(packed, MOST, whose)), text)
  const left = Readable.from([packed]).pipe(gunzipInTurns(whose))
  await setImmediate()
  left.destroy()
  unread.destroy()
  t.equal(String(await unpack(packed, MOST, whose)), text)
})

t.test('a body that takes too long is given up', async t => {
  const largeAnswers = new LargeAnswers(50)
  t.teardown(() => largeAnswers.close())
  await largeAnswers.unpacking.piece({ holder: 'another', caller: 'caller' })
  await t.rejects(unpack(packed, MOST, { largeAnswers, holder: 'forge', caller: 'caller' }), {
    name: 'ForgeError',
    fault: 'timeout'
  })
})

t.test('a small body is unpacked at once, unless it is none or gets large', t => {
  t.equal(String(unpackSmall(gzipSync(text), MOST)), text)
  for (const other of ['', 'no gzip', gzipSync(Buffer.alloc(MOST)), amongEmptyBlocks(text, 10_000)])
    t.equal(unpackSmall(Buffer.from(other), MOST), undefined)
  t.equal(unpackSmall(gzipSync(text), text.length - 1), undefined)
  t.end()
})

t.test(
  'what is unpacked counts from its first bytes on, what fails no longer, and what is given up ends',
  async t => {
    const largeAnswers = new LargeAnswers()
    t.teardown(() => largeAnswers.close())
    const whose = { largeAnswers, holder: 'forge', caller: 'caller' }
    const signal = new Cancellation()
    let size = 0
    let most = 0
    const held = {
      grow(bytes: number) {
        size += bytes
        most = Math.max(most, size)
      }
    }
    const bytes = gzipSync(Buffer.alloc(MOST))
    await unpack(bytes, MOST, whose, { held, signal })
    t.equal(size, MOST)
    size = most = 0
    await t.rejects(unpack(bytes, MOST / 2, whose, { held, signal }), {
      name: 'ForgeError',
      fault: 'too-large'
    })
    t.ok(most > MOST / 2 && most < MOST, `${most}`)
    t.equal(size, 0)
    const given = unpack(bytes, MOST, whose, { held: { grow: () => signal.abort() }, signal })
    await t.rejects(given, { name: 'ForgeError', fault: 'cancelled' })
  }
)
