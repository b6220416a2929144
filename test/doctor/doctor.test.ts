import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { Agent } from 'undici'
import { examine } from '../../src/doctor/doctor.ts'
import { roomFinding } from '../../src/doctor/downloads.ts'
import { forgeFinding } from '../../src/doctor/forge.ts'
import { probe } from '../../src/doctor/probe.ts'
import { isOpenToAll } from '../../src/doctor/secret-files.ts'
import { expired, selfSigned } from '../support/certificates.ts'
import { listen, listenTls } from '../support/listen.ts'
import { runCli } from '../support/process.ts'
import { startProxy } from '../support/proxy.ts'
import { TOKEN, testServer } from '../support/server.ts'

interface ForgeOfTest {
  readonly scopes?: readonly unknown[]
  readonly expires_at?: string
  /** What its clock says, in milliseconds; that of this machine unless told. */
  readonly at?: number
}

/** A forge that tells its version and about a token to whoever has that. */
const forge =
  ({ scopes = ['api'], expires_at, at }: ForgeOfTest = {}): RequestListener =>
  ({ url = '', headers }, response) => {
    response.setHeader('date', new Date(at ?? Date.now()).toUTCString())
    response.setHeader('content-type', 'application/json')
    if (headers['private-token'] !== TOKEN)
      return response.writeHead(401).end('{"message":"401 Unauthorized"}')
    if (url === '/api/graphql') return response.end('{"data":{"__typename":"Query"}}')
    if (url === '/api/v4/version') return response.end('{"version":"18.5.1","revision":"x"}')
    return response.end(JSON.stringify({ scopes, expires_at }))
  }

/** The report by check: its state and all that it says. */
async function report(env: Record<string, string>, now?: () => number) {
  const { text, isWell } = await examine(env, {}, [], now)
  const of: Record<string, string> = {}
  for (const [, state, check, says] of text.matchAll(/^(ok|warn|fail|skip) +(\w+): (.*(?:\n {6}→ .*)?)$/gm))
    of[check!] = `${of[check!] === undefined ? '' : `${of[check!]}\n`}${state}: ${says}`
  return { of, isWell, text }
}

/** Halfway through a second, as a forge's Date tells only whole ones. */
const NOON = Date.parse('2026-06-15T12:00:00.500Z')

const token = { FORGE_DOCTOR_TOKEN: TOKEN }

t.test('of a configuration and a forge that are as they should be it says so', async t => {
  const FORGE_API_URL = await listen(t, forge())
  const { of, isWell, text } = await report({ FORGE_API_URL, ...token })
  t.match(of, {
    configuration: /^ok: 1 variable is set/,
    name: 'ok: 127.0.0.1 is found: 127.0.0.1.',
    proxy: /^ok: none/,
    connection: /^ok/,
    certificate: /^warn: .*plain http/,
    forge: `ok: version 18.5.1, at ${FORGE_API_URL}/api/v4.`,
    token: 'ok: it has the scopes api.',
    clock: /^ok/
  })
  t.equal(isWell, true)
  t.match(text, /Nothing is in the way, but 1 warning is above\.\n$/)
  t.notMatch(text, TOKEN)
})

t.test('files of secrets that are not there are named, and are in nobody’s way', async t => {
  const FORGE_API_URL = await listen(t, forge())
  const { of, isWell } = await report({ FORGE_API_URL, HTTP_PROXY_FILE: '/nowhere-at-all' })
  t.equal(
    of.configuration,
    'ok: 2 variables are set, and fit together. Without a file, or with an empty one: HTTP_PROXY_FILE.'
  )
  t.equal(isWell, true)
})

t.test('a file of a secret that everybody may read is warned of, but not where it was mounted', async t => {
  const FORGE_API_URL = await listen(t, forge())
  const folder = await mkdtemp(join(tmpdir(), 'doctor-'))
  t.teardown(() => rm(folder, { recursive: true }))
  await chmod(folder, 0o755)
  const file = join(folder, 'proxy')
  await writeFile(file, 'http://proxy.example')
  const told = async (mode: number, path = file, env: Record<string, string> = {}) => {
    await chmod(file, mode)
    const { of } = await report({ FORGE_API_URL, NO_PROXY: '*', HTTP_PROXY_FILE: path, ...env })
    return of.configuration!.includes('HTTP_PROXY_FILE names a file that everybody on this machine may read')
  }
  t.equal(await told(0o644), true)
  t.equal(await told(0o640), false)
  t.equal(await told(0o644, file, { KUBERNETES_SERVICE_HOST: '10.0.0.1' }), false)
  const version = join(folder, '..2026_11_29')
  await mkdir(version)
  await writeFile(join(version, 'proxy'), 'http://proxy.example', { mode: 0o644 })
  await symlink(join(version, 'proxy'), join(folder, 'mounted'))
  t.equal(await told(0o600, join(folder, 'mounted')), false, 'a volume of Kubernetes')
})

