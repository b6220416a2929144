import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { refusalSampling } from '../../../src/log/sampled-lines.ts'
import { loginLimits } from '../../../src/oauth/rules/limits.ts'
import { principalOf } from '../../../src/session/credential.ts'
import { startForge } from '../../forge/index.ts'
import { captureLog } from '../../support/log.ts'
import { authorizeUrl, CLIENT_REDIRECT, oauthSettings, onward, pkce, ticketOf } from '../../support/oauth.ts'
import { secretOf } from '../../support/sealing.ts'
import { call, initialize, post, request, testServer } from '../../support/server.ts'

// What expires is waited for.
t.jobs = 2

const stateless = { OAUTH_STATELESS_MODE: 'true', OAUTH_STATELESS_SECRET: secretOf('routes') }
const modes = { 'in memory': {}, stateless: stateless } as const
const form = { 'content-type': 'application/x-www-form-urlencoded' }

async function start(t: Test, extra: Record<string, string> = {}) {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  return { forge, server: await testServer(t, oauthSettings(forge, extra)) }
}

const ask = (server: FastifyInstance, url: string, headers: Record<string, string> = {}) =>
  server.inject({ url, headers: { host: 'localhost', ...headers } })

const sendForm = (
  server: FastifyInstance,
  url: string,
  fields: Record<string, string> | string,
  headers = {}
) =>
  server.inject({
    method: 'POST',
    url,
    headers: { host: 'localhost', ...form, ...headers },
    payload: new URLSearchParams(fields).toString()
  })

const register = async (server: FastifyInstance, metadata: object = {}): Promise<string> => {
  const body = { redirect_uris: [CLIENT_REDIRECT], client_name: 'Test', ...metadata }
  return (await server.inject({ method: 'POST', url: '/register', payload: body })).json().client_id
}

const begin = (server: FastifyInstance, parameters: Record<string, string>, headers = {}) =>
  ask(server, authorizeUrl('', { code_challenge: pkce().challenge, ...parameters }), headers)

/** From registration to a code of ours. */
async function reachCode(server: FastifyInstance, client?: string) {
  const client_id = client ?? (await register(server))
  const { verifier, challenge } = pkce()
  const { headers } = await begin(server, { client_id, code_challenge: challenge, state: 'mine' })
  const back = (await fetch(headers.location!, { redirect: 'manual' })).headers.get('location')!
  const answer = await ask(server, back.replace(/^https?:\/\/[^/]+/, ''))
  const code = new URL(answer.headers.location!).searchParams.get('code')!
  return {
    code,
    grant: {
      grant_type: 'authorization_code',
      client_id,
      redirect_uri: CLIENT_REDIRECT,
      code,
      code_verifier: verifier
    }
  }
}

const parametersOf = (location: string | undefined) => Object.fromEntries(new URL(location!).searchParams)

