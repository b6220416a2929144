import t from 'tap'
import { startWords } from '../src/start-words.ts'
import { testServer } from './support/server.ts'

const token = 'glpat-own-own-own-own-own'

t.test('a start says where calls go, and of the way they come only what there is', async t => {
  const over = async (settings: Record<string, string>, address: string) =>
    startWords(await testServer(t, { FORGE_API_URL: 'https://forge.example/git', ...settings }), address)
  const http = await over({}, 'http://127.0.0.1:3000')
  t.match(http.says, /of forge\.example at http:\/\/127\.0\.0\.1:3000\/mcp$/)
  t.match(http.facts, {
    forge: 'https://forge.example/git/api/v4',
    callers: 'bring a token',
    sessions: 'in memory'
  })
  const stdio = await over({ STREAMABLE_HTTP: 'false', FORGE_PERSONAL_ACCESS_TOKEN: token }, 'stdio')
  t.match(stdio.says, /over stdio$/)
  t.equal(stdio.facts.callers, 'one, with FORGE_PERSONAL_ACCESS_TOKEN')
  t.notOk('sessions' in stdio.facts)
  t.notOk('filesNotThere' in http.facts)
  t.notOk('clientsUse' in http.facts)
  const missed = await over({ HTTP_PROXY_FILE: '/nowhere-at-all' }, 'http://127.0.0.1:3000')
  t.same(missed.facts.filesNotThere, ['HTTP_PROXY_FILE'])
})

t.test('a start says the address that clients use, with the path of MCP_SERVER_URL', async t => {
  const settings = { FORGE_API_URL: 'https://forge.example', MCP_SERVER_URL: 'https://mcp.example/tools/' }
  const { facts } = startWords(await testServer(t, settings), 'http://127.0.0.1:3000')
  t.equal(facts.clientsUse, 'https://mcp.example/tools/mcp')
})

t.test('a start says the redirect URI to register, where logins come back here', async t => {
  const redirectUri = async (settings: Record<string, string>) => {
    const oauth = { REMOTE_AUTHORIZATION: 'false', FORGE_MCP_OAUTH: 'true', FORGE_OAUTH_APP_ID: 'app' }
    const app = await testServer(t, { FORGE_API_URL: 'https://forge.example', ...oauth, ...settings })
    return startWords(app, 'http://127.0.0.1:3000').facts.redirectUri
  }
  const FORGE_OAUTH_CALLBACK_PROXY = 'true'
  t.equal(await redirectUri({ FORGE_OAUTH_CALLBACK_PROXY }), 'http://127.0.0.1:3000/callback')
  t.equal(
    await redirectUri({ FORGE_OAUTH_CALLBACK_PROXY, MCP_SERVER_URL: 'https://mcp.example/tools/' }),
    'https://mcp.example/tools/callback'
  )
  t.equal(await redirectUri({}), undefined)
})

t.test('a start names a forge only where callers may leave it out', async t => {
  const over = async (settings: Record<string, string>) =>
    startWords(await testServer(t, { ENABLE_DYNAMIC_API_URL: 'true', ...settings }), 'http://127.0.0.1:3000')
  const may = await over({ FORGE_API_URL: 'https://forge.example' })
  t.match(may.facts, { forge: /forge\.example/, callers: 'bring a token, and may name its forge' })
  const has = await over({ FORGE_API_URL: undefined as never })
  t.match(has.says, /^serving \d+ tools at http/)
  t.equal(has.facts.callers, 'bring a token and name its forge')
  t.notOk('forge' in has.facts)
})

t.test('a start says the log level and the policy, as far as they are no defaults', async t => {
  const values = async (settings: Record<string, string>) =>
    startWords(await testServer(t, { LOG_LEVEL: 'info', ...settings }), 'http://127.0.0.1:3000').facts.values
  t.equal(await values({}), undefined)
  t.same(
    await values({
      LOG_LEVEL: 'debug',
      FORGE_READ_ONLY_MODE: 'true',
      FORGE_CONFIRM: 'writes',
      FORGE_ALLOWED_PROJECT_IDS: 'acme/rocket',
      FORGE_DENIED_TOOLS_REGEX: '^delete_',
      FORGE_DENY_SECRET_VALUES: 'true'
    }),
    {
      LOG_LEVEL: 'debug',
      FORGE_READ_ONLY_MODE: true,
      FORGE_CONFIRM: 'writes',
      FORGE_ALLOWED_PROJECT_IDS: 'acme/rocket',
      FORGE_DENIED_TOOLS_REGEX: '^delete_',
      FORGE_DENY_SECRET_VALUES: true
    }
  )
  t.same(await values({ FORGE_DENIED_TOOLS_REGEX: token }), { FORGE_DENIED_TOOLS_REGEX: '[redacted]' })
})
