import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { type AddressInfo, createServer as createNetServer, type LookupFunction, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import t, { type Test } from 'tap'
import { checkLimits } from '../../../src/oauth/credentials/credential-checker.ts'
import { DEADLINE_MS as checkDeadlineMs } from '../../../src/oauth/forge/credential-check.ts'
import {
  callersForgeBounds,
  createDispatcher,
  type DispatcherOptions,
  forgeBounds
} from '../../../src/upstream/connections/dispatcher.ts'
import { ReadPace } from '../../../src/upstream/connections/read-pace.ts'
import { tlsTrust } from '../../../src/upstream/connections/tls.ts'
import { NameLane, operatorNames } from '../../../src/upstream/hosts/lookup.ts'
import { exchange } from '../../../src/upstream/reading/exchange.ts'
import { selfSigned } from '../../support/certificates.ts'
import { listen, listenTls } from '../../support/listen.ts'
import { startProxy } from '../../support/proxy.ts'
import { until } from '../../support/until.ts'

const get = async (t: Test, origin: string, options: DispatcherOptions = {}, path = '/') => {
  const dispatcher = createDispatcher(options)
  t.teardown(() => dispatcher.destroy())
  const limits = { maxBytes: 1000, deadlineMs: 60_000 }
  const headers = { 'private-token': 'secret' }
  return (await exchange(dispatcher, { origin, path, method: 'GET', headers }, limits)).body
}

t.test('a forge with a certificate of its own', async t => {
  const { key, cert, path } = selfSigned(t)
  const origin = await listenTls(t, { key, cert }, (_request, response) => response.end('secret'))

  t.test('is not trusted', async t => {
    await t.rejects(get(t, origin), {
      name: 'ForgeError',
      fault: 'tls',
      message: `The forge ${new URL(origin).host} could not be reached: no TLS connection that is trusted here can be made to it (DEPTH_ZERO_SELF_SIGNED_CERT).`
    })
  })
  t.test('is trusted when its certificate is given', async t => {
    t.equal(await get(t, origin, { tls: tlsTrust({ caPath: path, verify: true }) }), 'secret')
  })
  t.test('is not trusted by the certificate of another', async t => {
    const tls = tlsTrust({ caPath: selfSigned(t).path, verify: true })
    await t.rejects(get(t, origin, { tls }), { name: 'ForgeError', fault: 'tls' })
  })
  t.test('is trusted like any other when verification is off', async t => {
    t.equal(await get(t, origin, { tls: tlsTrust({ caPath: '', verify: false }) }), 'secret')
  })
  t.test('is reached through a proxy, under the same rules', async t => {
    const proxy = await startProxy(t)
    const through = { http: '', https: proxy.url, no: '' }
    await t.rejects(get(t, origin, { proxy: through }), {
      fault: 'tls',
      message: /DEPTH_ZERO_SELF_SIGNED_CERT/
    })
    const tls = tlsTrust({ caPath: path, verify: true })
    t.equal(await get(t, origin, { proxy: through, tls }), 'secret')
    t.equal(proxy.asked.length, 2)
  })
})

t.test('a forge that would rather speak HTTP/2 is asked over HTTP/1.1, through a proxy too', async t => {
  const { key, cert, path } = selfSigned(t)
  const origin = await listenTls(
    t,
    { key, cert, ALPNProtocols: ['h2', 'http/1.1'] },
    ({ socket }, response) => response.end((socket as TLSSocket).alpnProtocol)
  )
  const tls = tlsTrust({ caPath: path, verify: true })
  const proxy = { http: '', https: (await startProxy(t)).url, no: '' }
  t.equal(await get(t, origin, { tls }), 'http/1.1')
  t.equal(await get(t, origin, { tls, proxy }), 'http/1.1')
})

t.test('the system’s own roots are still trusted beside a given certificate', async t => {
  const { path } = selfSigned(t)
  const { secureContext } = tlsTrust({ caPath: path, verify: true })
  t.ok(secureContext)
  t.notOk(tlsTrust({ caPath: '', verify: true }).secureContext, 'without one Node’s defaults hold')
})

t.test('a file of certificates that is none is told at start', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'ca-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const file = (name: string, text: string | Buffer) => {
    writeFileSync(join(folder, name), typeof text === 'string' ? Buffer.from(text, 'latin1') : text)
    return join(folder, name)
  }
  const der = new X509Certificate(selfSigned(t).cert).raw
  const pem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
  for (const [caPath, says] of [
    [join(folder, 'missing.pem'), /^FORGE_CA_CERT_PATH: .*missing\.pem cannot be read \(ENOENT\)\.$/],
    [folder, /cannot be read \(a folder\)/],
    [file('empty.pem', ''), /holds no PEM certificate\.$/],
    [file('ca.cer', der), /holds no PEM certificate: openssl x509 -inform der -in /],
    [
      file('ca.p7', '0\x80\x06\x09*'),
      /holds no PEM certificate: openssl pkcs7 -inform der -print_certs -in /
    ],
    [file('ca.pfx', '0\x05\x02\x01\x03'), /holds no PEM certificate: openssl pkcs12 -nokeys -in /],
    [file('key.der', '0\x05\x02\x01\x00'), /holds no PEM certificate\.$/],
    [file('bundle', '-----BEGIN PKCS7-----'), /holds no PEM certificate: openssl pkcs7 -inform pem /],
    [
      file('trusted', '-----BEGIN TRUSTED CERTIFICATE-----'),
      /no PEM certificate: openssl x509 -in FILE -out /
    ],
    [
      file('wide', Buffer.from(`\uFEFF${pem}`, 'utf16le')),
      /, as it is written in UTF-16: save it as UTF-8\.$/
    ],
    ['/dev/zero', /holds no PEM certificate/],
    [file('bad.pem', pem), /holds a certificate that cannot be parsed, number 1/]
  ] as const)
    t.throws(() => tlsTrust({ caPath, verify: true }), { message: says })
})

