import { randomBytes } from 'node:crypto'
import t from 'tap'
import { decodeSecret, isGuessed, Keyring, type Purpose } from '../../src/seal/keyring.ts'
import { pooledRandom } from '../../src/seal/random.ts'

const purposes: readonly Purpose[] = ['cid', 'ps', 'pc', 'sid']
const bytes = Buffer.from('fbf0'.repeat(16), 'hex')

t.test('a secret', async t => {
  t.test('is read from base64url and from base64, padded or not, as the same bytes', async t => {
    const padded = bytes.toString('base64')
    t.match(padded, /[+/].*=$/, 'the sample shows the difference')
    for (const text of [padded, padded.replace('=', ''), bytes.toString('base64url')])
      t.same(decodeSecret(text), bytes, text)
  })

  t.test('is refused when a tolerant decoder would drop or round something of it', async t => {
    const good = bytes.toString('base64url')
    for (const text of [
      `${good} `,
      ` ${good}`,
      `${good.slice(0, 20)}\n${good.slice(20)}`,
      `${good}!`,
      `${good}===`,
      `+${good.slice(1)}`,
      `${good}AA`,
      `${good}ü`
    ])
      t.equal(decodeSecret(text), undefined, JSON.stringify(text))
  })

  t.test('is read whatever the bits of its last character are that fill up no byte', async t => {
    const good = bytes.toString('base64url')
    t.equal(good.at(-1), 'A')
    for (const last of 'BCD') t.same(decodeSecret(`${good.slice(0, -1)}${last}`), bytes)
    t.equal(decodeSecret('a'.repeat(43))?.length, 32)
  })

  t.test('has at least 32 bytes, and may be guessed', async t => {
    t.equal(decodeSecret(''), undefined)
    t.equal(decodeSecret(randomBytes(31).toString('base64url')), undefined)
    t.ok(decodeSecret(randomBytes(32).toString('base64url')))
    for (const byte of [0, 7]) t.ok(isGuessed(decodeSecret(Buffer.alloc(64, byte).toString('base64url'))!))
    for (const text of ['a', 'changeme', '0123456789abcdef'])
      t.ok(isGuessed(decodeSecret(text.repeat(64 / text.length))!), text)
    t.notOk(isGuessed(randomBytes(32)))
    t.notOk(isGuessed(decodeSecret(randomBytes(32).toString('hex'))!))
  })
})

t.test('a keyring', async t => {
  t.test('has another key and another key id for each purpose and each secret', async t => {
    const ring = new Keyring(Buffer.alloc(32, 'a'), Buffer.alloc(32, 'b'))
    const keys = purposes.flatMap(purpose => ring.all(purpose))
    t.equal(keys.length, 8)
    t.equal(new Set(keys.map(({ key }) => key.export().toString('hex'))).size, 8)
    t.equal(new Set(keys.map(({ id }) => id.toString('hex'))).size, 8)
  })

  t.test('puts the current secret first and derives the same keys on every replica', async t => {
    const one = new Keyring(Buffer.alloc(32, 'a'), Buffer.alloc(32, 'b'))
    const other = new Keyring(Buffer.alloc(32, 'b'), Buffer.alloc(32, 'a'))
    for (const purpose of purposes) {
      t.same(one.all(purpose)[0]!.id, other.all(purpose)[1]!.id)
      t.ok(one.all(purpose)[0]!.key.equals(other.all(purpose)[1]!.key))
    }
    t.equal(new Keyring(Buffer.alloc(32, 'a')).all('sid').length, 1)
  })

  t.test('derives what other implementations of HKDF-SHA256 derive', async t => {
    // Made with Python's hmac module after RFC 5869: secret 32 x 'a', salt and info as in keyring.ts.
    const [key] = new Keyring(Buffer.alloc(32, 'a')).all('sid')
    t.equal(
      key!.key.export().toString('hex'),
      'a324fe6c11cd30f4863433eae18a1342bd060c1230c864c58c8e74c7fd972cde'
    )
    t.equal(key!.id.toString('hex'), '5738a086')
  })
})

t.test('pooled randomness hands out each byte of a block once, then fills the next block', async t => {
  let blocks = 0
  const random = pooledRandom(block => {
    blocks++
    for (let at = 0; at < block.length; at++) block[at] = blocks * 16 + at
  }, 8)
  const seen = [3, 5, 6].map(length => Buffer.from(random(length)).toString('hex'))
  t.same(seen, ['101112', '1314151617', '202122232425'])
  t.equal(Buffer.from(random(3)).toString('hex'), '303132', 'a rest that is too short is left')
})
