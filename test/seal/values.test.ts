import t from 'tap'
import { Type } from 'typebox'
import { Content } from '../../src/seal/content.ts'
import type { Purpose } from '../../src/seal/keyring.ts'
import { OverlongValueError, Unacceptable } from '../../src/seal/kind.ts'
import { type TestSealerOptions, testSealer } from '../support/sealing.ts'

/*
 * The same table for every kind of value: what opens, and every way in which a value can be bad. `make` and
 * `take` hide that one kind is signed and the others are sealed.
 */

const noon = Date.UTC(2026, 10, 21, 12)
const fields = { t: Type.String({ maxLength: 3000 }), n: Type.Optional(Type.Integer()) }
const purposes: readonly Purpose[] = ['sid', 'ps', 'pc', 'cid']

interface Fields {
  t: string
  n?: number
}

function kindOf(purpose: Purpose, options: TestSealerOptions = {}, ttlSeconds = 600) {
  const { sealer, refused, old } = testSealer({ now: () => noon, ...options })
  const limits = { fields, maxChars: 1024, ttlSeconds }
  if (purpose === 'cid') {
    const kind = sealer.signed({ purpose, ...limits })
    return {
      refused,
      old,
      make: (content: Fields) => kind.sign(content),
      take: (value: unknown) => kind.verify(value),
      use: (value: unknown) => kind.countUse(value)
    }
  }
  const kind = sealer.sealed({ purpose, ...limits })
  return {
    refused,
    old,
    make: (content: Fields) => kind.seal(content),
    take: (value: unknown) => kind.open(value),
    use: () => {}
  }
}

