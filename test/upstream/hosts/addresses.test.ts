import type { LookupFunction } from 'node:net'
import t from 'tap'
import {
  type AddressClass,
  checkHost,
  classifyAddress,
  ForbiddenAddressError,
  guardedLookup,
  isOfTranslator
} from '../../../src/upstream/hosts/addresses.ts'
import { answering } from '../../support/answering.ts'

const anyPrivate = { denyPrivate: false }
const publicOnly = { denyPrivate: true }

/** Addresses as `net` and resolvers give them, and the class each is of. */
const classes: Record<AddressClass, string[]> = {
  public: ['8.8.8.8', '172.15.0.1', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8', '2a00:1450::1'],
  private: [
    '127.0.0.1',
    '127.255.255.254',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '::1',
    '0:0:0:0:0:0:0:1',
    'fd00::1',
    'fc00::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:7f00:0001',
    '::ffff:10.0.0.1'
  ],
  forbidden: [
    '0.0.0.0',
    '0.1.2.3',
    '::',
    '169.254.169.254',
    '169.254.0.1',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    '224.0.0.1',
    '239.255.255.250',
    'ff02::1',
    '255.255.255.255',
    '240.0.0.1',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '198.18.0.1',
    '192.0.0.1',
    '192.0.0.192',
    '100.100.100.200',
    '::ffff:100.100.100.200',
    '168.63.129.16',
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd00:ec2:ffff::1',
    'fd20:ce::254',
    'fd20:ce::1',
    'fd00:0ec2:0:0:0:0:0:254',
    'fd00:42::42',
    'fd00:42:0:0:0:0:0:42',
    'fd00:c1::a9fe:a9fe',
    'fd00:c1::169.254.169.254',
    'fd00:a9fe:a9fe::1',
    'fd00:100::100:200',
    '::7f00:1',
    '::127.0.0.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '2002:7f00:1::1',
    '2001:0:7f00:1::1',
    '2001:db8::1',
    '3fff::1',
    'fec0::1',
    '100::1',
    '5f00::1',
    '4000::1',
    'not-an-address',
    ''
  ]
}

for (const [expected, addresses] of Object.entries(classes))
  t.test(`addresses that are ${expected}`, async t => {
    for (const address of addresses) t.equal(classifyAddress(address), expected, address)
  })

t.test('every spelling of a literal in a URL is judged as the address it is', async t => {
  const loopback = [
    'http://127.0.0.1',
    'http://127.1',
    'http://0177.0.0.1',
    'http://0x7f.0.0.1',
    'http://0x7f000001',
    'http://2130706433',
    'http://017700000001',
    'http://１２７.0.0.1',
    'http://①②⑦.0.0.1',
    'http://127.0.0.1.',
    'http://127%2e0%2e0%2e1',
    'http://[::1]',
    'http://[::ffff:127.0.0.1]',
    'http://[0:0:0:0:0:0:0:1]',
    'http://localhost',
    'http://LOCALHOST.',
    'http://ⓛocalhost',
    'http://a.localhost',
    'http://localhost..'
  ]
  for (const url of loopback) {
    t.throws(() => checkHost(new URL(url).hostname, publicOnly), ForbiddenAddressError, url)
    t.doesNotThrow(() => checkHost(new URL(url).hostname, anyPrivate), url)
  }
  const metadata = [
    'http://169.254.169.254',
    'http://0xa9fea9fe',
    'http://2852039166',
    'http://0251.0376.0251.0376',
    'http://169.254.43518',
    'http://[::ffff:169.254.169.254]',
    'http://[fe80::1]',
    'http://[::]',
    'http://0',
    'http://metadata.google.internal',
    'http://METADATA.google.internal.',
    'http://metadata.google.internal..',
    'http://metadata'
  ]
  for (const url of metadata)
    t.throws(() => checkHost(new URL(url).hostname, anyPrivate), ForbiddenAddressError, url)
})

t.test('spellings that no URL parser has folded are judged too', async t => {
  for (const host of ['0177.0.0.1', '0x7f000001', '2130706433', '127.1'])
    t.throws(() => checkHost(host, publicOnly), ForbiddenAddressError, host)
  t.throws(() => checkHost('[fe80::1%25eth0]', anyPrivate), ForbiddenAddressError)
})

t.test('names and public literals pass before they are resolved', async t => {
  for (const host of [
    'forge.example',
    'xn--bcher-kva.example',
    '8.8.8.8',
    '[2606:4700::1111]',
    'localhost.example'
  ])
    t.doesNotThrow(() => checkHost(host, publicOnly), host)
})

const resolve = (lookup: LookupFunction, all: boolean) =>
  new Promise((done, fail) =>
    lookup('forge.example', { all }, (error, found) => (error === null ? done(found) : fail(error)))
  )

t.test('what a name resolves to', async t => {
  t.test('passes when all of it is allowed', async t => {
    t.equal(await resolve(guardedLookup(publicOnly, answering('8.8.8.8')), false), '8.8.8.8')
    t.match(await resolve(guardedLookup(anyPrivate, answering('10.0.0.1', '::1')), true), [
      { address: '10.0.0.1' },
      { address: '::1' }
    ])
  })
  t.test('is refused when any of it is not', async t => {
    const mixed = answering('8.8.8.8', '169.254.169.254')
    await t.rejects(resolve(guardedLookup(anyPrivate, mixed), true), { code: 'FORBIDDEN_ADDRESS' })
    await t.rejects(resolve(guardedLookup(publicOnly, answering('127.0.0.1')), false), /private networks/)
    await t.rejects(resolve(guardedLookup(publicOnly, answering('8.8.8.8', '::ffff:10.0.0.1')), true))
  })
  t.test('fails as the resolver does', async t => {
    const failing: LookupFunction = (_host, _options, callback) => callback(new Error('ENOTFOUND'), '')
    await t.rejects(resolve(guardedLookup(anyPrivate, failing), true), /ENOTFOUND/)
  })
})

t.test(
  'an address of a translator to IPv4 is told by its block, and what is no address of IPv6 is none',
  async t => {
    for (const address of ['64:ff9b::7f00:1', '64:ff9b:1::1']) t.ok(isOfTranslator(address), address)
    for (const address of ['192.0.2.1', '2001:db8::1', 'forge.example', ''])
      t.notOk(isOfTranslator(address), address)
  }
)