t.test('a file of certificates that was cut short is told at start, whole ones in it or none', async t => {
  const { path, cert } = selfSigned(t)
  const whole = cert.toString()
  for (const [text, number] of [
    [whole.slice(0, -40), 1],
    [whole + whole.slice(0, 60), 2],
    [whole + whole.trimEnd().slice(0, -1), 2],
    [whole.slice(0, -40) + whole, 1]
  ] as const) {
    writeFileSync(path, text)
    t.throws(() => tlsTrust({ caPath: path, verify: true }), {
      message: `FORGE_CA_CERT_PATH: ${path} holds a certificate that is cut short, number ${number}.`
    })
  }
  writeFileSync(path, `# ours\r\n${(whole + whole).replaceAll('\n', '\r\n')}# end`)
  t.ok(tlsTrust({ caPath: path, verify: true }).secureContext)
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
  t.test(
    'has what comes through it read as of the domain behind it, in the clear and through tunnels',
    async t => {
      const { key, cert, path } = selfSigned(t)
      const secure = await listenTls(t, { key, cert }, (_request, response) => response.end('forge'))
      const holders: string[] = []
      class Seen extends ReadPace {
        override keep(...[socket, holder]: Parameters<ReadPace['keep']>): void {
          holders.push(holder)
          super.keep(socket, holder)
        }
      }
      const { url } = await startProxy(t, host =>
        host.endsWith('.example:80') ? new URL(origin).host : host
      )
      const options = {
        proxy: { http: url, https: url, no: '' },
        tls: tlsTrust({ caPath: path, verify: true }),
        pace: new Seen()
      }
      t.equal(await get(t, 'http://gitlab.one.example', options), 'forge')
      t.equal(await get(t, 'http://a.two.example', options), 'forge')
      t.equal(await get(t, 'http://b.two.example', options), 'forge')
      t.equal(await get(t, secure, options), 'forge')
      t.same(holders, ['one.example', 'two.example', 'two.example', new URL(secure).hostname])
    }
  )
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
    const ask = (deadlineMs: number) =>
      exchange(
        dispatcher,
        { origin: 'http://forge.example', path: '/', method: 'GET' },
        { maxBytes: 1000, deadlineMs }
      )
    await t.rejects(ask(300), { name: 'ForgeError', fault: 'timeout' })
    const all = Promise.allSettled(Array.from({ length: 300 }, () => ask(60_000)))
    await until(() => held === 256)
    // Any more would come now.
    await sleep(200)
    t.equal(most, 256)
    await dispatcher.destroy()
    t.ok((await all).every(({ status }) => status === 'rejected'))
  })
  t.test('is read no further where it, or a forge behind it, wants a login and goes on and on', async t => {
    let closed = 0
    const proxy = await listen(t, (_request, response) => {
      response.on('close', () => closed++)
      response.writeHead(407).write('no')
    })
    await t.rejects(get(t, 'http://forge.example', { proxy: { http: proxy, https: '', no: '' } }), {
      name: 'ForgeError',
      fault: 'proxy',
      message: /answers 407/
    })
    await until(() => closed === 1)
  })
  t.test('is told who asks, when its URL says so, and nobody else is', async t => {
    const proxy = await startProxy(t, at)
    const http = proxy.url.replace('//', '//user:p%40ss@')
    await get(t, 'http://forge.example', { proxy: { http, https: '', no: '' } })
    t.equal(proxy.asked[0]?.authorization, `Basic ${Buffer.from('user:p@ss').toString('base64')}`)
    t.notOk('proxy-authorization' in seen[0]!.headers)
  })
  t.test('that keeps silent is told as that before a check of a credential ends', async t => {
    const sockets: Socket[] = []
    const silent = createNetServer(socket => void sockets.push(socket.on('error', () => {})))
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
    t.teardown(() => {
      for (const socket of sockets) socket.destroy()
      silent.close()
    })
    const https = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    t.ok(checkLimits.tunnelMs < checkDeadlineMs)
    const bounds = { ...forgeBounds(1), tunnelMs: 50 }
    await t.rejects(get(t, 'https://forge.example', { proxy: { http: '', https, no: '' }, bounds }), {
      fault: 'proxy',
      message: /did not connect to it in time/
    })
  })

  t.test('that hangs up on plain http says nothing of how the URL of the forge begins', async t => {
    const rude = createNetServer(
      socket => void socket.on('error', () => {}).once('data', () => socket.destroy())
    )
    await new Promise<void>(resolve => rude.listen(0, '127.0.0.1', resolve))
    t.teardown(() => void rude.close())
    const http = `http://127.0.0.1:${(rude.address() as AddressInfo).port}`
    const said = (no: string) =>
      get(t, no === '' ? 'http://forge.example' : http, { proxy: { http, https: '', no } }).catch(
        ({ message }: Error) => message
      )
    t.match(await said('127.0.0.1'), /its URL may have to begin with https/)
    t.notMatch(await said(''), /https/)
  })

  t.test('is left out for the hosts of NO_PROXY', async t => {
    const proxy = await startProxy(t)
    for (const no of ['127.0.0.1', '*', 'other.example,127.0.0.1'])
      t.equal(await get(t, origin, { proxy: { http: proxy.url, https: '', no } }), 'forge')
    t.equal(proxy.asked.length, 0)
  })
  t.test('that refuses makes the forge unreachable, and says so', async t => {
    const proxy = await startProxy(t)
    for (const [origin, says] of [
      ['https://refused.example', '403'],
      [
        'http://unknown.example',
        '407 and wants a login, which goes into its URL as user:password@, or another than the one there'
      ]
    ] as const)
      await t.rejects(get(t, origin, { proxy: { http: proxy.url, https: '', no: '' } }), {
        name: 'ForgeError',
        fault: 'proxy',
        message: `The forge ${new URL(origin).host} could not be reached: the proxy on the way answers ${says}.`
      })
  })
  t.test('that is not there is told apart from a forge that is not, whatever the forge speaks', async t => {
    const gone = 'http://127.0.0.1:9'
    for (const asked of [origin, 'https://forge.example'])
      await t.rejects(get(t, asked, { proxy: { http: gone, https: '', no: '' } }), {
        name: 'ForgeError',
        fault: 'proxy',
        message: `The forge ${new URL(asked).host} could not be reached: the proxy on the way cannot be used (ECONNREFUSED).`
      })
    await t.rejects(
      get(t, origin, {
        proxy: { http: 'http://nowhere.invalid:3128', https: '', no: '' },
        lookup: resolverWith('ENOTFOUND')
      }),
      { name: 'ForgeError', fault: 'proxy' }
    )
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

t.test(
  'the name of the operator’s forge at an address that is never asked fails as one that is not found',
  async t => {
    const lookup: LookupFunction = (_host, _options, callback) =>
      callback(null, [{ address: '198.18.0.7', family: 4 }])
    for (const isHome of [true, false])
      await t.rejects(
        get(t, 'http://forge.example', { addresses: () => ({ denyPrivate: false, isHome }), lookup }),
        { name: 'ForgeError', fault: isHome ? 'dns' : 'forbidden', cause: { address: '198.18.0.7' } }
      )
  }
)

/** A resolver that finds no name. */
const resolverWith =
  (code: string): LookupFunction =>
  (hostname, _options, callback) =>
    callback(
      Object.assign(new Error(`getaddrinfo ${code} ${hostname}`), { code, syscall: 'getaddrinfo' }),
      ''
    )

t.test(
  'a name that is not found, and one that is not found in time, are told apart from a host that is silent',
  async t => {
    await t.rejects(get(t, 'http://forge.example', { lookup: resolverWith('ENOTFOUND') }), {
      fault: 'dns',
      message: 'The forge forge.example could not be reached: its name is not found (ENOTFOUND).'
    })
    await t.rejects(get(t, 'http://forge.example', { lookup: resolverWith('EAI_AGAIN') }), {
      fault: 'dns',
      message: 'The forge forge.example could not be reached: the name server did not answer (EAI_AGAIN).'
    })
    await t.rejects(get(t, 'http://forge.example', { lookup: resolverWith('EBADRESP') }), {
      fault: 'dns',
      message:
        'The forge forge.example could not be reached: what its name server answers cannot be read (EBADRESP).'
    })
    const silent = new NameLane(() => {}, { ...operatorNames, waitMs: 20, hangMs: 40 })
    await t.rejects(get(t, 'http://forge.example', { lookup: silent.lookup }), {
      fault: 'dns',
      message: /the name server did not answer \(ETIMEDOUT\)/
    })
  }
)

t.test('a resolver is told of a host that takes no connection, and of no other fault', async t => {
  const doubted: string[] = []
  const to127: LookupFunction = (_hostname, _options, callback) =>
    callback(null, [{ address: '127.0.0.1', family: 4 }])
  const lookup = Object.assign(to127, { doubt: (hostname: string) => doubted.push(hostname) })
  await t.rejects(get(t, 'http://forge.example:9', { lookup }), { name: 'ForgeError', fault: 'unreachable' })
  t.same(doubted, ['forge.example'])
  const { port } = new URL(await listen(t, (_request, response) => response.end()))
  await t.rejects(get(t, `https://forge.example:${port}`, { lookup }), { name: 'ForgeError', fault: 'tls' })
  t.same(doubted, ['forge.example'])
})

t.test('a port where nobody listens, and a server that speaks no TLS, are told apart', async t => {
  await t.rejects(get(t, 'http://127.0.0.1:9'), {
    fault: 'unreachable',
    message: 'The forge 127.0.0.1:9 could not be reached (ECONNREFUSED).'
  })
  const plain = await listen(t, (_request, response) => response.end())
  await t.rejects(get(t, plain.replace('http:', 'https:')), { name: 'ForgeError', fault: 'tls' })
})

t.test(
  'an answer with more headers than are read is told as that, and not as one of a port for https',
  async t => {
    const origin = await listen(t, (_request, response) =>
      response.writeHead(200, { 'x-long': 'x'.repeat(40_000) }).end()
    )
    await t.rejects(get(t, origin), { fault: 'bad-answer', message: /has more headers than are read.*\)\.$/ })
  }
)

t.test('of a head of a forge that a caller names no more is read than Node does', async t => {
  const chars = { most: 8_192 }
  const origin = await listen(t, (_request, response) =>
    response.writeHead(200, { link: 'l'.repeat(chars.most) }).end()
  )
  const options = { bounds: callersForgeBounds(1) }
  await get(t, origin, options)
  chars.most = 17_000
  await t.rejects(get(t, origin, options), { fault: 'bad-answer', message: /more headers than are read/ })
  await get(t, origin)
})

t.test('a change of protocols that nobody asked for is told as no valid HTTP', async t => {
  const changing = createNetServer(
    socket => void socket.on('data', () => socket.write('HTTP/1.1 101 No\r\n\r\n'))
  )
  await new Promise<void>(resolve => changing.listen(0, '127.0.0.1', resolve))
  t.teardown(() => changing.close())
  await t.rejects(get(t, `http://127.0.0.1:${(changing.address() as AddressInfo).port}`), {
    fault: 'bad-answer',
    message: /is not valid HTTP/
  })
})

t.test(
  'a forge that has answered over http with any status, and then hangs up, is not told with https',
  async t => {
    for (const proxy of [undefined, { http: '', https: 'http://127.0.0.1:9', no: '' }]) {
      let asked = 0
      const origin = await listen(t, ({ socket }, response) => {
        if (asked++ > 0) socket.destroy()
        else response.writeHead(503).end()
      })
      const dispatcher = createDispatcher(proxy && { proxy })
      t.teardown(() => dispatcher.destroy())
      const ask = () =>
        exchange(dispatcher, { origin, path: '/', method: 'GET' }, { maxBytes: 1000, deadlineMs: 60_000 })
      await ask()
      await t.rejects(ask(), { fault: 'unreachable', message: /could not be reached \(\w+\)\.$/ })
    }
  }
)

t.test('a request without TLS that a port for it ends is told with https, and one of TLS is not', async t => {
  const secure = await listenTls(t, selfSigned(t), (_request, response) => response.end())
  await t.rejects(get(t, secure.replace('https:', 'http:')), {
    fault: 'unreachable',
    message:
      /\(\w+\)\. Ports for https answer http:\/\/ like this: its URL may have to begin with https:\/\/\.$/
  })
  const alert = createNetServer(socket => socket.end('\x15\x03\x03\0\x02\x02\x46'))
  await new Promise<void>(resolve => alert.listen(0, '127.0.0.1', resolve))
  t.teardown(() => alert.close())
  await t.rejects(get(t, `http://127.0.0.1:${(alert.address() as AddressInfo).port}`), {
    fault: 'bad-answer',
    message: /is not valid HTTP \(\w+\)\. Ports for https answer http:/
  })
  const { key, cert, path } = selfSigned(t)
  const broken = await listenTls(t, { key, cert }, ({ socket }) => socket.destroy())
  const ended = get(t, broken, { tls: tlsTrust({ caPath: path, verify: true }) })
  await t.rejects(ended, { fault: 'unreachable', message: /could not be reached \(\w+\)\.$/ })
  const half = await listen(t, (_request, response) => {
    response.writeHead(200, { 'content-length': '9' }).write('half')
    setImmediate(() => response.destroy())
  })
  await t.rejects(get(t, half), {
    fault: 'unreachable',
    message: /^The connection to the forge \S+ broke in the middle of its answer \(\w+\)\.$/
  })
})
