import { createHash } from 'node:crypto'
import t from 'tap'
import { type Forge, startForge } from '../forge/index.ts'
import { sandbox } from './client.ts'

const VERIFIER = 'a-verifier-of-at-least-forty-three-characters-000'
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')
const REDIRECT = 'http://127.0.0.1:4711/callback'

const authorize = async (forge: Forge, parts: Record<string, string> = {}) => {
  const query = new URLSearchParams({
    client_id: forge.state.oauth.appId,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'api',
    state: 'xyz',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...parts
  })
  const response = await fetch(`${forge.url}/oauth/authorize?${query}`, { redirect: 'manual' })
  const location = response.headers.get('location')
  return { status: response.status, answer: new URL(location ?? REDIRECT).searchParams }
}

const post = async (forge: Forge, path: string, form: Record<string, string>) => {
  const response = await fetch(`${forge.url}/oauth/${path}`, {
    method: 'POST',
    body: new URLSearchParams(form)
  })
  return { status: response.status, data: (await response.json()) as Record<string, string> }
}

const redeem = (forge: Forge, code: string, parts: Record<string, string> = {}) =>
  post(forge, 'token', {
    grant_type: 'authorization_code',
    client_id: forge.state.oauth.appId,
    redirect_uri: REDIRECT,
    code_verifier: VERIFIER,
    code,
    ...parts
  })

const info = async (forge: Forge, token: string) => {
  const response = await fetch(`${forge.url}/oauth/token/info`, {
    headers: { authorization: `Bearer ${token}` }
  })
  return { status: response.status, data: await response.json() }
}

t.test('a code becomes tokens once, and the access token opens the API as a bearer', async t => {
  let now = Date.parse('2026-11-20T12:00:00Z')
  const forge = await startForge({ now: () => now, sample: true })
  t.teardown(() => forge.close())
  const { status, answer } = await authorize(forge)
  t.strictSame([status, answer.get('state')], [302, 'xyz'])
  const code = answer.get('code')!
  const { data: tokens } = await redeem(forge, code)
  t.match(tokens, {
    token_type: 'Bearer',
    expires_in: 7200,
    scope: 'api',
    access_token: /^\w{64}$/,
    refresh_token: /^\w{64}$/
  })
  t.match(await redeem(forge, code), { status: 400, data: { error: 'invalid_grant' } })
  const user = (headers: Record<string, string>) => fetch(`${forge.apiUrl}/user`, { headers })
  const bearer = { authorization: `Bearer ${tokens.access_token}` }
  t.match(await (await user(bearer)).json(), { username: 'ada' })
  t.equal((await user({ 'private-token': tokens.access_token! })).status, 401, 'not as a personal token')
  t.match(await info(forge, tokens.access_token!), {
    status: 200,
    data: {
      resource_owner_id: 2,
      application: { uid: forge.state.oauth.appId },
      scope: ['api'],
      expires_in: 7200
    }
  })
  t.match(await info(forge, forge.tokens.ada!), { status: 401, data: { error: 'invalid_token' } })

  const refreshed = await post(forge, 'token', {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token!,
    client_id: forge.state.oauth.appId
  })
  t.equal(refreshed.status, 200)
  t.equal((await user(bearer)).status, 401, 'refreshing ends the old token')
  const next = refreshed.data.access_token!
  t.equal((await info(forge, next)).status, 200)
  now += 7_200_000
  t.equal((await info(forge, next)).status, 401, 'it expires')
  t.strictSame(forge.violations, [])
})

t.test(
  'what is wrong with an authorization is told to the person or to the client, as it should',
  async t => {
    const forge = await startForge()
    t.teardown(() => forge.close())
    t.equal((await authorize(forge, { client_id: 'other' })).status, 401)
    t.equal((await authorize(forge, { redirect_uri: 'https://elsewhere.example/' })).status, 400)
    const error = async (parts: Record<string, string>) => (await authorize(forge, parts)).answer.get('error')
    t.equal(await error({ response_type: 'token' }), 'unsupported_response_type')
    t.equal(await error({ scope: 'everything' }), 'invalid_scope')
    t.equal(await error({ code_challenge_method: 'plain' }), 'invalid_request')
    forge.state.oauth.approveAs = null
    t.equal(await error({}), 'access_denied')
  }
)

t.test('redeeming needs the verifier, the same redirect and the right client', async t => {
  const forge = await startForge()
  t.teardown(() => forge.close())
  const attempt = async (parts: Record<string, string>) => {
    const code = (await authorize(forge)).answer.get('code')!
    const { status, data } = await redeem(forge, code, parts)
    return [status, data.error]
  }
  t.strictSame(await attempt({ code_verifier: 'wrong' }), [400, 'invalid_grant'])
  t.strictSame(await attempt({ redirect_uri: 'http://127.0.0.1:1/' }), [400, 'invalid_grant'])
  t.strictSame(await attempt({ client_id: 'other' }), [401, 'invalid_client'])
  t.strictSame(await attempt({ client_secret: 'wrong' }), [401, 'invalid_client'])
  t.strictSame(await attempt({ grant_type: 'password' }), [400, 'unsupported_grant_type'])
  t.strictSame(await attempt({ client_secret: forge.state.oauth.appSecret }), [200, undefined])
})