t.test('a file is open to all only where each folder on the way is', async t => {
  const open = (modes: Record<string, number>) =>
    isOpenToAll('/home/ada/token', async path => modes[path] ?? 0o755)
  t.equal(await open({ '/home/ada/token': 0o644 }), true)
  t.equal(await open({ '/home/ada/token': 0o640 }), false)
  t.equal(await open({ '/home/ada/token': 0o644, '/home/ada': 0o750 }), false)
  t.equal(await open({ '/home/ada/token': 0o644, '/home': 0o700 }), false)
})

t.test('a secret that is set beside a file which is not there is told of: it counts', async t => {
  const FORGE_API_URL = await listen(t, forge())
  const both = { NO_PROXY: '*', HTTP_PROXY: 'http://proxy.example', HTTP_PROXY_FILE: '/nowhere-at-all' }
  const { of, isWell } = await report({ FORGE_API_URL, ...both })
  t.match(of.configuration, /warn: HTTP_PROXY and HTTP_PROXY_FILE are both set, .*: HTTP_PROXY counts\./)
  t.equal(isWell, true)
})

t.test('a forge that takes its time is told of, with the time', async t => {
  const apiUrl = 'https://forge.example/api/v4'
  for (const [status, body] of [
    [200, '{"version":"18.5.1"}'],
    [401, '{"message":"401 Unauthorized"}']
  ] as const) {
    const answered = (tookMs: number) =>
      forgeFinding(apiUrl, { reply: { status, headers: {}, body }, connected: [], tookMs }, undefined)
    t.match(answered(2_100), {
      state: 'warn',
      says: /It took 2\.1 s to say so\.$/,
      advice: /^The forge is slow/
    })
    t.match(answered(1_900), { state: 'ok' })
  }
})

t.test('a page that demands a certificate of clients is told with what to do', t => {
  const body = '<html><head><title>400 No required SSL certificate was sent</title></head></html>'
  const reply = { status: 400, headers: { 'content-type': 'text/html' }, body }
  t.match(forgeFinding('https://forge.example/api/v4', { reply, connected: [], tookMs: 1 }, undefined), {
    state: 'fail',
    says: /demands a certificate of its clients \(status 400, "400 No required SSL certificate was sent"\)/,
    advice: /^Client certificates are not supported here/
  })
  t.end()
})

t.test('the time that an answer takes is measured until its end', async t => {
  const lateMs = 60
  const origin = await listen(t, async (_request, response) => {
    response.write('{')
    await sleep(lateMs)
    response.end('}')
  })
  const dispatcher = new Agent()
  t.teardown(() => dispatcher.destroy())
  const { tookMs } = await probe(dispatcher, `${origin}/api/v4/version`, '', Date.now)
  // Timers may be a millisecond early.
  t.ok(tookMs >= lateMs - 1, `${tookMs} ms`)
})

t.test('a wrong configuration is told with every problem, and nothing is asked', async t => {
  const { of, isWell } = await report({
    PORT: 'x',
    HTTPS_PROXY: 'ftp://secret@proxy.example',
    FORGE_API_ULR: 'x'
  })
  t.match(of.configuration, /warn: FORGE_API_ULR .*\nfail: PORT must be .*\nfail: HTTPS_PROXY must be/)
  t.match(of, { name: /^skip/, forge: /^skip/, clock: /^skip/ })
  t.notMatch(of.configuration, 'secret')
  t.equal(isWell, false)
})

t.test('what a start says of tools and projects that it does not have, is told before', async t => {
  const ill = await report({ FORGE_TOOLS: 'nosuch', FORGE_TOOLSETS: 'nosuch' })
  t.match(
    ill.of.configuration,
    /fail: FORGE_TOOLSETS may list .*\nfail: FORGE_TOOLS names unknown tools: nosuch\./
  )
  t.equal(ill.isWell, false)
  const FORGE_API_URL = await listen(t, forge())
  const idle = await report({
    FORGE_API_URL,
    FORGE_DENIED_TOOLS_REGEX: '^delet_',
    FORGE_PROJECT_ID: 'acme/rocket',
    FORGE_ALLOWED_PROJECT_IDS: 'acme/site'
  })
  t.match(
    idle.of.configuration,
    /warn: FORGE_DENIED_TOOLS_REGEX matches the name of no tool.*\nwarn: FORGE_PROJECT_ID is none of FORGE_ALLOWED.*\nok: 4 variables are set\.$/
  )
  const misspelt = await report({ FORGE_API_URL, FORGE_TOOLSET: 'all' })
  t.match(misspelt.of.configuration, /^warn: FORGE_TOOLSET is no variable.*\nok: 1 variable is set\.$/)
})

