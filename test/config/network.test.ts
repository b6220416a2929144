import t from 'tap'
import { ConfigError } from '../../src/config/config-error.ts'
import { environmentNotes } from '../../src/config/environment.ts'
import { checkSettings, type Settings } from '../../src/config/load.ts'
import { startNotes } from '../../src/config/notes.ts'
import { testServer } from '../support/server.ts'

const problemsOf = (settings: Settings): string => {
  try {
    checkSettings(settings)
    return ''
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.join('\n')
    throw error
  }
}

t.test('the pool has its defaults', async t => {
  t.match(checkSettings({}), {
    ENABLE_DYNAMIC_API_URL: false,
    FORGE_POOL_MAX_SIZE: 100,
    FORGE_POOL_IDLE_TIMEOUT: 300_000,
    FORGE_POOL_CLEANUP_INTERVAL: 60_000
  })
})

t.test('combinations that must not start', async t => {
  const token = 'glpat-secret-secret-secret'
  const cases: [Settings, RegExp][] = [
    [
      {
        ENABLE_DYNAMIC_API_URL: 'true',
        REMOTE_AUTHORIZATION: 'false',
        FORGE_PERSONAL_ACCESS_TOKEN: token
      },
      /ENABLE_DYNAMIC_API_URL=true needs REMOTE_AUTHORIZATION=true and STREAMABLE_HTTP=true/
    ],
    [
      { ENABLE_DYNAMIC_API_URL: 'true', STREAMABLE_HTTP: 'false', FORGE_PERSONAL_ACCESS_TOKEN: token },
      /ENABLE_DYNAMIC_API_URL=true needs/
    ],
    [{ ENABLE_DYNAMIC_API_URL: 'true', FORGE_MCP_OAUTH: 'true' }, /exclude each other/],
    [{ FORGE_ALLOWED_HOSTS: 'https://forge.example' }, /FORGE_ALLOWED_HOSTS must list hosts/],
    [{ FORGE_ALLOWED_HOSTS: 'forge.example:65536' }, /port above 65535, not "forge\.example:65536"/],
    [{ MCP_ALLOWED_HOSTS: 'mcp.example:70000' }, /port above 65535, not "mcp\.example:70000"/],
    [{ FORGE_API_URL: 'https://forge.example:65536' }, /FORGE_API_URL must be .* no port above 65535/],
    [{ MCP_SERVER_URL: 'https://mcp.example:65536' }, /MCP_SERVER_URL must be .* no port above 65535/],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:65536' },
      /OTEL_EXPORTER_OTLP_ENDPOINT must be .* port above 65535/
    ],
    [{ FORGE_ALLOWED_HOSTS: 'forge.example, 169.254.169.254' }, /always refused/],
    [{ FORGE_API_URL: 'http://169.254.169.254' }, /FORGE_API_URL is a link-local/],
    [
      { HTTP_PROXY: 'proxy.example:3128' },
      /HTTP_PROXY must be the http or https URL.* The http:\/\/ at its beginning is missing\.$/
    ],
    [{ HTTPS_PROXY: 'socks5://user:hunter2@proxy.example' }, /HTTPS_PROXY must be/],
    ...[
      'http://proxy.example:3128/way',
      'http://proxy.example:3128?x=1',
      'http://proxy.example:3128#x',
      'http://user:hunter2%zz@proxy.example:3128',
      'http://us%er:hunter2@proxy.example:3128',
      'http://user:12/hunter2@proxy.example:3128'
    ].map((url): [Settings, RegExp] => [
      { HTTPS_PROXY: url },
      /^HTTPS_PROXY must be .*% in a password is written %25/
    ]),
    [{ RUNTIME_TLS_REJECT_UNAUTHORIZED: 'false' }, /RUNTIME_TLS_REJECT_UNAUTHORIZED must be one of 1, 0/],
    [{ FORGE_POOL_MAX_SIZE: '0' }, /FORGE_POOL_MAX_SIZE must be a whole number from 1/]
  ]
  for (const [settings, says] of cases) {
    const problems = problemsOf(settings)
    t.match(problems, says)
    t.notMatch(problems, /hunter2|glpat/)
  }
})

t.test('combinations that do', async t => {
  for (const settings of [
    { ENABLE_DYNAMIC_API_URL: 'true' },
    { FORGE_ALLOWED_HOSTS: 'forge.example:65535,*.corp.example,10.0.0.5:8443,[fd00::1]' },
    { HTTP_PROXY: 'http://user:pw@proxy.example:3128', HTTPS_PROXY: 'https://proxy.example', NO_PROXY: '*' }
  ])
    t.equal(problemsOf(settings), '', JSON.stringify(settings))
})

t.test('what is dangerous starts with a note', async t => {
  const notes = (settings: Settings) => startNotes(checkSettings(settings)).join('\n')
  t.match(notes({ RUNTIME_TLS_REJECT_UNAUTHORIZED: '0' }), /certificates of forges are not checked/)
  t.match(notes({ ENABLE_DYNAMIC_API_URL: 'true' }), /private addresses: set FORGE_ALLOWED_HOSTS/)
  t.equal(notes({ ENABLE_DYNAMIC_API_URL: 'true', FORGE_DENY_PRIVATE_ADDRESSES: 'true' }), '')
  t.match(
    notes({ FORGE_DENY_PRIVATE_ADDRESSES: 'true', HTTPS_PROXY: 'http://proxy.example' }),
    /behind a proxy/
  )
  const HTTPS_PROXY = 'http://proxy.example'
  t.match(notes({ HTTPS_PROXY, NO_PROXY: 'localhost,10.0.0.0/8' }), /NO_PROXY names a network or a URL/)
  t.match(notes({ HTTPS_PROXY, NO_PROXY: 'https://forge.example' }), /matches no host here/)
  t.match(notes({ HTTPS_PROXY, NO_PROXY: '127.0.0.1;localhost' }), /NO_PROXY .*with commas between them/)
  t.equal(notes({ HTTPS_PROXY, NO_PROXY: 'localhost,.internal,10.0.0.5:8443,[fd00::1]' }), '')
  t.equal(notes({ NO_PROXY: '10.0.0.0/8' }), '')
  t.equal(notes({ RUNTIME_TLS_REJECT_UNAUTHORIZED: '1' }), '')
})

t.test('where Node.js itself is told to check no certificate, the start says so', async t => {
  t.match(environmentNotes({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, {}), [
    /^NODE_TLS_REJECT_UNAUTHORIZED=0: certificates of forges are not checked/
  ])
  t.same(environmentNotes({ NODE_TLS_REJECT_UNAUTHORIZED: '1' }, {}), [])
  t.same(environmentNotes({}, {}), [])
})

t.test('a Node.js that hashes digits without a seed is named at the start of what many share', async t => {
  for (const node of ['22.19.0', '22.22.1', '24.0.0', '24.14.0', '25.8.1'])
    t.match(environmentNotes({}, {}, node), [/CVE-2026-21717/], node)
  for (const node of ['22.22.2', '22.100.0', '24.14.1', '24.21.0', '25.8.2', '26.0.0'])
    t.same(environmentNotes({}, {}, node), [], node)
  t.same(environmentNotes({}, { STREAMABLE_HTTP: 'false' }, '22.19.0'), [])
})

t.test('a file of certificates that cannot be read stops the start with a sentence', async t => {
  await t.rejects(testServer(t, { FORGE_CA_CERT_PATH: '/nonexistent/ca.pem' }), {
    message: 'FORGE_CA_CERT_PATH: /nonexistent/ca.pem cannot be read (ENOENT).'
  })
})