t.test('revoking ends a token; a forge may lack token/info', async t => {
  const forge = await startForge()
  t.teardown(() => forge.close())
  const { data } = await redeem(forge, (await authorize(forge)).answer.get('code')!)
  const token = data.access_token!
  t.strictSame(await post(forge, 'revoke', { token, client_id: forge.state.oauth.appId }), {
    status: 200,
    data: {}
  })
  t.equal((await info(forge, token)).status, 401)
  forge.state.oauth.tokenInfo = false
  t.equal((await info(forge, token)).status, 404)
})

const SETTINGS = `query($path: ID!) { group(fullPath: $path) {
  dependencyProxySetting { enabled } dependencyProxyBlobCount dependencyProxyTotalSize
  dependencyProxyImagePrefix dependencyProxyImageTtlPolicy { enabled ttl } } }`
const BLOBS = `query($path: ID!, $first: Int, $after: String) { group(fullPath: $path) {
  dependencyProxyBlobs(first: $first, after: $after) { nodes { fileName size createdAt } pageInfo { hasNextPage endCursor } } } }`
const UPDATE = `mutation($input: UpdateDependencyProxySettingsInput!) { updateDependencyProxySettings(input: $input) {
  errors dependencyProxySetting { enabled } } }`

interface Connection {
  nodes: unknown[]
  pageInfo: { hasNextPage: boolean; endCursor: string }
}

t.test('the dependency proxy answers GraphQL', async t => {
  const { forge } = await sandbox(t)
  const ask = async (who: string, query: string, variables: object) => {
    const response = await fetch(`${forge.url}/api/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${forge.tokens[who]}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables })
    })
    const body = (await response.json()) as {
      data: { group: Record<string, Connection> }
      errors?: unknown[]
    }
    return { status: response.status, ...body }
  }

  await t.test('an owner sees the settings, others null', async t => {
    t.match((await ask('margaret', SETTINGS, { path: 'acme' })).data.group, {
      dependencyProxySetting: { enabled: true },
      dependencyProxyBlobCount: 25,
      dependencyProxyTotalSize: '325 MiB',
      dependencyProxyImageTtlPolicy: { enabled: true, ttl: 90 }
    })
    t.equal((await ask('ada', SETTINGS, { path: 'acme' })).data.group.dependencyProxySetting, null)
    t.equal((await ask('margaret', SETTINGS, { path: 'nope' })).data.group, null)
    t.equal((await ask('edsger', SETTINGS, { path: 'acme' })).data.group, null)
    t.match(await ask('nobody', SETTINGS, { path: 'acme' }), {
      status: 401,
      errors: [{ message: 'Invalid token' }]
    })
  })

  await t.test('blobs are paged with cursors', async t => {
    const first = (await ask('ada', BLOBS, { path: 'acme', first: 20 })).data.group
    t.equal(first.dependencyProxyBlobs!.nodes.length, 20)
    const { hasNextPage, endCursor: after } = first.dependencyProxyBlobs!.pageInfo
    t.equal(hasNextPage, true)
    const rest = (await ask('ada', BLOBS, { path: 'acme', first: 20, after })).data.group
    t.match(rest.dependencyProxyBlobs, { nodes: { length: 5 }, pageInfo: { hasNextPage: false } })
  })

  await t.test('settings are changed by owners, and validated', async t => {
    const update = (who: string, input: object) =>
      ask(who, UPDATE, { input: { groupPath: 'acme', ...input } })
    t.match((await update('margaret', { enabled: false })).data, {
      updateDependencyProxySettings: { errors: [], dependencyProxySetting: { enabled: false } }
    })
    t.match((await update('margaret', { identity: 'bot' })).data, {
      updateDependencyProxySettings: { errors: ["Secret can't be blank"] }
    })
    t.match((await update('ada', { enabled: true })).errors, [{ message: /don't have permission/ }])
    t.strictSame(forge.violations, [])
    t.match((await ask('margaret', '{ group(fullPath: "acme") { proxy } }', {})).errors, [
      { message: /Cannot query/ }
    ])
    t.match(forge.violations, [/Cannot query field "proxy"/])
  })
})

t.test('owners purge the cache: 202 and a number', async t => {
  const { forge, as } = await sandbox(t)
  const purge = (who: string) => as(who)('DELETE', '/groups/acme/dependency_proxy/cache')
  t.equal((await purge('ada')).status, 403)
  t.match(await purge('margaret'), { status: 202, data: 202 })
  t.equal(forge.state.groups[0]!.proxy.blobs.length, 0)
  t.equal((await as('ada')('GET', '/groups/7')).data.full_path, 'acme')
  t.equal((await as('ada')('GET', '/groups/nope')).data.message, '404 Group Not Found')
})