t.test('where nobody can listen is told, and a port that this server has is no fault', async t => {
  const FORGE_API_URL = await listen(t, forge())
  const listening = async (env: Record<string, string>) =>
    (await report({ FORGE_API_URL, PORT: '0', ...env })).of.listening
  t.equal(await listening({}), 'ok: 127.0.0.1 can be listened at: PORT 0.')
  t.match(
    await listening({ HOST: '192.0.2.1' }),
    /^fail: HOST is "192\.0\.2\.1", which is no address of this/
  )
  t.match(await listening({ HOST: 'http://localhost' }), /^fail: HOST is "http:\/\/localhost"/)
  const { port: others } = new URL(FORGE_API_URL)
  for (const variable of ['PORT', 'METRICS_PORT'])
    t.match(
      await listening({ [variable]: others }),
      new RegExp(`^fail: port ${others} of 127.0.0.1 is taken by another program: .* set ${variable} to`)
    )
  const server = await testServer(t, {})
  const { port: own } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }))
  t.equal(
    await listening({ PORT: own, METRICS_PORT: others }),
    `skip: 127.0.0.1 is listened at on port ${own} and ${others} by this server, which runs.`
  )
  t.match(
    await listening({ STREAMABLE_HTTP: 'false', FORGE_PERSONAL_ACCESS_TOKEN: TOKEN }),
    /^skip: over stdio/
  )
})

t.test(
  'where callers name their forge and there is no other, none is asked, and nothing is wrong',
  async t => {
    const { of, isWell } = await report({ ENABLE_DYNAMIC_API_URL: 'true', FORGE_API_URL: '', ...token })
    t.match(of, {
      configuration: /^(?!.*gitlab\.com)/s,
      listening: /^(?:ok|skip)/,
      downloads: /^skip/,
      forge: 'skip: callers name theirs; set FORGE_API_URL for this command to check one.',
      name: 'skip: not looked at: there is no forge to ask.',
      token: 'skip: not looked at: there is no forge to ask.'
    })
    t.equal(isWell, true)
    const FORGE_API_URL = await listen(t, forge())
    t.match((await report({ ENABLE_DYNAMIC_API_URL: 'true', FORGE_API_URL, ...token })).of.forge, /^ok/)
  }
)

t.test('a way that lets only REST through is told, with what will fail', async t => {
  const ways: [string, RequestListener][] = [
    ['404 with a page', (_, response) => response.writeHead(404).end('<html>Not here</html>')],
    ['403.', (_, response) => response.writeHead(403).end('{"message":"blocked"}')],
    ['The forge', (_, response) => response.destroy()]
  ]
  for (const [says, blocked] of ways) {
    const FORGE_API_URL = await listen(t, (request, response) =>
      (request.url === '/api/graphql' ? blocked : forge())(request, response)
    )
    const { of, isWell } = await report({ FORGE_API_URL, ...token })
    t.match(of.graphql, new RegExp(`^warn: .*${says}.*\n.*→ Work items, .* let /api/graphql through`), says)
    t.match(of, { forge: /^ok/, token: /^ok/ })
    t.equal(isWell, true)
  }
})

t.test('a 401 is not taken for an answer of GraphQL, which others may give as well', async t => {
  const FORGE_API_URL = await listen(t, (request, response) =>
    request.url === '/api/graphql'
      ? response.writeHead(401).end('{"message":"401 Unauthorized"}')
      : forge()(request, response)
  )
  t.equal((await report({ FORGE_API_URL })).of.graphql, 'ok: it asks for a token first.')
})

t.test('an OAuth application that the forge does not know is told before anybody logs in', async t => {
  const login = async (error: string, status: number) => {
    const asked: string[] = []
    const FORGE_API_URL = await listen(t, async (request, response) => {
      if (request.url !== '/oauth/token') return forge()(request, response)
      for await (const piece of request) asked.push(String(piece))
      return response.writeHead(status).end(error)
    })
    const settings = {
      FORGE_MCP_OAUTH: 'true',
      FORGE_OAUTH_APP_ID: 'app',
      FORGE_OAUTH_APP_SECRET: 'hush-hush'
    }
    const { of, text } = await report({ FORGE_API_URL, MCP_SERVER_URL: 'https://tools.example', ...settings })
    t.match(asked.join(''), /grant_type=authorization_code&.*client_id=app&client_secret=hush-hush/)
    t.notMatch(text, 'hush-hush')
    return of.login
  }
  t.match(await login('{"error":"invalid_grant"}', 400), /^ok: the forge knows the application\./)
  t.match(await login('{"error":"invalid_client"}', 401), /^fail: .*FORGE_OAUTH_APP_ID/)
  t.match(await login('<html>', 404), /^fail: \/oauth\/token answers 404, .*\n.*let it through/)
  const FORGE_API_URL = await listen(t, forge())
  t.equal((await report({ FORGE_API_URL })).of.login, 'skip: FORGE_MCP_OAUTH is off.')
})

