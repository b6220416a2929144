import t from 'tap'
import { Type } from 'typebox'
import { type TestSealerOptions, testSealer } from '../support/sealing.ts'

/* Values that were opened or made before are as any other: what is remembered of them shows in nothing but time. */

const noon = Date.UTC(2026, 10, 21, 12)
const TTL_SECONDS = 600
const kind = {
  purpose: 'sid',
  fields: { t: Type.String() },
  maxChars: 1024,
  ttlSeconds: TTL_SECONDS
} as const

interface Made {
  readonly token: string
}

function setUp(options: TestSealerOptions = {}, ttlSeconds: number = TTL_SECONDS) {
  const clock = { ms: noon }
  const { sealer, refused, replace, old } = testSealer({ now: () => clock.ms, ...options })
  const values = sealer.remembered(
    { ...kind, ttlSeconds },
    {
      read: ({ t: token }): Made => ({ token }),
      write: ({ token }) => ({ t: token })
    }
  )
  return { clock, values, refused, replace, old }
}

const made: Made = { token: 'a' }

t.test('what was opened once is the same object, as is what was made here', async t => {
  const { values } = setUp()
  const foreign = setUp().values.seal({ token: 'b' })
  t.equal(values.open(foreign)?.made, values.open(foreign)?.made)
  t.equal(values.open(values.seal(made))?.made, made)
})

t.test('each value is another, also of the same at the same moment', async t => {
  const { values } = setUp()
  const seen = new Set(Array.from({ length: 5 }, () => values.seal(made)))
  t.equal(seen.size, 5)
  for (const value of seen) t.equal(values.open(value)?.made, made)
})

t.test('a value bears the time at which it was made', async t => {
  const { clock, values } = setUp()
  const first = values.seal(made)
  clock.ms += 1
  const second = values.seal(made)
  t.equal(values.open(first)?.iat, noon)
  t.equal(values.open(second)?.iat, clock.ms)
})

t.test('what is remembered ends with its own time, whatever became of it meanwhile', async t => {
  const { clock, refused, values } = setUp()
  const value = values.seal(made)
  clock.ms += TTL_SECONDS * 1000
  t.ok(values.open(value))
  values.seal(made)
  clock.ms += 1
  t.equal(values.open(value), undefined)
  t.equal(values.open(value), undefined, 'nor later')
  t.same(refused, ['sid time', 'sid time'])
})

t.test('a clock that is set back makes what is remembered one of the future', async t => {
  const { clock, values } = setUp()
  const value = values.seal(made)
  clock.ms -= 3_600_000
  t.equal(values.open(value), undefined)
  t.ok(values.open(values.seal(made)), 'and it is not given again')
})

t.test('while secrets are rotated, what is made is of the new one and what was known opens', async t => {
  const { values, replace } = setUp({ secret: 'old' })
  const before = values.seal(made)
  replace('new', 'old')
  t.same(values.open(before)?.made, made)
  const after = values.seal(made)
  t.same(setUp({ secret: 'new' }).values.open(after)?.made, made)
  t.equal(setUp({ secret: 'old' }).values.open(after), undefined)
})

t.test('each use of what the previous secret has made is counted, also of what is remembered', async t => {
  const { old, values, replace } = setUp({ secret: 'old' })
  const before = values.seal(made)
  values.open(before)
  replace('new', 'old')
  t.same(old, [])
  values.open(before)
  values.open(before)
  t.same(old, ['sid', 'sid'])
  values.open(values.seal(made))
  values.open(`${before.slice(0, -2)}AA`)
  t.equal(old.length, 2, 'neither what is new nor what was changed')
})

t.test('with its secret gone, nothing that was known opens any more', async t => {
  const { refused, replace, values } = setUp({ secret: 'leaked' })
  const sealed = values.seal(made)
  const opened = setUp({ secret: 'leaked' }).values.seal({ token: 'b' })
  t.ok(values.open(opened))
  replace('fresh')
  t.equal(values.open(sealed), undefined)
  t.equal(values.open(opened), undefined)
  t.same(refused, ['sid key', 'sid key'])
})

t.test('nothing that differs in one bit from what is known opens', async t => {
  const { values } = setUp()
  const value = Buffer.from(values.seal(made), 'latin1')
  for (let bit = 0; bit < value.length * 8; bit++) {
    const bad = Buffer.from(value)
    bad[bit >> 3]! ^= 1 << (bit & 7)
    if (values.open(bad.toString('latin1')) !== undefined) t.fail(`bit ${bit} can be flipped`)
  }
})

t.test('what did not open is not remembered, and what did gives way to the 4,096 after it', async t => {
  const { values } = setUp()
  const value = setUp().values.seal(made)
  const first = values.open(value)?.made
  for (let n = 0; n < 5_000; n++) values.open(`v1.sid.${n}`)
  t.equal(values.open(value)?.made, first)
  for (let n = 0; n < 4_096; n++) values.seal({ token: 'c' })
  t.not(values.open(value)?.made, first)
  t.same(values.open(value)?.made, first, 'but opens as before')
})