for (const [name, extra] of Object.entries(modes)) {
  t.test(`${name}: /authorize`, async t => {
    const { server, forge } = await start(t, extra)
    const client_id = await register(server)

    t.test('sends the browser to the forge with PKCE and a state of our own', async t => {
      const { challenge } = pkce()
      const response = await begin(server, {
        client_id,
        code_challenge: challenge,
        state: 'mine',
        scope: 'api openid'
      })
      t.equal(response.statusCode, 302)
      t.equal(response.headers['cache-control'], 'no-store')
      const sent = parametersOf(response.headers.location)
      t.match(response.headers.location, `${forge.url}/oauth/authorize?`)
      t.match(sent, { client_id: forge.state.oauth.appId, redirect_uri: /\/callback$/, scope: 'api' })
      t.not(sent.state, 'mine')
      t.not(sent.code_challenge, challenge, 'the client’s verifier never redeems at the forge')
      t.equal(response.headers['set-cookie'], undefined, 'no cookie without consent')
    })

    t.test('tells the person, not the redirect, when client and redirect do not belong together', async t => {
      const lookAlikes = [
        'http://127.0.0.1:4711/callback/',
        'http://127.0.0.1:4711@evil.example/callback',
        'http://user@127.0.0.1:4711/callback',
        'http://127.0.0.1.evil.example:4711/callback',
        'http://localhost:4711/callback',
        'https://127.0.0.1:4711/callback',
        'http://127.0.0.1:4711/callback#x',
        'http://127.0.0.1:4711/callback?x',
        'javascript:alert(1)'
      ]
      for (const redirect_uri of lookAlikes) {
        const response = await begin(server, { client_id, redirect_uri })
        t.equal(response.statusCode, 400, redirect_uri)
        t.equal(response.headers.location, undefined)
        t.match(response.json(), {
          error: 'invalid_request',
          error_description: /^Unregistered redirect_uri: use exactly what was registered/
        })
      }
      t.equal(
        (await begin(server, { client_id, redirect_uri: 'http://127.0.0.1:99/callback' })).statusCode,
        302,
        'another port'
      )
      const unknown = await begin(server, { client_id: '6f1e7c9e-0000-4000-8000-000000000000' })
      t.equal(unknown.statusCode, 400)
      t.match(unknown.json(), {
        error: 'invalid_request',
        error_description:
          /^Unregistered redirect_uri: the client_id is not known here\. .* remove the saved login of this server, or .*; then connect again\. \(request [\w-]+\)$/
      })
      t.match((await ask(server, '/authorize')).json(), { error_description: 'client_id is missing.' })
      t.match((await ask(server, authorizeUrl('', { client_id }).concat('&redirect_uri=x'))).json(), {
        error_description: /more than once/
      })
    })

    t.test('tells a challenge that is none from one that is missing', async t => {
      for (const code_challenge of ['short', `${pkce().challenge}=`])
        t.match(parametersOf((await begin(server, { client_id, code_challenge })).headers.location), {
          error_description: /^code_challenge must be .* 43 characters, without padding\. \(request [\w-]+\)$/
        })
    })

    t.test('answers everything else by redirect, with state and issuer', async t => {
      for (const [parameters, error] of [
        [{ response_type: 'token' }, 'unsupported_response_type'],
        [{ response_mode: 'fragment' }, 'invalid_request'],
        [{ code_challenge: '' }, 'invalid_request'],
        [{ code_challenge: 'short' }, 'invalid_request'],
        [{ code_challenge_method: 'plain' }, 'invalid_request'],
        [{ code_challenge_method: '' }, 'invalid_request'],
        [{ scope: 'sudo' }, 'invalid_scope'],
        [{ resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
        [{ state: 's'.repeat(1025) }, 'invalid_request']
      ] as const) {
        const response = await begin(server, { client_id, state: 'mine', ...parameters })
        t.equal(response.statusCode, 302)
        t.match(response.headers.location, `${CLIENT_REDIRECT}?`)
        t.match(parametersOf(response.headers.location), {
          error,
          iss: 'http://127.0.0.1:3000',
          state: 'state' in parameters ? parameters.state : 'mine'
        })
      }
    })

    t.test('tells who takes it for another service which one it is', async t => {
      const resource = 'http://localhost:3000/mcp'
      const { headers } = await begin(server, { client_id, resource })
      t.match(parametersOf(headers.location), {
        error_description: 'resource names another service: this one is http://127.0.0.1:3000/mcp.'
      })
    })

    t.test('is served at its own path alone, which the form of its page leads on from', async t => {
      const { search } = new URL(authorizeUrl('http://x', { client_id, code_challenge: pkce().challenge }))
      t.equal((await ask(server, `/authorize${search}`)).statusCode, 302)
      const response = await ask(server, `/authorize/${search}`)
      t.match([response.statusCode, response.json()], [404, { message: /^Nothing is here/ }])
    })

    t.test('gives a person with a browser a page', async t => {
      const response = await ask(server, '/authorize?client_id=x', { accept: 'text/html,*/*' })
      t.equal(response.statusCode, 400)
      t.match(response.headers['content-type'], /text\/html/)
      t.match(response.headers['content-security-policy'], /frame-ancestors 'none'/)
      t.match(response.body, 'Unregistered redirect_uri')
    })
  })

  t.test(`${name}: /callback`, async t => {
    const { server, forge } = await start(t, extra)
    const client_id = await register(server)
    const state = async () =>
      parametersOf((await begin(server, { client_id, state: 'mine' })).headers.location).state!
    const back = (parameters: Record<string, string>) =>
      ask(server, `/callback?${new URLSearchParams(parameters)}`)

    t.test('tells the person when the state is none', async t => {
      for (const bad of ['x', 'v1.ps.x', client_id, `${await state()}x`]) {
        const response = await back({ state: bad, code: 'c' })
        t.equal(response.statusCode, 400)
        t.match(response.json(), { error_description: /^Unknown or expired state parameter/ })
      }
      for (const parameters of [{}, { code: 'c' }, { state: await state() }])
        t.match((await back(parameters as Record<string, string>)).json(), {
          error_description:
            /^Missing code or state parameter: start the login again from the application\. \(request [\w-]+\)$/
        })
      t.match((await ask(server, `/callback?state=a&state=b&code=c`)).json(), {
        error_description: /more than once/
      })
    })

    t.test('brings the forge’s refusal to the client without its words', async t => {
      for (const [sent, error] of [
        ['access_denied', 'access_denied'],
        ['invalid_scope', 'invalid_scope'],
        ['temporarily_unavailable', 'temporarily_unavailable'],
        ['<script>', 'server_error']
      ] as const) {
        const response = await back({
          state: await state(),
          error: sent,
          error_description: 'words-of-the-forge'
        })
        t.match(parametersOf(response.headers.location), {
          error,
          state: 'mine',
          iss: 'http://127.0.0.1:3000'
        })
        t.notMatch(response.headers.location, 'words-of-the-forge')
      }
    })

    t.test('brings a failing forge to the client as an error', async t => {
      for (const [fault, error] of [
        [{ status: 500 }, 'temporarily_unavailable'],
        [{ hangUp: true }, 'temporarily_unavailable'],
        [{ status: 401, body: { error: 'invalid_client' } }, 'server_error'],
        [{ status: 200, body: '<html>', headers: { 'content-type': 'text/html' } }, 'server_error']
      ] as const) {
        forge.state.faults.push({ match: /oauth\/token/, times: 1, ...fault })
        const response = await back({ state: await state(), code: 'c' })
        t.match(parametersOf(response.headers.location), { error, state: 'mine' })
      }
      const made = await back({ state: await state(), code: 'made-up' })
      t.match(parametersOf(made.headers.location), {
        error: 'access_denied',
        error_description: /^The forge did not accept the code/
      })
    })

    t.test('is not used up by whoever only looks at the link', async t => {
      const response = await server.inject({ method: 'HEAD', url: '/callback?state=a&code=b' })
      t.equal(response.statusCode, 405)
    })
  })

  t.test(`${name}: /token`, async t => {
    const { server, forge } = await start(t, extra)
    const attempt = async (change: Record<string, string>) => {
      const { grant } = await reachCode(server)
      return sendForm(server, '/token', { ...grant, ...change })
    }

    t.test('gives tokens for a code, once, and says not to keep them', async t => {
      const { grant } = await reachCode(server)
      const response = await sendForm(server, '/token', { ...grant, resource: 'http://127.0.0.1:3000/mcp' })
      t.equal(response.statusCode, 200)
      t.match(response.headers, { 'cache-control': 'no-store', pragma: 'no-cache' })
      t.equal(response.headers['access-control-allow-origin'], '*')
      t.match(response.json(), {
        token_type: 'Bearer',
        scope: 'api',
        access_token: /^\w{64}$/,
        refresh_token: name === 'in memory' ? /^\w{64}$/ : /^v1\.rt\./
      })
      t.ok(response.json().expires_in <= 7200 && response.json().expires_in > 7190)
      const again = await sendForm(server, '/token', grant)
      t.equal(again.statusCode, 400)
      t.match(again.json(), { error: 'invalid_grant' })
    })

    t.test('refuses a code of another client, redirect or verifier, and leaves it to its owner', async t => {
      const { grant } = await reachCode(server)
      for (const change of [
        { client_id: await register(server) },
        { redirect_uri: 'http://127.0.0.1:4712/callback' },
        { redirect_uri: `${CLIENT_REDIRECT}/` },
        { code_verifier: pkce().verifier },
        { code: `${grant.code}x` },
        { code: grant.client_id }
      ]) {
        const response = await sendForm(server, '/token', { ...grant, ...change })
        t.equal(response.statusCode, 400, JSON.stringify(Object.keys(change)))
        t.match(response.json(), { error: 'invalid_grant' })
      }
      t.equal((await sendForm(server, '/token', grant)).statusCode, 200)
    })

    t.test('gives tokens to a client of OAuth 2.1, which sends no redirect_uri here', async t => {
      const { redirect_uri: _, ...grant } = (await reachCode(server)).grant
      t.equal((await sendForm(server, '/token', grant)).statusCode, 200)
    })

    t.test('answers what is not a grant in the terms of RFC 6749', async t => {
      for (const [change, status, error] of [
        [{ client_id: 'unknown' }, 401, 'invalid_client'],
        [{ code_verifier: '' }, 400, 'invalid_request'],
        [{ code_verifier: 'short' }, 400, 'invalid_request'],
        [{ client_id: '' }, 400, 'invalid_request'],
        [{ code: '' }, 400, 'invalid_request'],
        [{ grant_type: '' }, 400, 'invalid_request'],
        [{ grant_type: 'password' }, 400, 'unsupported_grant_type'],
        [{ resource: 'https://elsewhere.example' }, 400, 'invalid_target']
      ] as const) {
        const response = await attempt(change)
        t.match([response.statusCode, response.json()], [status, { error }])
      }
      const twice = await sendForm(server, '/token', 'code=a&code=b')
      t.match([twice.statusCode, twice.json()], [400, { error: 'invalid_request' }])
      t.equal((await ask(server, '/token')).statusCode, 405, 'nothing is answered to a query')
    })

    t.test('refreshes, and tells a dead refresh token from a dead forge', async t => {
      const { grant } = await reachCode(server)
      const first = (await sendForm(server, '/token', grant)).json()
      const refresh = {
        grant_type: 'refresh_token',
        client_id: grant.client_id,
        refresh_token: first.refresh_token
      }
      forge.state.faults.push({ match: /oauth\/token/, times: 1, status: 502 })
      const down = await sendForm(server, '/token', refresh)
      t.match([down.statusCode, down.json()], [503, { error: 'temporarily_unavailable' }])
      t.equal(down.headers['retry-after'], '5')
      const throttled = { match: /oauth\/token/, times: 1, status: 429, headers: { 'retry-after': '600' } }
      forge.state.faults.push(throttled)
      const later = await sendForm(server, '/token', refresh)
      t.match([later.statusCode, later.headers['retry-after']], [503, '600'], 'as the forge says')
      forge.state.faults.push({ ...throttled, times: 9, headers: { 'retry-after': '0' } })
      const soon = await sendForm(server, '/token', refresh)
      forge.state.faults.length = 0
      t.match([soon.statusCode, soon.headers['retry-after']], [503, '5'], 'a wait that is over is none')
      const second = await sendForm(server, '/token', { ...refresh, scope: 'api' })
      t.equal(second.statusCode, 200)
      t.not(second.json().access_token, first.access_token)
      const dead = await sendForm(server, '/token', refresh)
      t.match([dead.statusCode, dead.json()], [400, { error: 'invalid_grant' }])
      t.match((await sendForm(server, '/token', { ...refresh, scope: 'sudo' })).json(), {
        error: 'invalid_scope'
      })
      t.match((await sendForm(server, '/token', { ...refresh, refresh_token: '' })).json(), {
        error: 'invalid_request'
      })
    })

    t.test('refreshes with less than a login has, and refuses more', async t => {
      const server = await testServer(
        t,
        oauthSettings(forge, { ...extra, FORGE_OAUTH_SCOPES: 'api read_api' })
      )
      const { grant } = await reachCode(server)
      const renew = async (refresh_token: string, scope: string) => {
        const fields = { grant_type: 'refresh_token', client_id: grant.client_id, refresh_token, scope }
        const { statusCode, json } = await sendForm(server, '/token', fields)
        return { status: statusCode, ...json() }
      }
      const { refresh_token } = (await sendForm(server, '/token', grant)).json()
      const less = await renew(refresh_token, 'read_api')
      t.match(less, { status: 200, scope: 'read_api' })
      t.match(await renew(less.refresh_token, 'api'), { status: 400, error: 'invalid_scope' })
      t.match(await renew(less.refresh_token, 'read_api'), { status: 200 }, 'which ends nothing')
    })

    t.test('refreshes also where the address has used up what else it may ask', async t => {
      const server = await testServer(t, oauthSettings(forge, extra))
      const { grant } = await reachCode(server)
      const { refresh_token } = (await sendForm(server, '/token', grant)).json()
      const refresh = { grant_type: 'refresh_token', client_id: grant.client_id, refresh_token }
      const made = { ...refresh, refresh_token: 'r'.repeat(64) }
      for (let sent = 1; sent < 300; sent++) await sendForm(server, '/token', made)
      t.equal((await sendForm(server, '/token', made)).statusCode, 429)
      t.equal((await sendForm(server, '/token', { ...refresh, client_id: 'other' })).statusCode, 429)
      const code = { ...refresh, grant_type: 'authorization_code' }
      t.equal((await sendForm(server, '/token', code)).statusCode, 429, 'whatever a code comes with')
      t.equal((await sendForm(server, '/token', refresh)).statusCode, 200)
    })

    t.test('refreshes also where somebody at the address has renewed a login on and on', async t => {
      const server = await testServer(t, oauthSettings(forge, extra))
      const client_id = await register(server)
      const logIn = async () => {
        const { grant } = await reachCode(server, client_id)
        return (await sendForm(server, '/token', grant)).json().refresh_token as string
      }
      const renew = (refresh_token: string) =>
        sendForm(server, '/token', { grant_type: 'refresh_token', client_id, refresh_token })
      const [first, other] = [await logIn(), await logIn()]
      const next = (await renew(first)).json().refresh_token
      for (let sent = 1; sent < loginLimits.renewals; sent++) await renew(sent % 2 ? first : next)
      t.equal((await renew(first)).statusCode, 429)
      t.equal((await renew(next)).statusCode, 429, 'those that it was given in between are of that login')
      t.equal((await renew(other)).statusCode, 200)
    })

    t.test('refuses forms that are longer than any is', async t => {
      const long = { grant_type: 'refresh_token', client_id: 'c', refresh_token: 'r'.repeat(17_000) }
      for (const url of ['/token', '/revoke']) {
        const response = await sendForm(server, url, long)
        t.match([response.statusCode, response.json()], [413, { error: 'invalid_request' }])
      }
    })

    t.test('refreshes and revokes for the client alone that the refresh token was given to', async t => {
      const { grant } = await reachCode(server)
      const { refresh_token: token } = (await sendForm(server, '/token', grant)).json()
      const refresh = { grant_type: 'refresh_token', refresh_token: token }
      const client_id = await register(server)
      const asked = forge.requests.length
      const other = await sendForm(server, '/token', { ...refresh, client_id })
      t.match([other.statusCode, other.json()], [400, { error: 'invalid_grant' }])
      const revoked = await sendForm(server, '/revoke', { token, client_id })
      t.match([revoked.statusCode, revoked.json()], [400, { error: 'invalid_grant' }])
      const made = await sendForm(server, '/token', { ...refresh, refresh_token: 'r'.repeat(64), client_id })
      t.match([made.statusCode, made.json()], [400, { error: 'invalid_grant' }])
      t.equal(forge.requests.length, asked, 'the forge is not asked')
      const own = await sendForm(server, '/token', { ...refresh, client_id: grant.client_id })
      t.equal(own.statusCode, 200, 'its owner has it still')
      const fields = { token: own.json().refresh_token, client_id: grant.client_id }
      t.equal((await sendForm(server, '/revoke', fields)).statusCode, 200)
      const dead = { ...refresh, refresh_token: fields.token, client_id: grant.client_id }
      t.match((await sendForm(server, '/token', dead)).json(), { error: 'invalid_grant' })
    })

    t.test('revokes, and what is revoked opens nothing any more', async t => {
      const { grant } = await reachCode(server)
      const { access_token: token } = (await sendForm(server, '/token', grant)).json()
      const use = () =>
        post(server, { token: '', headers: { authorization: `Bearer ${token}` }, body: request('ping') })
      t.equal((await use()).statusCode, 200)
      const fields = { client_id: grant.client_id, token }
      t.match((await sendForm(server, '/revoke', { ...fields, client_id: 'x' })).json(), {
        error: 'invalid_client'
      })
      const revoked = await sendForm(server, '/revoke', fields)
      t.same([revoked.statusCode, revoked.json()], [200, {}])
      t.equal((await use()).statusCode, 401)
      t.equal((await sendForm(server, '/revoke', fields)).statusCode, 200, 'revoking twice is no error')
      t.equal((await sendForm(server, '/revoke', { client_id: grant.client_id })).statusCode, 400)
    })
  })
}

t.test('in memory: a login counts for its user from its first call on', async t => {
  const { server } = await start(t)
  const { grant } = await reachCode(server)
  const { access_token, refresh_token } = (await sendForm(server, '/token', grant)).json()
  const userOf = () => server.oauth!.proxy.storage.peekRefresh(refresh_token)?.user
  t.equal(userOf(), undefined)
  await post(server, {
    token: '',
    headers: { authorization: `Bearer ${access_token}` },
    body: request('ping')
  })
  t.match(userOf(), /^\d+$/)
})

t.test('stateless: any replica goes on where another stopped', async t => {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  const settings = oauthSettings(forge, stateless)
  const [a, b, c] = [
    await testServer(t, settings),
    await testServer(t, settings),
    await testServer(t, settings)
  ]
  const client_id = await register(a)
  const { verifier, challenge } = pkce()
  const { headers } = await begin(b, { client_id, code_challenge: challenge })
  const back = new URL((await fetch(headers.location!, { redirect: 'manual' })).headers.get('location')!)
  const answer = await ask(c, back.pathname + back.search)
  const { code } = parametersOf(answer.headers.location) as { code: string }
  const grant = { grant_type: 'authorization_code', client_id, redirect_uri: CLIENT_REDIRECT, code }
  const tokens = await sendForm(a, '/token', { ...grant, code_verifier: verifier })
  const authorization = `Bearer ${tokens.json().access_token}`
  const begun = await post(b, { token: '', headers: { authorization }, body: initialize() })
  const sid = begun.headers['mcp-session-id'] as string
  const used = await post(c, {
    token: '',
    headers: { 'mcp-session-id': sid },
    body: call('get_branch', { project_id: 'acme/rocket', branch_name: 'main' })
  })
  t.match(used.json(), { result: { content: [{ text: /"name":"main"/ }] } })

  const broken = client_id.replace(/.(?=.{8}$)/, character => (character === 'A' ? 'B' : 'A'))
  const expired = await begin(a, { client_id: broken })
  t.match(
    [expired.statusCode, expired.json()],
    [400, { error: 'invalid_client', error_description: /remove the saved login of this server/ }],
    'a broken id of ours'
  )
  const stranger = await testServer(t, { ...settings, OAUTH_STATELESS_SECRET: secretOf('stranger') })
  t.equal((await begin(stranger, { client_id })).statusCode, 400)
})

t.test(
  'stateless: a login that goes well, and its end, leave no line of a value that was refused',
  async t => {
    const forge = await startForge({ sample: true })
    t.teardown(() => forge.close())
    const log = captureLog()
    const settings = oauthSettings(forge, { ...stateless, LOG_LEVEL: 'info' })
    const server = await testServer(t, settings, log.stream)
    const { grant } = await reachCode(server)
    const { access_token: token } = (await sendForm(server, '/token', grant)).json()
    const { client_id } = grant
    t.match(await sendForm(server, '/revoke', { client_id, token }), { statusCode: 200 })
    t.equal(log.lines('login step').length, 5)
    t.same(log.lines('sealed value refused'), [])
  }
)

t.test(
  'stateless: to revoke a refresh token of ours that does not open is no error, nor a request',
  async t => {
    const forge = await startForge({ sample: true })
    t.teardown(() => forge.close())
    const settings = oauthSettings(forge, stateless)
    const server = await testServer(t, settings)
    const stranger = await testServer(t, { ...settings, OAUTH_STATELESS_SECRET: secretOf('stranger') })
    const { grant } = await reachCode(stranger)
    const { refresh_token: token } = (await sendForm(stranger, '/token', grant)).json()
    const client_id = await register(server)
    const asked = forge.requests.length
    const revoked = await sendForm(server, '/revoke', { token, client_id })
    t.same([revoked.statusCode, revoked.json()], [200, {}])
    t.equal(forge.requests.length, asked)
  }
)

t.test('stateless: an old client id counts when its client gets tokens, not whenever it is sent', async t => {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  const settings = oauthSettings(forge, stateless)
  const client_id = await register(await testServer(t, settings))
  const server = await testServer(t, {
    ...settings,
    OAUTH_STATELESS_SECRET: secretOf('next'),
    OAUTH_STATELESS_SECRET_PREVIOUS: stateless.OAUTH_STATELESS_SECRET
  })
  const counted = async () => {
    const { body } = await server.inject('/metrics?format=prometheus')
    return /previous_secret_uses_total\{purpose="cid"\} (\d+)/.exec(body)?.[1]
  }
  const { grant } = await reachCode(server, client_id)
  t.equal((await sendForm(server, '/token', { ...grant, code: 'none' })).statusCode, 400)
  t.equal((await sendForm(server, '/revoke', { client_id, token: 't'.repeat(64) })).statusCode, 200)
  t.equal(await counted(), '0')
  t.equal((await sendForm(server, '/token', grant)).statusCode, 200)
  t.equal(await counted(), '1')
})

t.test('stateless: a state that does not open leaves one line, though it is looked at twice', async t => {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  const log = captureLog()
  const server = await testServer(t, oauthSettings(forge, { ...stateless, LOG_LEVEL: 'info' }), log.stream)
  t.equal((await ask(server, '/callback?state=v1.ps.AAAA&code=c')).statusCode, 400)
  t.equal(log.lines('sealed value refused').length, 1)
})

t.test('stateless: what another key has made is counted, so that replicas with two of them show', async t => {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  const [one, other] = await Promise.all(
    ['one', 'other'].map(key =>
      testServer(t, oauthSettings(forge, { ...stateless, OAUTH_STATELESS_SECRET: secretOf(key) }))
    )
  )
  const { client_id } = (await reachCode(one!)).grant
  t.equal((await ask(other!, `/authorize?client_id=${client_id}`)).statusCode, 400)
  const { body } = await other!.inject('/metrics?format=prometheus')
  t.match(body, 'forge_mcp_sealed_values_refused_total{purpose="cid",reason="key"} 1')
  t.match(body, /forge_mcp_http_request_duration_seconds_count\{[^}]*route="\/authorize"/)
})

t.test('stateless: a refresh token that does not open leaves one line, too', async t => {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  const log = captureLog()
  const server = await testServer(t, oauthSettings(forge, { ...stateless, LOG_LEVEL: 'info' }), log.stream)
  const { client_id } = (await reachCode(server)).grant
  const form = { grant_type: 'refresh_token', client_id, refresh_token: 'v1.rt.AAAA' }
  t.match((await sendForm(server, '/token', form)).json(), { error: 'invalid_grant' })
  t.equal(log.lines('sealed value refused').length, 1)
})

t.test('stateless: a login that began without consent ends nowhere with it', async t => {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  const settings = oauthSettings(forge, stateless)
  const before = await testServer(t, settings)
  const after = await testServer(t, { ...settings, FORGE_OAUTH_CONSENT: 'true' })
  const { headers } = await begin(before, { client_id: await register(before) })
  const back = new URL((await fetch(headers.location!, { redirect: 'manual' })).headers.get('location')!)
  const refused = await ask(after, back.pathname + back.search)
  t.match([refused.statusCode, refused.json()], [400, { error_description: /^Unknown or expired state/ }])
  t.equal((await ask(before, back.pathname + back.search)).statusCode, 302, 'and is left to who began it')
})

/** The most lines of one kind in a time: a busy machine takes longer than one window. */
const linesIn = (ms: number): number => refusalSampling.lines * Math.ceil(ms / refusalSampling.windowMs)

const sum = (lines: readonly Record<string, unknown>[]): number =>
  lines.reduce((total, { more }) => total + Number(more), 0)

t.test('a storm of renewals that fail at the forge is told by its first lines', async t => {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  const log = captureLog()
  const settings = oauthSettings(forge, { ...stateless, LOG_LEVEL: 'warn' })
  const server = await testServer(t, settings, log.stream)
  const { grant } = await reachCode(server)
  const { refresh_token } = (await sendForm(server, '/token', grant)).json()
  const { client_id } = grant
  const failures = refusalSampling.lines + 7
  forge.state.faults.push({
    match: /oauth\/token/,
    times: failures,
    status: 401,
    body: { error: 'invalid_client' }
  })
  const renewal = { grant_type: 'refresh_token', client_id, refresh_token }
  const started = performance.now()
  await Promise.all(Array.from({ length: failures }, () => sendForm(server, '/token', renewal)))
  const most = linesIn(performance.now() - started)
  await server.close()
  const told = log.lines('login failed at the forge').length
  t.ok(told >= refusalSampling.lines && told <= most, `${told} of ${most}`)
  const more = log.lines('more logins failed at the forge')
  t.ok(more.every(({ failure }) => failure === 'refused'))
  t.equal(told + sum(more), failures)
})

t.test(
  'a login that fails at the forge is told by the request id and the address that its caller has',
  async t => {
    const forge = await startForge({ sample: true })
    t.teardown(() => forge.close())
    const log = captureLog()
    const server = await testServer(t, oauthSettings(forge, { LOG_LEVEL: 'info' }), log.stream)
    const { grant } = await reachCode(server)
    const { refresh_token, access_token } = (await sendForm(server, '/token', grant)).json()
    const { client_id } = grant
    forge.state.faults.push({ match: /oauth\/(token|revoke)/, times: 3, status: 500 })
    const { headers } = await begin(server, { client_id })
    const back = (await fetch(headers.location!, { redirect: 'manual' })).headers.get('location')!
    const failed = [
      await ask(server, back.replace(/^https?:\/\/[^/]+/, '')),
      await sendForm(server, '/token', { grant_type: 'refresh_token', client_id, refresh_token }),
      await sendForm(server, '/revoke', { client_id, token: access_token })
    ]
    t.match(
      log.lines('login failed at the forge'),
      failed.map(answer => ({
        requestId: answer.headers['x-request-id'],
        address: '127.0.0.1',
        reason: 'the forge could not be asked: status 500'
      }))
    )
  }
)

t.test(
  'a login that the forge refuses is counted and told of, and not one that its person refuses',
  async t => {
    const forge = await startForge({ sample: true })
    t.teardown(() => forge.close())
    const log = captureLog()
    const server = await testServer(t, oauthSettings(forge, { LOG_LEVEL: 'warn' }), log.stream)
    const client_id = await register(server)
    const sentBack = async (error: string) => {
      const { headers } = await begin(server, { client_id })
      const state = new URL(headers.location!).searchParams.get('state')!
      return ask(server, `/callback?${new URLSearchParams({ state, error })}`)
    }
    const answers = []
    for (const error of [
      'access_denied',
      'invalid_scope',
      'unauthorized_client',
      '<script>',
      'temporarily_unavailable'
    ])
      answers.push(await sentBack(error))
    const ids = answers.map(answer => answer.headers['x-request-id'])
    const of = (at: number, reason: RegExp) => ({ requestId: ids[at], address: '127.0.0.1', reason })
    t.match(log.lines('login failed at the forge'), [
      of(1, /refused the login: invalid_scope\. .*FORGE_OAUTH_SCOPES/),
      of(2, /refused the login: unauthorized_client$/),
      of(3, /refused the login: no OAuth error$/),
      of(4, /could not be asked: temporarily_unavailable$/)
    ])
    const { body } = await ask(server, '/metrics?format=prometheus')
    t.match(body, 'forge_mcp_login_failures_total{reason="refused"} 3\n')
    t.match(body, 'forge_mcp_login_failures_total{reason="unasked"} 1\n')
    t.match(
      new URL(answers[1]!.headers.location!).searchParams.get('error_description'),
      /FORGE_OAUTH_SCOPES/
    )
  }
)

t.test('the lines of a login say who logged in, from where, and to which application', async t => {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  const log = captureLog()
  const server = await testServer(t, oauthSettings(forge, { LOG_LEVEL: 'info' }), log.stream)
  const { grant } = await reachCode(server)
  const first = (await sendForm(server, '/token', grant)).json()
  const { client_id } = grant
  const { refresh_token } = first
  const renewed = (
    await sendForm(server, '/token', { grant_type: 'refresh_token', client_id, refresh_token })
  ).json()
  const address = '127.0.0.1'
  const to = new URL(CLIENT_REDIRECT).host
  const principal = (token: string) => principalOf({ kind: 'bearer', token })
  t.match(log.lines('login step'), [
    { step: '/register', address, to },
    { step: '/authorize', address, to },
    { step: '/callback', address, to },
    { step: '/token', address, to, grant: 'authorization_code', principal: principal(first.access_token) },
    { step: '/token', address, grant: 'refresh_token', principal: principal(renewed.access_token) }
  ])
  const [begun, again] = log.lines('login step').filter(({ step }) => step === '/token')
  t.match(begun, { login: /^[\w-]{16}$/, client: 'Test' })
  t.match(again, { login: begun!.login, client: 'Test' }, 'which is the same login')
})

t.test('whoever is told that a login does not work is told the id of the request, too', async t => {
  const { server } = await start(t)
  const requestId = 'asked-here'
  const headers = { 'x-request-id': requestId }
  const client_id = await register(server)
  const toClient = await begin(server, { client_id, scope: 'sudo' }, headers)
  const html = { accept: 'text/html', ...headers }
  t.match(
    [
      parametersOf(toClient.headers.location).error_description,
      (await sendForm(server, '/token', { client_id }, headers)).json().error_description,
      (await ask(server, '/authorize', html)).body
    ],
    Array(3).fill(/\. \(request asked-here\)/)
  )
})

t.test('registrations of strangers, however many, leave a login its line', async t => {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  const log = captureLog()
  const settings = oauthSettings(forge, { LOG_LEVEL: 'info', OAUTH_REGISTER_RATE_LIMIT_PER_HOUR: '100' })
  const server = await testServer(t, settings, log.stream)
  const started = performance.now()
  const strangers = refusalSampling.lines + 7
  for (let at = 0; at < strangers; at++) await register(server)
  const { grant } = await reachCode(server)
  const most = linesIn(performance.now() - started)
  await sendForm(server, '/token', grant)
  await server.close()
  const told = log.lines('login step').filter(({ step }) => step === '/register').length
  t.ok(told >= refusalSampling.lines && told <= most, `${told} of ${most}`)
  t.equal(told + sum(log.lines('more login steps')), strangers + 1)
  t.equal(log.lines('login step').at(-1)!.step, '/token')
})

t.test('the line of a login that the forge ends has the forge’s own error', async t => {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  const log = captureLog()
  const server = await testServer(t, oauthSettings(forge, { LOG_LEVEL: 'info' }), log.stream)
  const client_id = await register(server)
  forge.state.faults.push({ match: /oauth\/token/, times: 1, status: 400, body: { error: 'invalid_grant' } })
  for (const said of ['', 'error=unauthorized_client', 'error=two%0Alines']) {
    const { headers } = await begin(server, { client_id })
    const back = new URL((await fetch(headers.location!, { redirect: 'manual' })).headers.get('location')!)
    const state = back.searchParams.get('state')!
    const query = said === '' ? back.search : `?${said}&state=${encodeURIComponent(state)}`
    await ask(server, `/callback${query}`)
  }
  t.match(
    log.lines('login step').filter(({ step }) => step === '/callback'),
    [
      { error: 'access_denied', reason: 'invalid_grant' },
      { error: 'server_error', reason: 'unauthorized_client' },
      { error: 'server_error', reason: undefined }
    ]
  )
})

t.test('in memory: what another replica began is unknown, in the documented words', async t => {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  const [a, b] = [await testServer(t, oauthSettings(forge)), await testServer(t, oauthSettings(forge))]
  const client_id = await register(a)
  t.match((await begin(b, { client_id })).json(), { error_description: /^Unregistered redirect_uri/ })
  const { state } = parametersOf((await begin(a, { client_id })).headers.location)
  t.match((await ask(b, `/callback?state=${state}&code=c`)).json(), {
    error_description: /^Unknown or expired state parameter/
  })
})

for (const [name, extra] of Object.entries(modes))
  t.test(`${name}: consent`, async t => {
    const { server, forge } = await start(t, { FORGE_OAUTH_CONSENT: 'true', ...extra })
    const client_id = await register(server, { client_name: '<b>Evil</b>' })
    const cookieOf = (set: unknown) => String(set).split(';')[0]!
    const open = async () => {
      const page = await begin(server, { client_id, state: 'mine' })
      return { page, cookie: cookieOf(page.headers['set-cookie']), ticket: ticketOf(page.body) }
    }

    t.test('is asked on a page that runs nothing and cannot be framed', async t => {
      const { page } = await open()
      t.equal(page.statusCode, 200)
      t.match(page.headers, {
        'content-type': /text\/html/,
        'cache-control': 'no-store',
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'set-cookie': /HttpOnly; SameSite=Lax/
      })
      t.match(
        page.headers['content-security-policy'],
        /default-src 'none';.*form-action 'self';frame-ancestors 'none'/
      )
      t.match(page.body, '&lt;b&gt;Evil&lt;/b&gt;')
      t.notMatch(page.body, '<b>Evil')
    })

    t.test('not given yet, nobody is sent anywhere, whatever was wrong', async t => {
      const redirect_uris = ['https://evil.example/cb', CLIENT_REDIRECT, 'com.evil.app:/cb']
      const evil = await register(server, { redirect_uris })
      for (const wrong of [{ response_type: 'token' }, { code_challenge: '' }, { scope: 'sudo' }] as Record<
        string,
        string
      >[]) {
        for (const redirect_uri of redirect_uris) {
          const page = await begin(
            server,
            { client_id: evil, redirect_uri, ...wrong },
            { accept: 'text/html' }
          )
          t.equal(page.statusCode, 400)
          t.equal(page.headers.location, undefined)
          t.match(page.body, 'The login did not work')
        }
      }
    })

    t.test('given, the login goes on, in that browser alone', async t => {
      const { cookie, ticket } = await open()
      const page = await sendForm(server, '/consent', { ticket, decision: 'allow' }, { cookie })
      t.equal(page.statusCode, 200)
      const next = onward(page.body)
      t.match(next, `${forge.url}/oauth/authorize?`)
      const back = new URL((await fetch(next, { redirect: 'manual' })).headers.get('location')!)
      const { cookie: other } = await open()
      for (const headers of [
        {},
        { cookie: other },
        { cookie: `${cookie}x` },
        { cookie: `${cookie}; ${cookie}` }
      ] as Record<string, string>[]) {
        const stolen = await ask(server, back.pathname + back.search, headers)
        t.match([stolen.statusCode, stolen.json()], [400, { error_description: /^Unknown or expired state/ }])
      }
      const answer = await ask(server, back.pathname + back.search, { cookie })
      t.match(parametersOf(answer.headers.location), { code: /./, state: 'mine' })
    })

    t.test('refused, the client is told', async t => {
      for (const decision of ['deny', '', 'ALLOW']) {
        const { cookie, ticket } = await open()
        const page = await sendForm(server, '/consent', { ticket, decision }, { cookie })
        t.match(parametersOf(onward(page.body)), { error: 'access_denied', state: 'mine', iss: /./ })
      }
    })

    t.test('cannot be given by another browser or site, nor skipped', async t => {
      const { cookie, ticket } = await open()
      const { cookie: other } = await open()
      const answers = [
        await sendForm(server, '/consent', { ticket, decision: 'allow' }),
        await sendForm(server, '/consent', { ticket, decision: 'allow' }, { cookie: other }),
        await sendForm(server, '/consent', { ticket: `${ticket}x`, decision: 'allow' }, { cookie }),
        await sendForm(server, '/consent', { decision: 'allow' }, { cookie }),
        await ask(server, `/callback?state=${ticket}&code=c`, { cookie })
      ]
      for (const answer of answers)
        t.match([answer.statusCode, answer.json()], [400, { error_description: /^Unknown or expired state/ }])
      t.equal((await ask(server, `/consent?ticket=${ticket}&decision=allow`, { cookie })).statusCode, 405)
    })

    t.test('opened again at the address that its form is sent to, says what to do as a page', async t => {
      const answer = await ask(server, '/consent', { accept: 'text/html' })
      t.equal(answer.statusCode, 405)
      t.equal(answer.headers.allow, 'POST')
      t.match(answer.headers['content-type'], /^text\/html/)
      t.match(answer.body, /start the login again/)
    })

    t.test('given on a page that was used before, says that the login may have been finished', async t => {
      const { cookie, ticket } = await open()
      const consent = () => sendForm(server, '/consent', { ticket, decision: 'allow' }, { cookie })
      const back = new URL(
        (await fetch(onward((await consent()).body), { redirect: 'manual' })).headers.get('location')!
      )
      const finish = () => ask(server, back.pathname + back.search, { cookie, accept: 'text/html' })
      t.equal((await finish()).statusCode, 302)
      // A sealed state works until it expires, so that the forge refuses its code.
      if (name === 'stateless')
        return t.match(parametersOf((await finish()).headers.location), { error: /./ })
      t.match((await consent()).json().error_description, /this login may have been finished already\. If /)
      t.match(
        (await finish()).body,
        /this login may have been finished already\. If .* start the login again/
      )
    })

    t.test('of two logins at once in one browser works for both', async t => {
      const { cookie, ticket } = await open()
      const second = await begin(server, { client_id }, { cookie })
      t.equal(cookieOf(second.headers['set-cookie']), cookie)
      for (const each of [ticketOf(second.body), ticket])
        t.match(
          onward((await sendForm(server, '/consent', { ticket: each, decision: 'allow' }, { cookie })).body),
          forge.url
        )
    })

    t.test('of two logins that begin at the same moment in a fresh browser works for both', async t => {
      const pages = [await begin(server, { client_id }), await begin(server, { client_id })]
      const kept = new Map<string, string>()
      const sets = pages.flatMap(({ headers }) => [headers['set-cookie'] ?? []].flat())
      for (const [name, value] of sets.map(set => cookieOf(set).split('='))) kept.set(name!, value!)
      // Of 64 pairs of nonces one has the same first character, and the second login's cookies replace the first's.
      if (kept.size === 2) return t.equal(kept.get('forge-oauth')![0], cookieOf(sets[0]).split('=')[1]![0])
      const cookie = [...kept].map(([name, value]) => `${name}=${value}`).join('; ')
      for (const { body } of pages) {
        const consent = { ticket: ticketOf(body), decision: 'allow' }
        const next = onward((await sendForm(server, '/consent', consent, { cookie })).body)
        const back = new URL((await fetch(next, { redirect: 'manual' })).headers.get('location')!)
        const answer = await ask(server, back.pathname + back.search, { cookie })
        t.match(parametersOf(answer.headers.location), { code: /./ })
      }
    })
  })

for (const [name, extra] of Object.entries(modes))
  t.test(
    `${name}: a step of a login tells the person of a missing cookie, and the log of another browser`,
    async t => {
      const log = captureLog()
      const forge = await startForge({ sample: true })
      t.teardown(() => forge.close())
      const settings = oauthSettings(forge, { FORGE_OAUTH_CONSENT: 'true', LOG_LEVEL: 'info', ...extra })
      const server = await testServer(t, settings, log.stream)
      const client_id = await register(server)
      const open = async () => {
        const page = await begin(server, { client_id })
        return { cookie: String(page.headers['set-cookie']).split(';')[0]!, ticket: ticketOf(page.body) }
      }
      const [own, other] = [await open(), await open()]
      const sentences: string[] = []
      for (const [ticket, headers] of [
        [own.ticket, {}],
        [own.ticket, { cookie: other.cookie }],
        ['x', { cookie: own.cookie }]
      ] as const) {
        const answer = await sendForm(server, '/consent', { ticket, decision: 'allow' }, headers)
        sentences.push(answer.json().error_description)
      }
      const unknown = /^Unknown or expired state parameter: this login may have been finished/
      t.match(sentences, [/sent no cookie of this service\. Allow/, unknown, unknown])
      t.match(
        log.lines('request refused').map(({ hint }) => hint),
        [/sent no cookie/, /belongs to another browser/, unknown]
      )
    }
  )

t.test('what is too old is unknown at each step', async t => {
  // One after the other, as each stops the clocks.
  for (const [name, extra] of Object.entries(modes))
    await t.test(name, async t => {
      const goBy = stoppedClock(t)
      const { server } = await start(t, {
        ...extra,
        OAUTH_STATELESS_CLIENT_TTL_SECONDS: '3',
        OAUTH_STATELESS_PENDING_TTL_SECONDS: '1',
        OAUTH_STATELESS_STORED_TTL_SECONDS: '1'
      })
      const { grant } = await reachCode(server)
      const { client_id } = grant
      const { state } = parametersOf((await begin(server, { client_id })).headers.location)
      goBy(1100)
      t.match((await ask(server, `/callback?state=${state}&code=c`)).json(), {
        error_description: /^Unknown or expired state parameter/
      })
      const late = await sendForm(server, '/token', grant)
      t.match([late.statusCode, late.json()], [400, { error: 'invalid_grant' }])
      goBy(2000)
      t.equal((await begin(server, { client_id })).statusCode, 400)
      const unknown = await sendForm(server, '/token', grant)
      t.match([unknown.statusCode, unknown.json()], [401, { error: 'invalid_client' }])
    })
})

/** Stops both clocks. @returns what lets so many milliseconds go by */
function stoppedClock(t: Test): (ms: number) => void {
  const [wall, elapsed] = [Date.now(), performance.now()]
  let gone = 0
  t.intercept(Date, 'now', { value: () => wall + gone })
  t.intercept(performance, 'now', { value: () => elapsed + gone })
  return ms => {
    gone += ms
  }
}