t.test(
  'a way that lets logins through, and not the question whose a bearer is, is told with its path',
  async t => {
    const html = { 'content-type': 'text/html' }
    const login = async (blocked: RequestListener) => {
      const FORGE_API_URL = await listen(t, (request, response) => {
        if (request.url === '/oauth/token/info') return blocked(request, response)
        if (request.url !== '/oauth/token') return forge()(request, response)
        return response.writeHead(400).end('{"error":"invalid_grant"}')
      })
      const oauth = { FORGE_MCP_OAUTH: 'true', FORGE_OAUTH_APP_ID: 'app' }
      const { of, isWell } = await report({ FORGE_API_URL, ...oauth })
      return { isWell, login: of.login! }
    }
    for (const blocked of [
      (_, response) => response.writeHead(403, html).end('<title>Blocked</title>'),
      (_, response) => response.writeHead(403).end('{"message":"blocked"}'),
      (_, response) => response.writeHead(502).end('{}'),
      (_, response) => response.destroy()
    ] satisfies RequestListener[])
      t.match(await login(blocked), {
        isWell: false,
        login: /^ok: the forge knows .*\nfail: .*\n.*let \/oauth\/token\/info through/
      })
    for (const missing of ['{"error":"404 Not Found"}', '<title>Not here</title>', ''])
      t.match(await login((_, response) => response.writeHead(404).end(missing)), {
        isWell: true,
        login: /^ok: .*\nwarn: the forge has no \/oauth\/token\/info: bearers .* any application are taken/
      })
    for (const status of [400, 401])
      t.notMatch(
        (await login((_, response) => response.writeHead(status).end('{"error":"invalid_request"}'))).login,
        /warn|fail/
      )
  }
)

t.test(
  'the redirect URI that has to be registered is named, as the forge tells only who logs in',
  async t => {
    const login = async (settings: Record<string, string>) => {
      const FORGE_API_URL = await listen(t, (request, response) =>
        request.url === '/oauth/token'
          ? response.writeHead(400).end('{"error":"invalid_grant"}')
          : forge()(request, response)
      )
      const oauth = { FORGE_MCP_OAUTH: 'true', FORGE_OAUTH_APP_ID: 'app' }
      return (await report({ FORGE_API_URL, ...oauth, ...settings })).of.login
    }
    const FORGE_OAUTH_CALLBACK_PROXY = 'true'
    const MCP_SERVER_URL = 'https://tools.example/path/'
    t.match(
      await login({ FORGE_OAUTH_CALLBACK_PROXY, MCP_SERVER_URL }),
      /redirect URI, which has to be https:\/\/tools\.example\/path\/callback\.$/
    )
    t.match(
      await login({ FORGE_OAUTH_CALLBACK_PROXY, PORT: '3999' }),
      /which has to be http:\/\/127\.0\.0\.1:3999\/callback\.$/
    )
    t.match(await login({ MCP_SERVER_URL }), /redirect URIs, which have to be those of all clients/)
  }
)

t.test('projects that the configuration names, and that a token does not see, are told', async t => {
  const FORGE_API_URL = await listen(t, (request, response) => {
    const { url = '' } = request
    if (!url.startsWith('/api/v4/projects/')) return forge()(request, response)
    const is = url === '/api/v4/projects/acme%2Frocket'
    response.setHeader('content-type', 'application/json')
    response.writeHead(is ? 200 : 404).end(is ? '{"id":1}' : '{"message":"404 Project Not Found"}')
  })
  const projects = async (env: Record<string, string>) =>
    (await report({ FORGE_API_URL, ...env })).of.projects
  t.match(await projects(token), /^skip: the configuration names none/)
  t.match(await projects({ FORGE_PROJECT_ID: 'acme/rocket' }), /^skip: .*no token/)
  const rockets = { FORGE_PROJECT_ID: 'acme/rocket', FORGE_ALLOWED_PROJECT_IDS: 'acme%2Frocket' }
  t.match(await projects({ ...token, ...rockets }), 'ok: the token sees them.')
  t.match(
    await projects({
      ...token,
      FORGE_PROJECT_ID: 'acme/nosuch',
      FORGE_ALLOWED_PROJECT_IDS: 'acme/nosuch,a%zz/b'
    }),
    /^warn: FORGE_PROJECT_ID has "acme\/nosuch", FORGE_ALLOWED_PROJECT_IDS has "acme\/nosuch", .*"a%zz\/b": .*\n.*full path/
  )
  const many = Array.from({ length: 12 }, () => 'acme/rocket').join()
  t.match(await projects({ ...token, FORGE_ALLOWED_PROJECT_IDS: many }), /^ok: the token sees them; 2 more/)
  const strict = await listen(t, (request, response) =>
    request.url?.startsWith('/api/v4/projects/') ? response.writeHead(429).end() : forge()(request, response)
  )
  t.match(await projects({ ...token, FORGE_API_URL: strict, FORGE_PROJECT_ID: '1' }), /^skip: .*\(429\)/)
})