for (const purpose of purposes) {
  t.test(purpose, async t => {
    const prefix = `v1.${purpose}.`
    const content = { t: 'token-ünïcødé', n: 7 }

    t.test('comes back as it was put in, with its time, on any replica', async t => {
      const value = kindOf(purpose).make(content)
      t.ok(value.startsWith(prefix))
      t.match(value, /^[\w.-]+$/, 'fits into a header and a URL as it is')
      t.same(kindOf(purpose).take(value), { ...content, iat: noon })
    })

    t.test('is refused with any one bit of it flipped', async t => {
      const { make, take, refused } = kindOf(purpose)
      const value = Buffer.from(make(content), 'latin1')
      for (let bit = 0; bit < value.length * 8; bit++) {
        const bad = Buffer.from(value)
        bad[bit >> 3]! ^= 1 << (bit & 7)
        const opened = take(bad.toString('latin1'))
        if (opened !== undefined) t.fail(`bit ${bit} can be flipped`)
      }
      t.equal(refused.length, value.length * 8)
    })

    t.test('is refused with any one bit of its bytes flipped, spelled well again', async t => {
      const { make, take, refused } = kindOf(purpose)
      const value = make(content)
      const at = value.lastIndexOf('.') + 1
      const bytes = Buffer.from(value.slice(at), 'base64url')
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const bad = Buffer.from(bytes)
        bad[bit >> 3]! ^= 1 << (bit & 7)
        const opened = take(value.slice(0, at) + bad.toString('base64url'))
        if (opened !== undefined) t.fail(`bit ${bit} can be flipped`)
      }
      t.notOk(refused.includes(`${purpose} spelling`), 'what refuses here is key, day and seal')
    })

    t.test('is refused cut off anywhere, and with anything before or after it', async t => {
      const { make, take } = kindOf(purpose)
      const value = make(content)
      for (let length = 0; length < value.length; length++)
        if (take(value.slice(0, length)) !== undefined) t.fail(`${length} characters are enough`)
      for (const bad of [
        `${value}A`,
        `${value}=`,
        `${value}.`,
        ` ${value}`,
        `${value} `,
        `${value}\n`,
        `${value}, ${value}`
      ])
        t.equal(take(bad), undefined, JSON.stringify(bad.slice(-3)))
    })

    t.test('is refused with its tag cut short', async t => {
      const { make, take } = kindOf(purpose)
      const value = make(content)
      const at = value.lastIndexOf('.') + 1
      const bytes = Buffer.from(value.slice(at), 'base64url')
      for (let cut = 1; cut <= 32; cut++)
        if (take(value.slice(0, at) + bytes.subarray(0, -cut).toString('base64url')) !== undefined)
          t.fail(`${cut} bytes can be cut off`)
    })

    t.test('has one spelling', async t => {
      const { make, take, refused } = kindOf(purpose)
      // 64 values, so that each alphabet's odd characters and loose last bits turn up.
      for (let n = 0; n < 64; n++) {
        const value = make({ t: 'x'.repeat(n) })
        const body = value.slice(prefix.length)
        const spellings = new Set([
          `${prefix}${body.replaceAll('-', '+').replaceAll('_', '/')}`,
          `${value}=`,
          `${value}==`,
          `${prefix}${body.slice(0, 4)} ${body.slice(4)}`,
          `${prefix.toUpperCase()}${body}`,
          ...[...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].map(
            last => value.slice(0, -1) + last
          )
        ])
        spellings.delete(value)
        for (const spelling of spellings) if (take(spelling) !== undefined) t.fail(`${spelling} is ${value}`)
      }
      t.ok(refused.includes(`${purpose} spelling`))
    })

    t.test('is refused under another prefix', async t => {
      const { make, take } = kindOf(purpose)
      const body = make(content).slice(prefix.length)
      for (const other of [...purposes.filter(one => one !== purpose), 'sid2', '']) {
        const swapped = `v1.${other}.${body}`
        t.equal(take(swapped), undefined, `${purpose} as ${other}`)
        for (const reader of purposes)
          t.equal(kindOf(reader).take(swapped), undefined, `${other} as ${reader}`)
      }
      for (const other of ['v2.', 'v0.', '', 'V1.'])
        t.equal(take(`${other}${purpose}.${body}`), undefined, other)
    })

    t.test('is refused when it is of another purpose, whatever its prefix says', async t => {
      const { take } = kindOf(purpose)
      for (const other of purposes.filter(one => one !== purpose)) {
        const value = kindOf(other).make(content)
        t.equal(take(value), undefined)
        t.equal(take(prefix + value.slice(`v1.${other}.`.length)), undefined)
      }
    })

    t.test('is neither made nor looked at beyond its longest', async t => {
      const { make, take, refused } = kindOf(purpose)
      t.throws(() => make({ t: 'x'.repeat(1000) }), OverlongValueError)
      t.equal(take(make(content) + 'A'.repeat(2000)), undefined)
      t.equal(take(prefix + 'A'.repeat(1_000_000)), undefined)
      t.same(refused, [`${purpose} length`, `${purpose} length`])
    })

    t.test('is refused when it is no text, or nothing but a prefix', async t => {
      const { take } = kindOf(purpose)
      for (const bad of [
        undefined,
        null,
        7,
        {},
        [],
        Buffer.from('x'),
        '',
        prefix,
        `${prefix}.`,
        `${prefix}..`,
        'v1',
        '.'
      ])
        t.equal(take(bad), undefined, String(bad))
    })

    t.test('lives for its TTL to the millisecond, and no clock may be more than a minute ahead', async t => {
      const value = kindOf(purpose).make(content)
      const takenAt = (ms: number) => kindOf(purpose, { now: () => noon + ms }).take(value) !== undefined
      t.equal(takenAt(600_000), true)
      t.equal(takenAt(600_001), false)
      t.equal(takenAt(-60_000), true)
      t.equal(takenAt(-60_001), false)
    })

    t.test('lives across midnight, and across a year when the TTL says so', async t => {
      const midnight = Date.UTC(2026, 10, 22)
      const late = kindOf(purpose, { now: () => midnight - 1 }).make(content)
      t.ok(kindOf(purpose, { now: () => midnight + 599_000 }).take(late))
      const early = kindOf(purpose, { now: () => midnight + 30_000 }).make(content)
      t.ok(kindOf(purpose, { now: () => midnight - 30_000 }).take(early), 'made by a clock that is ahead')
      const year = 365 * 86_400
      t.ok(kindOf(purpose, { now: () => noon + year * 1000 }, year).take(kindOf(purpose).make(content)))
      t.notOk(
        kindOf(purpose, { now: () => noon + year * 1000 + 1 }, year).take(kindOf(purpose).make(content))
      )
    })

    t.test('opens under the previous secret and is made under the current one', async t => {
      const old = kindOf(purpose, { secret: 'old' }).make(content)
      const both = kindOf(purpose, { secret: 'new', previous: 'old' })
      t.ok(both.take(old))
      both.use(old)
      t.same(both.old, [purpose], 'which is counted')
      const made = both.make(content)
      t.ok(both.take(made))
      both.use(made)
      t.equal(both.old.length, 1)
      t.ok(kindOf(purpose, { secret: 'new' }).take(made))
      const { take, refused } = kindOf(purpose, { secret: 'old' })
      t.equal(take(made), undefined)
      t.equal(kindOf(purpose, { secret: 'new' }).take(old), undefined)
      t.same(refused, [`${purpose} key`])
    })

    t.test('is refused when its content is not of its kind', async t => {
      const { sealer } = testSealer({ now: () => noon })
      const other = { fields: { x: Type.String() }, maxChars: 1024, ttlSeconds: 600 }
      const value =
        purpose === 'cid'
          ? sealer.signed({ purpose, ...other }).sign({ x: 'y' })
          : sealer.sealed({ purpose, ...other }).seal({ x: 'y' })
      const { take, refused } = kindOf(purpose)
      t.equal(take(value), undefined)
      t.same(refused, [`${purpose} content`])
    })

    t.test('cannot have a TTL that never ends', async t => {
      for (const ttl of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
        t.throws(() => kindOf(purpose, {}, ttl), RangeError, String(ttl))
    })
  })
}

