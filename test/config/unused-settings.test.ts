import t from 'tap'
import { checkSettings, type Settings } from '../../src/config/load.ts'
import { startNotes } from '../../src/config/notes.ts'
import { type Variable, variables } from '../../src/config/schema.ts'
import { secretOf } from '../support/sealing.ts'

const notes = (settings: Settings) => startNotes(checkSettings(settings))
const stateless = { OAUTH_STATELESS_MODE: 'true', OAUTH_STATELESS_SECRET: secretOf('idle') }
const stdio = { STREAMABLE_HTTP: 'false', FORGE_PERSONAL_ACCESS_TOKEN: 'glpat-own-own-own-own-own' }

t.test(
  'a secret without the mode that it is mostly for is told of, unless it is for confirmations',
  async t => {
    const { OAUTH_STATELESS_SECRET } = stateless
    t.match(notes({ OAUTH_STATELESS_SECRET }), [
      /^OAUTH_STATELESS_SECRET is set without .*MODE=true: sessions/
    ])
    t.same(notes({ OAUTH_STATELESS_SECRET, FORGE_CONFIRM: 'writes' }), [])
    t.same(notes(stateless), [])
  }
)

t.test('settings that do nothing in the mode that is chosen start with a note that names it', async t => {
  for (const [settings, says] of [
    [{ FORGE_OAUTH_APP_ID: 'x' }, /^FORGE_OAUTH_APP_ID has no effect without FORGE_MCP_OAUTH=true/],
    [
      { FORGE_OAUTH_APP_ID: 'x', FORGE_OAUTH_APP_SECRET: 'gloas-secret', FORGE_OAUTH_SCOPES: 'read_api' },
      /^FORGE_OAUTH_APP_ID, FORGE_OAUTH_APP_SECRET, FORGE_OAUTH_SCOPES have no effect without FORGE_MCP_OAUTH/
    ],
    [{ MAX_CALLER_REQUESTS_PER_MINUTE: '9' }, /no effect without OAUTH_STATELESS_MODE=true/],
    [
      { ...stateless, MAX_REQUESTS_PER_MINUTE: '9' },
      /^MAX_REQUESTS_PER_MINUTE has no effect with OAUTH_STATELESS_MODE=true, where MAX_CALLER_/
    ],
    [
      { ...stateless, MAX_SESSIONS: '9' },
      /^MAX_SESSIONS has no effect with .*=true, in which no session is held/
    ],
    [{ FORGE_POOL_MAX_SIZE: '9' }, /no effect without ENABLE_DYNAMIC_API_URL=true/],
    [{ ...stdio, METRICS_PORT: '9090' }, /^METRICS_PORT has no effect with STREAMABLE_HTTP=false/],
    [{ FORGE_DOWNLOAD_KEEP_HOURS: '9' }, /no effect except over HTTP with FORGE_DOWNLOAD_DIR set/],
    [
      { ...stdio, FORGE_DOWNLOAD_DIR: '/tmp', FORGE_DOWNLOAD_QUOTA_MB: '9' },
      /^FORGE_DOWNLOAD_QUOTA_MB has no effect except over HTTP/
    ],
    [
      { FORGE_DOWNLOAD_DIR: '/tmp', FORGE_DOWNLOAD_QUOTA_MB: '10', FORGE_DOWNLOAD_TOTAL_MB: '9' },
      /^FORGE_DOWNLOAD_QUOTA_MB has no effect above FORGE_DOWNLOAD_TOTAL_MB, which limits all callers together\.$/
    ],
    [
      { FORGE_DOWNLOAD_QUOTA_MB: '10', FORGE_DOWNLOAD_TOTAL_MB: '9' },
      /^FORGE_DOWNLOAD_QUOTA_MB, FORGE_DOWNLOAD_TOTAL_MB have no effect except/
    ]
  ] as const) {
    const said = notes(settings)
    t.match(said, [says], JSON.stringify(settings))
    t.equal(said.length, 1)
    t.notMatch(said.join(), 'gloas-secret')
  }
})

t.test('the same settings in their modes, and defaults that somebody wrote down, start without', async t => {
  for (const settings of [
    { FORGE_MCP_OAUTH: 'true', FORGE_OAUTH_APP_ID: 'x', OAUTH_REGISTER_RATE_LIMIT_PER_HOUR: '9' },
    { ...stateless, MAX_CALLER_REQUESTS_PER_MINUTE: '9', OAUTH_STATELESS_SID_REUSE_SECONDS: '9' },
    { ENABLE_DYNAMIC_API_URL: 'true', FORGE_POOL_MAX_SIZE: '9', FORGE_ALLOWED_HOSTS: 'forge.example' },
    { METRICS_PORT: '9090', MAX_REQUESTS_PER_MINUTE: '9' },
    { FORGE_DOWNLOAD_DIR: '/tmp', FORGE_DOWNLOAD_KEEP_HOURS: '9' },
    { FORGE_DOWNLOAD_DIR: '/tmp', FORGE_DOWNLOAD_QUOTA_MB: '9', FORGE_DOWNLOAD_TOTAL_MB: '9' },
    { FORGE_POOL_MAX_SIZE: '100', OAUTH_STATELESS_CLIENT_TTL_SECONDS: '86400', FORGE_OAUTH_SCOPES: 'api' },
    { ...stdio, HOST: '127.0.0.1', PORT: '8080' }
  ])
    t.same(notes(settings), [], JSON.stringify(settings))
})

t.test('no default is told of in any mode', async t => {
  const defaults = checkSettings({})
  const written = Object.fromEntries(
    variables
      .filter(name => defaults[name] !== undefined && defaults[name] !== '')
      .map(name => [name, String(defaults[name])])
  ) as Record<Variable, string>
  for (const mode of [{}, stateless, stdio]) t.same(notes({ ...written, ...mode }), [])
})

t.test('the name of a project alone is told of, as no forge finds it by that', async t => {
  t.match(notes({ FORGE_PROJECT_ID: 'rocket', FORGE_ALLOWED_PROJECT_IDS: '42,acme/rocket,rocket' }), [
    /^FORGE_PROJECT_ID has "rocket", the name of a project alone.*such as group\/rocket\.$/,
    /^FORGE_ALLOWED_PROJECT_IDS has "rocket"/
  ])
  t.same(notes({ FORGE_PROJECT_ID: '42', FORGE_ALLOWED_PROJECT_IDS: 'a%2Fb,a/b,42' }), [])
})