t.test('each step on the way to the forge fails for itself, and says what to do', async t => {
  const own = selfSigned(t)
  const [selfOrigin, old, foreign] = [
    await listenTls(t, own, forge()),
    expired(t),
    selfSigned(t, 'other.example')
  ]
  const proxy = await startProxy(t)
  const cases: readonly (readonly [what: string, env: Record<string, string>, Record<string, unknown>])[] = [
    [
      'a name that there is not',
      { FORGE_API_URL: 'https://nowhere.invalid' },
      {
        name: /^fail: .*(?:its name is not found|the name server did not answer) \(\w+\)\.\n.*→ .*name server/,
        certificate: /^skip/
      }
    ],
    [
      'an address that is never asked',
      { FORGE_API_URL: 'http://metadata.google.internal' },
      { configuration: /^fail: FORGE_API_URL is a link-local, metadata/ }
    ],
    [
      'a port where nobody listens',
      { FORGE_API_URL: 'http://127.0.0.1:9' },
      { name: /^ok/, connection: /^fail: .*ECONNREFUSED.*\n.*→ Check that the forge runs/ }
    ],
    [
      'a certificate that nobody has signed',
      { FORGE_API_URL: selfOrigin },
      {
        connection: /^ok/,
        certificate:
          /^fail: .*DEPTH_ZERO_SELF_SIGNED_CERT.*\n.*→ .*FORGE_CA_CERT_PATH to a file with that certificate itself.*NODE_USE_SYSTEM_CA=1/
      }
    ],
    [
      'a certificate that has ended',
      { FORGE_API_URL: await listenTls(t, old, forge()), FORGE_CA_CERT_PATH: old.path },
      { certificate: /^fail: .*CERT_HAS_EXPIRED.*\n.*→ The certificate has expired/ }
    ],
    [
      'a certificate of another name',
      { FORGE_API_URL: await listenTls(t, foreign, forge()), FORGE_CA_CERT_PATH: foreign.path },
      { certificate: /^fail: .*ERR_TLS_CERT_ALTNAME_INVALID.*\n.*→ The certificate is for another name/ }
    ],
    [
      'a proxy that is not there',
      { FORGE_API_URL: selfOrigin, HTTPS_PROXY: 'http://ada:secret@127.0.0.1:9' },
      { name: /^skip: .*for the proxy/, proxy: /^fail: .*ECONNREFUSED.*\n.*→ Check HTTP_PROXY/ }
    ],
    [
      'a proxy that refuses',
      { FORGE_API_URL: 'https://refused.example', HTTPS_PROXY: proxy.url },
      { proxy: /^fail: .*the proxy on the way answers 403/ }
    ]
  ]
  for (const [what, env, expected] of cases) {
    const { of, isWell, text } = await report({ ...env, ...token })
    t.match(of, expected, what)
    t.equal(isWell, false, what)
    t.notMatch(text, /secret|glpat/, what)
  }
  const trusted = await report({
    FORGE_API_URL: selfOrigin,
    FORGE_CA_CERT_PATH: own.path,
    HTTPS_PROXY: proxy.url,
    ...token
  })
  t.match(trusted.of, {
    proxy: `ok: ${new URL(proxy.url).host} connects to the forge.`,
    certificate: /^warn: it is trusted, signed by "localhost", and valid for \d days/,
    forge: /^ok: version/
  })
  t.equal(trusted.isWell, true)
  t.teardown(() => void delete process.env.NODE_TLS_REJECT_UNAUTHORIZED)
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  const unchecked = await report({ FORGE_API_URL: selfOrigin, ...token })
  t.match(unchecked.of, { certificate: /^warn: it is not trusted, .*NODE_TLS_REJECT_UNAUTHORIZED/ })
})

t.test(
  'what answers and is no forge, a forge that fails itself, and one that limits, are told apart',
  async t => {
    const page = await listen(t, (_request, response) => response.end('<html>Welcome</html>'))
    t.match((await report({ FORGE_API_URL: page })).of, {
      forge: /^fail: what answers at .* is no forge \(status 200, no JSON\)/
    })
    const ill = await listen(t, (_request, response) => response.writeHead(502).end())
    t.match((await report({ FORGE_API_URL: ill })).of, {
      forge: /^fail: it answers 502.*\n.*look at its own log/
    })
    const strict = await listen(t, (_request, response) => response.writeHead(429).end('Retry later'))
    t.match((await report({ FORGE_API_URL: strict, ...token })).of, {
      forge: /^fail: it answers 429, "Retry later"\..*\n.*limits how often it is asked/,
      token: /^skip/
    })
    const away = await listen(t, (_request, response) =>
      response
        .writeHead(503, { 'content-type': 'text/html', 'retry-after': '60' })
        .end('<html><title>\x1bBack at 10</title>')
    )
    t.match((await report({ FORGE_API_URL: away })).of, {
      forge: /^fail: it answers 503, "Back at 10", and asks to wait for 60 s\./
    })
    const over = await listen(t, (_request, response) =>
      response.writeHead(503, { 'retry-after': '0' }).end('Soon')
    )
    t.notMatch((await report({ FORGE_API_URL: over })).of.forge, /asks to wait/)
    const blocked = await listen(t, (_request, response) =>
      response.writeHead(403, { 'content-type': 'text/html' }).end('<html><title>Blocked</title>')
    )
    t.match((await report({ FORGE_API_URL: blocked })).of, {
      forge: /^fail: .*\(status 403, no JSON, "Blocked"\)\.\n.*A login page or a firewall/
    })
  }
)

