import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { exchange } from '../../../src/upstream/answers/exchange.ts'
import { createDispatcher, type DispatcherOptions } from '../../../src/upstream/connections/dispatcher.ts'
import { tlsTrust } from '../../../src/upstream/connections/tls.ts'
import { selfSigned } from '../../support/certificates.ts'
import { listen, listenTls } from '../../support/listen.ts'
import { startProxy } from '../../support/proxy.ts'

const get = async (t: Test, origin: string, options: DispatcherOptions = {}, path = '/') => {
  const dispatcher = createDispatcher(options)
  t.teardown(() => dispatcher.destroy())
  const limits = { maxBytes: 1000, deadlineMs: 5000 }
  const headers = { 'private-token': 'secret' }
  return (await exchange(dispatcher, { origin, path, method: 'GET', headers }, limits)).body
}

t.test('a forge with a certificate of its own', async t => {
  const { key, cert, path } = selfSigned(t)
  const origin = await listenTls(t, { key, cert }, (_request, response) => response.end('secret'))

  t.test('is not trusted', async t => {
    await t.rejects(get(t, origin), {
      name: 'ForgeError',
      fault: 'unreachable',
      message: /DEPTH_ZERO_SELF_SIGNED_CERT/
    })
  })
  t.test('is trusted when its certificate is given', async t => {
    t.equal(await get(t, origin, { tls: tlsTrust({ caPath: path, verify: true }) }), 'secret')
  })
  t.test('is not trusted by the certificate of another', async t => {
    const tls = tlsTrust({ caPath: selfSigned(t).path, verify: true })
    await t.rejects(get(t, origin, { tls }), { name: 'ForgeError', fault: 'unreachable' })
  })
  t.test('is trusted like any other when verification is off', async t => {
    t.equal(await get(t, origin, { tls: tlsTrust({ caPath: '', verify: false }) }), 'secret')
  })
  t.test('is reached through a proxy, under the same rules', async t => {
    const proxy = await startProxy(t)
    const through = { http: '', https: proxy.url, no: '' }
    await t.rejects(get(t, origin, { proxy: through }), { message: /DEPTH_ZERO_SELF_SIGNED_CERT/ })
    const tls = tlsTrust({ caPath: path, verify: true })
    t.equal(await get(t, origin, { proxy: through, tls }), 'secret')
    t.equal(proxy.asked.length, 2)
  })
})

t.test('the system’s own roots are still trusted beside a given certificate', async t => {
  const { path } = selfSigned(t)
  const { secureContext } = tlsTrust({ caPath: path, verify: true })
  t.ok(secureContext)
  t.same(tlsTrust({ caPath: '', verify: true }), {}, 'without one Node’s defaults hold')
})

t.test('a file of certificates that is none is told at start', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'ca-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const pem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
  for (const [caPath, says] of [
    [join(folder, 'missing.pem'), /^FORGE_CA_CERT_PATH: .*missing\.pem cannot be read \(ENOENT\)\.$/],
    [folder, /cannot be read \(EISDIR\)/],
    [file('empty.pem', ''), /holds no PEM certificate/],
    [file('bad.pem', pem), /holds a certificate that cannot be parsed, number 1/]
  ] as const)
    t.throws(() => tlsTrust({ caPath, verify: true }), { message: says })
})

