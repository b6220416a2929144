import t from 'tap'
import { checkSettings, type Settings } from '../../src/config/load.ts'
import { startNotes } from '../../src/config/notes.ts'
import { problemsOf } from '../support/config.ts'
import { secretOf } from '../support/sealing.ts'

const on: Settings = { FORGE_MCP_OAUTH: 'true' }
const outside: Settings = {
  ...on,
  HOST: '0.0.0.0',
  MCP_SERVER_URL: 'https://mcp.example',
  FORGE_OAUTH_APP_ID: 'app'
}
const stateless: Settings = { OAUTH_STATELESS_MODE: 'true', OAUTH_STATELESS_SECRET: secretOf('config') }

t.test('OAuth mode starts', async t => {
  for (const settings of [
    on,
    { ...on, REMOTE_AUTHORIZATION: 'false' },
    outside,
    { ...on, ...stateless },
    { ...on, ...stateless, REMOTE_AUTHORIZATION: 'false' },
    { ...outside, FORGE_OAUTH_CALLBACK_PROXY: 'true', FORGE_OAUTH_CONSENT: 'true' },
    { ...on, FORGE_OAUTH_SCOPES: 'read_api, read_user' },
    { MCP_TRUST_PROXY: '10.0.0.0/8, 192.0.2.1, ::1, fd00::/8, loopback' }
  ])
    t.same(problemsOf(settings), [], JSON.stringify(settings))
})

t.test('and does not when something is missing or contradicts', async t => {
  const token = 'glpat-secret-secret-secret'
  for (const [settings, says] of [
    [{ ...outside, MCP_SERVER_URL: '' }, /needs MCP_SERVER_URL/],
    [{ ...outside, FORGE_OAUTH_APP_ID: '' }, /needs FORGE_OAUTH_APP_ID/],
    [{ ...on, STREAMABLE_HTTP: 'false', FORGE_PERSONAL_ACCESS_TOKEN: token }, /over HTTP/],
    [{ ...on, REMOTE_AUTHORIZATION: 'false', FORGE_PERSONAL_ACCESS_TOKEN: token }, /exclude each other/],
    [{ ...on, FORGE_OAUTH_CONSENT: 'true' }, /FORGE_OAUTH_CALLBACK_PROXY=true/],
    [{ ...on, FORGE_OAUTH_APP_ID: 'a b' }, /FORGE_OAUTH_APP_ID must be/],
    [{ ...on, FORGE_OAUTH_SCOPES: 'api;sudo' }, /FORGE_OAUTH_SCOPES must list/],
    [{ ...on, FORGE_OAUTH_SCOPES: 'read_user, openid' }, /api or read_api among them/],
    [{ MCP_TRUST_PROXY: 'true' }, /MCP_TRUST_PROXY must list/],
    [{ MCP_TRUST_PROXY: '10.0.0.0/99' }, /MCP_TRUST_PROXY must list/],
    [{ MCP_TRUST_PROXY: '1' }, /MCP_TRUST_PROXY must list/],
    [{ MCP_TRUST_PROXY: '0.0.0.0/0' }, /MCP_TRUST_PROXY holds every address.*not "0\.0\.0\.0\/0"/],
    [{ MCP_TRUST_PROXY: '10.0.0.0/8, ::/0' }, /MCP_TRUST_PROXY holds every address.*not "::\/0"/],
    [{ OAUTH_REGISTER_RATE_LIMIT_PER_HOUR: '0' }, /whole number/],
    [{ OAUTH_STATELESS_CLIENT_TTL_SECONDS: '-1' }, /whole number/],
    [{ OAUTH_STATELESS_PENDING_TTL_SECONDS: 'NaN' }, /whole number/],
    [{ OAUTH_STATELESS_STORED_TTL_SECONDS: '1e400' }, /whole number/],
    [{ OAUTH_STATELESS_STORED_TTL_SECONDS: 'Infinity' }, /whole number/]
  ] as [Settings, RegExp][]) {
    const said = problemsOf(settings).join('\n')
    t.match(said, says)
    t.notMatch(said, token)
  }
})

t.test('the documented lifetimes are the defaults', async t => {
  t.match(checkSettings({}), {
    FORGE_MCP_OAUTH: false,
    OAUTH_STATELESS_CLIENT_TTL_SECONDS: 86_400,
    OAUTH_STATELESS_PENDING_TTL_SECONDS: 600,
    OAUTH_STATELESS_STORED_TTL_SECONDS: 600,
    OAUTH_REGISTER_RATE_LIMIT_PER_HOUR: 20
  })
})

t.test('scopes by which nothing can be changed are told of, unless nothing is to be', async t => {
  const notes = (settings: Settings) =>
    startNotes(checkSettings({ ...on, FORGE_OAUTH_APP_ID: 'app', ...settings })).join('\n')
  t.match(notes({ FORGE_OAUTH_SCOPES: 'read_user read_api' }), /^FORGE_OAUTH_SCOPES has no api: .*READ_ONLY/)
  t.equal(notes({ FORGE_OAUTH_SCOPES: 'read_api', FORGE_READ_ONLY_MODE: 'true' }), '')
  for (const FORGE_OAUTH_SCOPES of ['api', 'read_user,api', 'api read_api'])
    t.equal(notes({ FORGE_OAUTH_SCOPES }), '', FORGE_OAUTH_SCOPES)
})

t.test('scopes that no forge has are told of, as it refuses each login for which they are asked', async t => {
  const notes = (FORGE_OAUTH_SCOPES: string) =>
    startNotes(checkSettings({ ...on, FORGE_OAUTH_APP_ID: 'app', FORGE_OAUTH_SCOPES })).join('\n')
  t.match(notes('api,write admin'), /^FORGE_OAUTH_SCOPES has write and admin, which .*no login/)
  t.equal(notes('api read_user k8s_proxy openid'), '')
})

t.test('what starts but is not safe is said', async t => {
  const notes = (settings: Settings) => startNotes(checkSettings(settings)).join('\n')
  t.match(notes(on), /FORGE_OAUTH_APP_ID is not set/)
  t.notMatch(notes(on), /CONSENT/)
  t.match(notes({ ...outside, FORGE_OAUTH_CALLBACK_PROXY: 'true' }), /FORGE_OAUTH_CONSENT is off/)
  const behindTunnel = { ...on, MCP_SERVER_URL: 'https://mcp.example', FORGE_OAUTH_APP_ID: 'app' }
  t.match(notes({ ...behindTunnel, FORGE_OAUTH_CALLBACK_PROXY: 'true' }), /FORGE_OAUTH_CONSENT is off/)
  t.equal(notes(behindTunnel), '', 'without the callback proxy the forge checks the redirect')
  t.equal(notes({ ...outside, FORGE_OAUTH_CALLBACK_PROXY: 'true', FORGE_OAUTH_CONSENT: 'true' }), '')
  t.equal(notes({ MCP_SERVER_URL: 'https://mcp.example' }), '')
})