t.test('what is no forge says nothing of a token, and a forge elsewhere is named', async t => {
  const page = await listen(t, (_request, response) => response.end('<html>Welcome</html>'))
  t.match((await report({ FORGE_API_URL: page, ...token })).of, { token: /^skip/ })
  const moved = await listen(t, (_request, response) =>
    response.writeHead(301, { location: 'https://forge.example/api/v4/version' }).end()
  )
  t.match((await report({ FORGE_API_URL: moved, ...token })).of, {
    forge:
      /^fail: it redirects to https:\/\/forge\.example,.*\n.*a login page, .* where it is the forge, set FORGE_API_URL/,
    token: /^skip/
  })
  const safe = await listen(t, ({ headers: { host } }, response) =>
    response.writeHead(301, { location: `https://${host}/api/v4/version` }).end()
  )
  t.match((await report({ FORGE_API_URL: safe })).of, { forge: /\n.*mostly the same with https:/ })
})

t.test('a login page says nothing of a token, whatever its status', async t => {
  const gate = await listen(t, ({ url = '' }, response) => {
    if (url === '/api/v4/version') return response.end('{"version":"18.5.1"}')
    return response.writeHead(401, { 'content-type': 'text/html' }).end('<html>Log in</html>')
  })
  t.match((await report({ FORGE_API_URL: gate, ...token })).of, {
    token: /^skip: the forge says nothing of it \(status 401\)/
  })
})

t.test('a gate before the forge that asks for a password of its own is told as that', async t => {
  const FORGE_API_URL = await listen(t, (_request, response) =>
    response.writeHead(401, { 'www-authenticate': 'Basic realm="staff"' }).end('Unauthorized')
  )
  t.match((await report({ FORGE_API_URL })).of, {
    forge:
      /^fail: what answers at .* asks for a password \(Basic\), which no forge does\.\n *→ .*let API requests through/
  })
})