t.test('sealed values', async t => {
  t.test('open nowhere but where they are good: forge, way of authorization and application', async t => {
    const value = kindOf('sid').make({ t: 'x' })
    for (const good of [
      { home: 'https://other.example/api/v4' },
      { mode: 'oauth' },
      { appId: 'app' },
      { home: '', appId: 'http://127.0.0.1:9/api/v4' }
    ] as const) {
      const { take, refused } = kindOf('sid', { good })
      t.equal(take(value), undefined, JSON.stringify(good))
      t.same(refused, ['sid seal'])
    }
  })

  t.test('and a registration, which holds nothing that is of a forge, is good with all of them', async t => {
    t.ok(kindOf('cid', { good: { appId: 'app' } }).take(kindOf('cid').make({ t: 'x' })))
  })

  t.test('of one content differ each time, and show nothing of it', async t => {
    const { make } = kindOf('sid')
    const values = Array.from({ length: 1000 }, () => make({ t: 'glpat-secret-secret-secret' }))
    t.equal(new Set(values).size, values.length)
    t.notOk(values.some(value => Buffer.from(value.slice(7), 'base64url').includes('glpat')))
  })

  t.test('have another key each day, so that one nonce on two days is no repeat', async t => {
    const random = (length: number) => Buffer.alloc(length, 1)
    const bodyAt = (now: number) =>
      Buffer.from(
        kindOf('sid', { now: () => now, random })
          .make({ t: 'same' })
          .slice(7),
        'base64url'
      )
    const ciphertext = (value: Buffer) => value.subarray(18, -16).subarray(0, 8).toString('hex')
    t.equal(ciphertext(bodyAt(noon)), ciphertext(bodyAt(noon + 1)), 'one key within a day')
    t.not(ciphertext(bodyAt(noon)), ciphertext(bodyAt(noon + 86_400_000)))
  })

  t.test('go on being made and opened through many days', async t => {
    let now = noon
    const { make, take } = kindOf('sid', { now: () => now })
    for (let day = 0; day < 12; day++, now += 86_400_000) {
      const value = make({ t: String(day) })
      t.equal(take(value)?.t, String(day))
    }
  })

  t.test('of a day far away are refused before a key is derived', async t => {
    const { make, take, refused } = kindOf('sid')
    const bytes = Buffer.from(make({ t: 'x' }).slice(7), 'base64url')
    for (const day of [0, 20_000, 20_777, 65_535]) {
      bytes.writeUInt16BE(day, 4)
      t.equal(take(`v1.sid.${bytes.toString('base64url')}`), undefined)
    }
    t.same(refused, ['sid time', 'sid time', 'sid time', 'sid future'])
  })
})

t.test('content that is no JSON is refused, were it ever sealed', async t => {
  const content = new Content(fields, 600)
  for (const text of ['', '{', 'null', '[]', '"x"', '{"t":"x"}', '{"t":"x","iat":"1"}', '{"t":"x","iat":-1}'])
    t.throws(() => content.read(text, 0), new Unacceptable('content'), text)
  t.same(content.read('{"t":"x","iat":1}', 0), { t: 'x', iat: 1 })
})

t.test('a signed value shows its content to everybody', async t => {
  const [, , payload] = kindOf('cid').make({ t: 'public' }).split('.')
  t.same(JSON.parse(Buffer.from(payload!, 'base64url').toString()), { t: 'public', iat: noon })
})