t.test('a proxy', async t => {
  const seen: Pick<IncomingMessage, 'url' | 'headers'>[] = []
  const origin = await listen(t, ({ url, headers }, response) => {
    seen.push({ url, headers })
    response.end('forge')
  })
  t.beforeEach(() => void seen.splice(0))
  const at = (host: string) => host.replace('forge.example:80', new URL(origin).host)

  t.test('resolves and connects, so that names this machine does not know are reached', async t => {
    const proxy = await startProxy(t, at)
    t.equal(await get(t, 'http://forge.example', { proxy: { http: proxy.url, https: '', no: '' } }), 'forge')
    t.match(proxy.asked, [{ host: 'forge.example:80' }])
  })
  t.test('is asked for the whole URL of a plain forge, and for no tunnel', async t => {
    const proxy = await startProxy(t, at)
    for (const path of ['/api/v4/user?x=1', '/'])
      await get(t, 'http://forge.example', { proxy: { http: proxy.url, https: '', no: '' } }, path)
    t.same(
      proxy.asked.map(({ tunnel }) => tunnel),
      [false, false]
    )
    t.match(seen, [
      { url: '/api/v4/user?x=1', headers: { host: 'forge.example', 'private-token': 'secret' } },
      { url: '/' }
    ])
  })
  t.test('is waited for no longer than a forge, and has no more connections', async t => {
    let held = 0
    let most = 0
    const proxy = await listen(t, (_request, response) => {
      most = Math.max(most, ++held)
      response.on('close', () => held--)
      response.flushHeaders()
    })
    const dispatcher = createDispatcher({ proxy: { http: proxy, https: '', no: '' } })
    t.teardown(() => dispatcher.destroy())
    const limits = { maxBytes: 1000, deadlineMs: 3000 }
    const all = Array.from({ length: 300 }, () =>
      exchange(dispatcher, { origin: 'http://forge.example', path: '/', method: 'GET' }, limits)
    )
    for (const one of all) await t.rejects(one, { name: 'ForgeError', fault: 'timeout' })
    t.equal(most, 256)
  })
  t.test('is told who asks, when its URL says so, and nobody else is', async t => {
    const proxy = await startProxy(t, at)
    const http = proxy.url.replace('//', '//user:p%40ss@')
    await get(t, 'http://forge.example', { proxy: { http, https: '', no: '' } })
    t.equal(proxy.asked[0]?.authorization, `Basic ${Buffer.from('user:p@ss').toString('base64')}`)
    t.notOk('proxy-authorization' in seen[0]!.headers)
  })
  t.test('is left out for the hosts of NO_PROXY', async t => {
    const proxy = await startProxy(t)
    for (const no of ['127.0.0.1', '*', 'other.example,127.0.0.1'])
      t.equal(await get(t, origin, { proxy: { http: proxy.url, https: '', no } }), 'forge')
    t.equal(proxy.asked.length, 0)
  })
  t.test('that refuses makes the forge unreachable, and says so', async t => {
    const proxy = await startProxy(t)
    for (const [origin, status] of [
      ['https://refused.example', 403],
      ['http://unknown.example', 407]
    ] as const)
      await t.rejects(get(t, origin, { proxy: { http: proxy.url, https: '', no: '' } }), {
        name: 'ForgeError',
        fault: 'unreachable',
        message: `The proxy does not connect to the forge (status ${status}).`
      })
  })
  t.test('that is not there makes the forge unreachable', async t => {
    await t.rejects(get(t, origin, { proxy: { http: 'http://127.0.0.1:9', https: '', no: '' } }), {
      name: 'ForgeError',
      fault: 'unreachable'
    })
  })
  t.test('of the environment is not used unasked', async t => {
    process.env.HTTP_PROXY = 'http://127.0.0.1:9'
    t.teardown(() => delete process.env.HTTP_PROXY)
    t.equal(await get(t, origin), 'forge')
    t.equal(await get(t, origin, { proxy: { http: '', https: 'http://127.0.0.1:9', no: '' } }), 'forge')
  })
})

t.test('an address that policy refuses is not connected to', async t => {
  const origin = await listen(t, (_request, response) => response.end('inside'))
  const denied = () => ({ denyPrivate: true })
  await t.rejects(get(t, origin, { addresses: denied }), {
    name: 'ForgeError',
    fault: 'forbidden',
    message: /private networks/
  })
  t.equal(await get(t, origin, { addresses: asked => ({ denyPrivate: asked !== origin }) }), 'inside')
})