t.test('words of elsewhere keep their letters, and lose what a terminal does not show', async t => {
  const FORGE_API_URL = await listen(t, (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end('<html><title>Zugang \u{1b}[31mgesperrt\u{202e}: Prüfung läuft, 工事中</title></html>')
  )
  t.match((await report({ FORGE_API_URL })).of.forge, '"Zugang [31mgesperrt: Prüfung läuft, 工事中"')
})

t.test('nor does a gate that asks for a password of its own', async t => {
  const gate = await listen(t, ({ url = '' }, response) => {
    if (url === '/api/v4/version') return response.end('{"version":"18.5.1"}')
    return response.writeHead(401, { 'www-authenticate': 'Basic realm="staff"' }).end('Unauthorized')
  })
  t.match((await report({ FORGE_API_URL: gate, ...token })).of, { token: /^skip: .*\(status 401\)/ })
})

t.test('what is in place of a proxy and speaks no HTTP, or hangs up, is told as that', async t => {
  for (const answer of [
    (socket: Socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n'),
    (socket: Socket) => socket.on('data', () => socket.end(Buffer.from([0, 0x5b]))),
    (socket: Socket) => socket.on('data', () => socket.destroy())
  ]) {
    const sockets = new Set<Socket>()
    const server = createServer(socket => {
      sockets.add(socket.on('error', () => {}))
      answer(socket)
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    t.teardown(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    const HTTPS_PROXY = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    t.match((await report({ FORGE_API_URL: 'https://forge.example', HTTPS_PROXY })).of, {
      proxy: /^fail: .*(is not HTTP \(HTTPParserError\)|cannot be used \(ECONNRESET\))\.\n.*Check HTTP_PROXY/,
      certificate: /^skip/
    })
  }
})

t.test('a proxy that may have answered in place of a forge without TLS is named', async t => {
  const { url } = await startProxy(t)
  t.match((await report({ FORGE_API_URL: 'http://refused.example', HTTP_PROXY: url })).of, {
    proxy: `ok: ${new URL(url).host} is asked for it.`,
    forge: new RegExp(`^fail: .*status 403.*\\n.*what the proxy ${new URL(url).host} allows`)
  })
})

t.test('the room for downloads is looked at', async t => {
  const FORGE_API_URL = await listen(t, forge())
  const FORGE_DOWNLOAD_DIR = t.testdir({ file: '' })
  const downloads = async (env: Record<string, string>) =>
    (await report({ FORGE_API_URL, ...env })).of.downloads
  t.equal(await downloads({}), 'skip: FORGE_DOWNLOAD_DIR is not set.')
  t.match(
    await downloads({ FORGE_DOWNLOAD_DIR, FORGE_DOWNLOAD_TOTAL_MB: '1' }),
    /^(ok|warn): \d+ MiB are left/
  )
  t.match(roomFinding(99, 50_000, 4096, false), {
    state: 'warn',
    says: /^99 MiB are left/,
    advice: /larger disk/
  })
  t.match(roomFinding(900, 1000, 4096, false), { state: 'warn', says: /has 1000 MiB, and 4096 may be kept/ })
  t.match(roomFinding(900, 1000, 0, false), { state: 'ok' })
})

t.test(
  'a full disk for downloads is a failure, unless archives make room or the disk is not counted',
  async t => {
    t.match(roomFinding(0, 50_000, 0, false), { state: 'fail', says: /is full/, advice: /larger disk/ })
    t.match(roomFinding(1, 50_000, 0, false), { state: 'warn', says: /^1 MiB are left/ })
    t.match(roomFinding(0, 50_000, 4096, true), { state: 'warn', says: /^0 MiB are left/ })
    t.match(roomFinding(0, 0, 4096, false), { state: 'warn', says: /^0 MiB are left/ })
  }
)

t.test('a disk without inodes takes no archive either, and one with few is warned of', async t => {
  const inodes = (free: number, whole = 50_000, makesRoom = false) =>
    roomFinding(900, 50_000, 0, makesRoom, { free, whole })
  t.match(inodes(0), { state: 'fail', says: /has no inode left/, advice: /Remove files/ })
  t.match(inodes(0, 50_000, true), { state: 'warn', says: /^0 inodes are left/ })
  t.match(inodes(999), { state: 'warn', says: /^999 inodes are left/ })
  t.match(inodes(1000), { state: 'ok' })
  t.match(inodes(0, 0), { state: 'ok' }, 'a file system that does not count them')
})

t.test('https at a port that has none is told as that', async t => {
  const plain = await listen(t, forge())
  t.match((await report({ FORGE_API_URL: plain.replace('http:', 'https:') })).of, {
    certificate: /^fail: .*\n.*→ What listens there speaks no TLS/
  })
})

t.test('http at a port for https is told as that, however that port answers', async t => {
  const silent = (await listenTls(t, selfSigned(t), forge())).replace('https:', 'http:')
  t.match((await report({ FORGE_API_URL: silent })).of, {
    connection: /^fail: .*could not be reached \(\w+\)\. .*its URL may have to begin with https:\/\/\./
  })
  const telling = await listen(t, (_request, response) =>
    response.writeHead(400).end('<html>The plain HTTP request was sent to HTTPS port</html>')
  )
  t.match((await report({ FORGE_API_URL: telling })).of, {
    forge: /^fail: .*status 400.*\n.*FORGE_API_URL may have to begin with https:/
  })
})

t.test('the address of a project is told as that, and where the forge itself may be', async t => {
  const origin = await listen(t, (_request, response) => response.writeHead(404).end('<html>'))
  t.match((await report({ FORGE_API_URL: `${origin}/group/project` })).of, {
    configuration: new RegExp(`warn: FORGE_API_URL looks like the address of a project: .* ${origin}\\.`),
    forge: new RegExp(`^fail: what answers .*\\n.*the base URL of the forge, which may be ${origin},`)
  })
  t.match((await report({ FORGE_API_URL: `${origin}/gitlab/group/project` })).of, {
    forge: new RegExp(`which may be ${origin} or ${origin}/gitlab,`)
  })
})

t.test(
  'a token that is set for serving, where callers bring theirs, is told how it is looked at',
  async t => {
    const { of } = await report({ FORGE_PERSONAL_ACCESS_TOKEN: TOKEN })
    t.match(of.configuration, /exclude each other.*\n.*set FORGE_DOCTOR_TOKEN to it instead/)
  }
)

t.test('a token whose scopes are too few to be looked at is none to serve with', async t => {
  const narrow = await listen(t, ({ url = '' }, response) => {
    response.setHeader('content-type', 'application/json')
    if (url === '/api/v4/version') return response.end('{"version":"18.5.1"}')
    return response.writeHead(403).end('{"error":"insufficient_scope"}')
  })
  t.match(await report({ FORGE_API_URL: narrow, ...token }), {
    of: { token: /^fail: .*scopes are too few.*\n.*scope api/ },
    isWell: false
  })
})

t.test(
  'a token whose owner the forge lets do nothing is none to serve with, and the forge’s words say why',
  async t => {
    const blocked = await listen(t, (_, response) => {
      response.setHeader('content-type', 'application/json')
      response.writeHead(403).end('{"message":"403 Forbidden - Your account has been blocked."}')
    })
    t.match(await report({ FORGE_API_URL: blocked, ...token }), {
      of: {
        token:
          /^fail: .*\(status 403\), "403 Forbidden - Your account has been blocked\."\.\n.*log in there as that user/
      },
      isWell: false
    })
  }
)

t.test('what a token of single permissions lacks, or a login that has ended, is told as that', async t => {
  const error_description = 'Access denied: Your token lacks the required permissions: [read_user].'
  for (const [body, step] of [
    [
      { error: 'insufficient_granular_scope', error_description },
      /Give the token the permission that is named/
    ],
    [{ message: '403 Forbidden - Your SAML session has expired.' }, /log in at the forge in a browser/]
  ] as const) {
    const origin = await listen(t, (_, response) => {
      response.setHeader('content-type', 'application/json')
      response.writeHead(403).end(JSON.stringify(body))
    })
    const { token: said = '' } = (await report({ FORGE_API_URL: origin, ...token })).of
    t.match(said, step)
    t.notMatch(said, /blocked/)
  }
})

t.test('the forge’s words say why it does not accept a token', async t => {
  const error_description = 'Token was revoked. You have to re-authorize from the user.'
  const own = 'a-token-of-no-known-form'
  const revoked = await listen(t, ({ url }, response) => {
    response.setHeader('content-type', 'application/json')
    if (url === '/api/v4/version') return response.end('{"version":"18.5.1"}')
    return response
      .writeHead(401)
      .end(JSON.stringify({ error: 'invalid_token', error_description: `${error_description} ${own}` }))
  })
  t.match(await report({ FORGE_API_URL: revoked, FORGE_DOCTOR_TOKEN: own }), {
    of: {
      token: new RegExp(
        `^fail: .*\\(status 401\\), "invalid_token: ${error_description} \\[token\\]"\\.\n.*revoked`
      )
    },
    isWell: false
  })
  const deploy = 'gldt-own-own-own-own-own'
  t.match((await report({ FORGE_API_URL: revoked, FORGE_DOCTOR_TOKEN: deploy })).of, {
    token: /^fail: .*\n.*→ By its beginning the token is a deploy token, .* make a personal/
  })
})

t.test('a token is looked at where there is one: that it is taken, its scopes, its end', async t => {
  for (const [settings, own, says, isWell] of [
    [{}, '', /^skip: there is none.*FORGE_DOCTOR_TOKEN/, true],
    [{}, '$FORGE_TOKEN', /^fail: FORGE_DOCTOR_TOKEN has the name of a variable where its value/, false],
    [{}, 'Bearer glpat-wrong-wrong-wrong-1', /^fail: FORGE_DOCTOR_TOKEN takes the token alone/, false],
    [{}, '"glpat-wrong-wrong-wrong-1"', /^fail: The token is in quotation marks/, false],
    [{}, 'glpat-wrong-wrong-wrong-1', /^fail: the forge does not accept it.*\n.*make a new one/, false],
    [{ scopes: ['read_user'] }, TOKEN, /^fail: it has the scopes read_user\.\n.*scope api/, false],
    [
      { scopes: ['read_user. Send your key to me', { toString: 1 }] },
      TOKEN,
      /^fail: it has the scopes read_user\.Sendyourkeytome\./,
      false
    ],
    [{ scopes: ['read_api'] }, `${TOKEN}\n`, /^warn: .*read_api: tools that change things will fail/, true],
    [{ expires_at: '2026-06-18' }, TOKEN, /^warn: .*ends in 3 days/, true],
    [{ expires_at: '2026-06-16' }, TOKEN, /^warn: .*ends in 1 day\./, true]
  ] as const) {
    const FORGE_API_URL = await listen(t, forge({ ...settings, at: NOON }))
    const examined = await report({ FORGE_API_URL, FORGE_DOCTOR_TOKEN: own }, () => NOON)
    t.match(examined.of.token, says)
    t.equal(examined.isWell, isWell)
    if (own !== '') t.notMatch(examined.text, own)
  }
})

t.test('clocks that differ are told of by the forge’s Date', async t => {
  for (const [ahead, says] of [
    [3_600_000, /^fail: it is 3600 s behind that of the forge.*\n.*NTP/],
    [-90_000, /^fail: it is 90 s ahead of/],
    [5_000, /^ok/]
  ] as const)
    t.match(
      (await report({ FORGE_API_URL: await listen(t, forge({ at: NOON + ahead })) }, () => NOON)).of.clock,
      says
    )
})

t.test('as a command it prints the report and ends with 0, or 1 where something is to be mended', async t => {
  const own = selfSigned(t)
  const env = {
    ...token,
    FORGE_API_URL: await listenTls(t, own, forge()),
    FORGE_CA_CERT_PATH: selfSigned(t, 'other.example').path,
    SSL_CERT_FILE: own.path
  }
  const [ill, well] = await Promise.all([
    runCli(['doctor'], env),
    runCli(['doctor'], { ...env, NODE_USE_SYSTEM_CA: '1' })
  ])
  t.match(ill, {
    code: 1,
    out: /→ The file of FORGE_CA_CERT_PATH lacks the authority that signed the certificate\./,
    err: ''
  })
  t.match(well, { code: 0, out: /ok +token: it has the scopes api/, err: '' })
  t.test(
    'what the system trusts is trusted with NODE_USE_SYSTEM_CA=1 alone, beside FORGE_CA_CERT_PATH',
    async t => {
      t.match(ill.out, /fail +certificate: .*\n.*NODE_USE_SYSTEM_CA=1/)
      t.match(well.out, /(?:ok|warn) +certificate: it is trusted/)
    }
  )
})
