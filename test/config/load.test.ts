import t from 'tap'
import { helpText, readCommandLine } from '../../src/config/argv.ts'
import { environmentNotes, readEnvironment, unread } from '../../src/config/environment.ts'
import { checkSettings, gatherSettings, type Settings } from '../../src/config/load.ts'
import { allMisspelt, blurred, sentenceOf } from '../../src/config/misspelt.ts'
import { startNotes } from '../../src/config/notes.ts'
import { refusedNames } from '../../src/config/refused-names.ts'
import { sections, variables } from '../../src/config/schema.ts'
import { loadSettings } from '../../src/config/secret-files.ts'
import { problemsOf } from '../support/config.ts'

t.test('without settings the defaults hold', async t => {
  t.match(checkSettings({}), {
    STREAMABLE_HTTP: true,
    REMOTE_AUTHORIZATION: true,
    HOST: '127.0.0.1',
    PORT: 3000,
    SESSION_TIMEOUT_SECONDS: 3600,
    MAX_SESSIONS: 10_000,
    FORGE_API_URL: 'https://gitlab.com/api/v4'
  })
})

t.test('values become what the schema says', async t => {
  t.match(checkSettings({ PORT: '0', FORGE_OUTPUT: 'full', MAX_SESSIONS: '5' }), {
    PORT: 0,
    FORGE_OUTPUT: 'full',
    MAX_SESSIONS: 5
  })
})

t.test('a flag wins over the environment, and empty text counts as not set', async t => {
  t.same(gatherSettings({ PORT: '1', HOST: ' ', LOG_LEVEL: 'warn', HOME: '/root' }, { PORT: '2' }), {
    PORT: '2',
    LOG_LEVEL: 'warn'
  })
})

t.test('every bad value and every forbidden combination is reported at once', async t => {
  const problems = problemsOf(
    {
      PORT: 'abc',
      MAX_SESSIONS: '0',
      STREAMABLE_HTTP: 'yes',
      LOG_LEVEL: 'loud',
      FORGE_API_URL: 'ftp://forge.example',
      FORGE_TOOLSETS: 'issues,wikis',
      MCP_SERVER_URL: 'http://mcp.example'
    },
    ['Unknown flag --x.']
  )
  t.equal(problems[0], 'Unknown flag --x.')
  t.ok(problems.includes('PORT must be a whole number from 0 to 65535, not "abc".'))
  t.ok(problems.includes('MAX_SESSIONS must be a whole number from 1 to 1000000, not "0".'))
  t.ok(problems.includes('STREAMABLE_HTTP must be true or false, not "yes". false serves over stdio.'))
  t.ok(problems.some(problem => /^LOG_LEVEL must be one of trace, debug/.test(problem)))
  t.ok(problems.some(problem => /^FORGE_API_URL must be/.test(problem)))
  t.ok(problems.some(problem => /^FORGE_TOOLSETS may list merge_requests, issues/.test(problem)))
  t.ok(problems.some(problem => /^MCP_SERVER_URL must be an https URL/.test(problem)))
  t.equal(problems.length, 8)
})

const token = 'glpat-x7Kd_2mQ-81bZtRw3nPq'
const appSecret = '0f'.repeat(32)

t.test('a secret under a wrong name is not said again', async t => {
  t.same(problemsOf({ FORGE_DENIED_TOOLS_REGEX: `[${token}` }), [
    'FORGE_DENIED_TOOLS_REGEX must be a regular expression (Range out of order in character class).'
  ])
  for (const secret of [token, appSecret, 'correct horse battery staple']) {
    const words = ['PORT', 'LOG_LEVEL', 'FORGE_CONFIRM', 'FORGE_READ_ONLY_MODE'] as const
    for (const problem of problemsOf(Object.fromEntries(words.map(name => [name, secret]))))
      t.notMatch(problem, secret)
  }
  for (const secret of [token, appSecret, `https://oauth2:${token}@forge.example`]) {
    const lists = ['FORGE_TOOLSETS', 'FORGE_TOOLS', 'MCP_ALLOWED_HOSTS', 'FORGE_ALLOWED_HOSTS'] as const
    const problems = problemsOf(Object.fromEntries(lists.map(name => [name, `a b,${secret}`])))
    t.equal(problems.length, lists.length)
    t.notMatch(problems.join(), secret)
  }
})

t.test('combinations that must not start', async t => {
  const token = 'glpat-secret-secret-secret'
  const cases: [Settings, RegExp][] = [
    [
      { FORGE_DOWNLOAD_DIR: '/dev/null/none' },
      /FORGE_DOWNLOAD_DIR must be a folder .*, not "\/dev\/null\/none"/
    ],
    [{ STREAMABLE_HTTP: 'false' }, /stdio and needs FORGE_PERSONAL_ACCESS_TOKEN/],
    [{ REMOTE_AUTHORIZATION: 'false' }, /REMOTE_AUTHORIZATION=true/],
    [{ FORGE_PERSONAL_ACCESS_TOKEN: token }, /exclude each other/],
    [
      { REMOTE_AUTHORIZATION: 'false', FORGE_PERSONAL_ACCESS_TOKEN: token, HOST: '0.0.0.0' },
      /loopback.* In a container .* leave the token out/
    ],
    [{ REMOTE_AUTHORIZATION: 'false', FORGE_PERSONAL_ACCESS_TOKEN: 'short' }, /20 to 2048/],
    // As a file of variables has it, where a file of the token alone belongs.
    [
      { REMOTE_AUTHORIZATION: 'false', FORGE_PERSONAL_ACCESS_TOKEN: `FORGE_PERSONAL_ACCESS_TOKEN=${token}` },
      /20 to 2048 characters of a token alone, without blanks, and no NAME= before it/
    ],
    [{ MCP_ALLOWED_ORIGINS: 'https://a.example/path' }, /origins/],
    [{ MCP_SERVER_URL: 'https://user:pw@mcp.example' }, /MCP_SERVER_URL/],
    [{ MCP_SERVER_URL: 'https://*.mcp.example' }, /MCP_SERVER_URL must be .* without wildcard/],
    ...[
      'https://https://mcp.example.com',
      'https://a.example,https://b.example',
      'https://a.example, b.example',
      'https://a.example;b.example'
    ].map((MCP_SERVER_URL): [Settings, RegExp] => [
      { MCP_SERVER_URL },
      /one URL, its scheme once; more names go in MCP_ALLOWED_HOSTS\./
    ])
  ]
  for (const [settings, says] of cases) {
    const problems = problemsOf(settings)
    t.match(problems.join('\n'), says)
    t.notMatch(problems.join('\n'), token, 'no secret is printed')
  }
})

t.test('what is wrong in a list is quoted, and that entries are separated by commas', async t => {
  const cases: [Settings, RegExp][] = [
    [{ FORGE_TOOLSETS: 'issues;pipelines' }, /not "issues;pipelines"\. Entries are separated by commas\./],
    [{ FORGE_TOOLSETS: 'issues,wikis,ops' }, /a preset: .*, not "wikis"\. wiki may be meant\.$/],
    [{ FORGE_TOOLS: 'get_issue list_issues' }, /not "get_issue list_issues"\. Entries/],
    [{ FORGE_TOOLS: 'get-issue' }, /not "get-issue"\. get_issue may be meant\.$/],
    [{ FORGE_ALLOWED_PROJECT_IDS: '1;2' }, /not "1;2"/],
    [{ FORGE_ALLOWED_PROJECT_IDS: 'a/b,https://forge.example/a/b' }, /not "https:\/\/forge.example\/a\/b"/],
    [{ FORGE_PROJECT_ID: 'https://forge.example/a/b' }, /such as group\/project, not "https:/],
    [{ FORGE_PROJECT_ID: '/a/b' }, /not "\/a\/b"/],
    [{ FORGE_PROJECT_ID: '[41]' }, /not "\[41\]"/],
    [{ FORGE_ALLOWED_PROJECT_IDS: '[41,42]' }, /not "\[41" or "42\]"\. .* no brackets or quotation marks\.$/],
    [{ FORGE_ALLOWED_PROJECT_IDS: '["a/b","a/c"]' }, / no brackets or quotation marks\.$/],
    [{ FORGE_TOOLSETS: '["issues"]' }, / no brackets or quotation marks\.$/],
    [{ MCP_ALLOWED_HOSTS: 'https://mcp.example' }, /or port above 65535, not "https:\/\/mcp.example"/],
    [{ MCP_ALLOWED_HOSTS: '[::1]:3000,*' }, /wildcard, dot in front or port above 65535, not "\*"/],
    [{ MCP_ALLOWED_HOSTS: '.mcp.example' }, /dot in front or port above 65535, not "\.mcp\.example"/],
    [{ MCP_ALLOWED_ORIGINS: 'a.example,https://b.example' }, /not "a\.example"\.$/],
    [
      { MCP_ALLOWED_ORIGINS: 'https://*.b.example' },
      /path, wildcard or default port, not "https:\/\/\*\.b\.example"\.$/
    ],
    [{ MCP_ALLOWED_ORIGINS: 'http://App.example' }, /small letters .*, not "http:\/\/App\.example"\.$/],
    [{ MCP_ALLOWED_ORIGINS: 'null,file://x,app://x/y' }, /not "null" or "file:\/\/x" or "app:\/\/x\/y"\.$/],
    [{ MCP_TRUST_PROXY: '10.0.0.0/8 127.0.0.1' }, /not "10\.0\.0\.0\/8 127\.0\.0\.1"/],
    [{ FORGE_ALLOWED_HOSTS: 'a.example; b.example' }, /not "a\.example; b\.example"/],
    ...(
      [
        'FORGE_ALLOWED_PROJECT_IDS',
        'FORGE_ALLOWED_HOSTS',
        'FORGE_TOOLSETS',
        'FORGE_TOOLS',
        'MCP_ALLOWED_HOSTS',
        'MCP_ALLOWED_ORIGINS',
        'MCP_TRUST_PROXY'
      ] as const
    ).map((list): [Settings, RegExp] => [{ [list]: ', ,' }, /list .*, not ", ,"\.$/])
  ]
  for (const [settings, says] of cases) {
    const problems = problemsOf(settings)
    t.equal(problems.length, 1, JSON.stringify(settings))
    t.match(problems[0], says)
  }
})

const misspelt = (env: NodeJS.ProcessEnv) => allMisspelt(env, gatherSettings(env, {})).map(sentenceOf)

t.test(
  'a name that is nearly one of ours is told with the one that was meant, without its value',
  async t => {
    t.same(
      misspelt({
        FORGE_API_ULR: 'https://secret.example',
        FORGE_TOOLSET: 'all',
        FORGE_API_URL: 'https://forge.example',
        FORGE_TOOL_SERVER_SERVICE_HOST: '10.0.0.1',
        PORTS: '1',
        HOST_NAME: 'x'
      }),
      [
        'FORGE_API_ULR is no variable of this service and is not read: FORGE_API_URL may be meant.',
        'FORGE_TOOLSET is no variable of this service and is not read: FORGE_TOOLSETS may be meant.'
      ]
    )
  }
)

t.test(
  'what an env file has behind the name, in place of the sign, is no part of it, and is not said',
  async t => {
    const unread = (name: string) => `${name} is no variable of this service and is not read:`
    t.same(
      misspelt({
        'FORGE_API_ULR: s3cret  # app id': 'mcp',
        'FORGE_WEATHER s3cret FORGE_POOL': '1'
      }),
      [
        `${unread('FORGE_API_ULR')} FORGE_API_URL may be meant.`,
        `${unread('FORGE_WEATHER')} --help lists those that are.`
      ]
    )
  }
)

t.test(
  'a value that an env file has in the name, with an empty one behind it, is not lost in silence',
  async t => {
    const found = (written: string) => blurred({ [written]: '' }, {}).map(({ name }) => name)
    t.same(found('FORGE_OAUTH_APP_SECRET: c2VjcmV0'), ['FORGE_OAUTH_APP_SECRET'])
    t.same(found('FORGE_OAUTH_APP_SECRET '), [], 'without any it sets nothing')
    t.same(found('FORGE_OAUTH_APP_SECRET # app'), [], 'a comment is none')
  }
)

t.test('so is one of OpenTelemetry, and none that other SDKs read', async t => {
  t.same(misspelt({ OTEL_SERVICE_NAM: 'x', OTEL_LOGS_EXPORTER: 'none', OTEL_SERVICE_NAME: 'x' }), [
    'OTEL_SERVICE_NAM is no variable of this service and is not read: OTEL_SERVICE_NAME may be meant.'
  ])
})

t.test('a name in small letters is told as any other, but for short ones, which others read', async t => {
  const unread = (name: string) => `${name} is no variable of this service and is not read:`
  t.same(misspelt({ forge_api_url: 'x', Streamable_Http: 'false', forge_api_ulr: 'x', forge_weather: 'x' }), [
    `${unread('forge_api_url')} FORGE_API_URL may be meant.`,
    `${unread('Streamable_Http')} STREAMABLE_HTTP may be meant.`,
    `${unread('forge_api_ulr')} FORGE_API_URL may be meant.`,
    `${unread('forge_weather')} --help lists those that are.`
  ])
  t.same(misspelt({ host: 'x', port: '1', forge_token: 'x', no_proxy: 'x', NO_PROXY: 'x' }), [])
  t.same(misspelt({ forge_api_url: 'x', FORGE_API_URL: 'x' }), [], 'on Windows both are one')
})

t.test('a name of ours without its beginning is told, unless others have the rest of it, too', async t => {
  const notRead = (name: string) => `${name} is no variable of this service and is not read:`
  t.same(misspelt({ READ_ONLY_MODE: 'true', denied_tools_regex: 'x', TOOLSETS: 'x' }), [
    `${notRead('READ_ONLY_MODE')} FORGE_READ_ONLY_MODE may be meant.`,
    `${notRead('denied_tools_regex')} FORGE_DENIED_TOOLS_REGEX may be meant.`,
    `${notRead('TOOLSETS')} FORGE_TOOLSETS may be meant.`
  ])
  t.same(misspelt({ READ_ONLY_MODE: 'x', FORGE_READ_ONLY_MODE: 'true' }), [], 'both are set')
  const others = ['API_URL', 'CONFIRM', 'TOOLS', 'ALLOWED_HOSTS', 'CA_CERT_PATH', 'POOL_MAX_SIZE']
  t.same(misspelt(Object.fromEntries(others.map(name => [name, 'x']))), [])
})

t.test('the token of a client is told where this service has none of its own and needs one', async t => {
  const told = [
    'FORGE_TOKEN is no variable of this service and is not read: FORGE_PERSONAL_ACCESS_TOKEN may be meant.'
  ]
  const settings = { FORGE_API_URL: 'https://forge.example' }
  const env = { FORGE_TOKEN: 'x' }
  t.same(await unread(env, settings), [], 'callers bring theirs')
  t.same(await unread(env, { ...settings, STREAMABLE_HTTP: 'false' }), told)
  t.same(await unread(env, { ...settings, REMOTE_AUTHORIZATION: 'false' }), told)
  t.match(await unread({ GITLAB_TOKEN: 'x' }, { ...settings, STREAMABLE_HTTP: 'false' }), [
    /^GITLAB_TOKEN is no/
  ])
  t.same(await unread(env, { ...settings, REMOTE_AUTHORIZATION: 'false', FORGE_MCP_OAUTH: 'true' }), [])
  t.same(await unread(env, { ...settings, STREAMABLE_HTTP: 'false', FORGE_PERSONAL_ACCESS_TOKEN: 'x' }), [])
})

t.test('a name for the address of a forge is told, whatever it is called', async t => {
  for (const end of [
    'HOST',
    'URL',
    'BASE_URL',
    'SERVER',
    'SERVER_URL',
    'ENDPOINT',
    'INSTANCE_URL',
    'API_HOST'
  ])
    for (const name of [`FORGE_${end}`, `GITLAB_${end}`])
      t.match(misspelt({ [name]: 'x' }), [/: FORGE_API_URL may be meant\.$/], name)
})

t.test('where one of ours names a forge that nobody reads, tokens do not go to the default one', async t => {
  const says = (env: NodeJS.ProcessEnv, settings: Settings) =>
    refusedNames(env, settings).map(one => one.says)
  for (const name of [
    'FORGE_HOST',
    'FORGE_API_UR',
    'FORGE_BASE_URL',
    'forge_api_url',
    'FORGE-API-URL',
    'GITLAB_API_URL'
  ]) {
    const env = { [name]: 'git.secret.example' }
    t.match(says(env, {}), [
      new RegExp(
        `^${name} is no variable .* tokens would go to https://gitlab\\.com/api/v4\\. Set FORGE_API_URL`
      )
    ])
    t.notMatch(says(env, {}).join(), /secret/)
    t.same((await readEnvironment(env, {}, [])).unread, [], 'it is said once')
    t.same(says(env, { FORGE_API_URL: 'https://forge.example' }), [])
    t.same(says(env, { ENABLE_DYNAMIC_API_URL: 'true' }), [], 'no forge is the default one')
  }
  const address = 'https://git.example'
  for (const env of [{ FORGE_HOST: '' }, { GITLAB_HOST: address }, { FORGE_ALLOWED_HOST: address }])
    t.same(says(env, {}), [])
  for (const env of [{ FORGE_APP_URL: address }, { FORGE_INSTANCE: 'eu-1' }, { FORGE_BASE: '/opt/forge' }]) {
    t.same(says(env, {}), [], 'it may be of another program')
    t.match(await unread(env, {}), [/FORGE_API_URL may be meant\.$/])
  }
})

t.test('what GitLab sets in each CI job is no variable of ours', async t => {
  t.same(misspelt({ CI_SERVER_URL: 'x', CI_SERVER_HOST: 'x', CI_PROJECT_ID: '1', GITLAB_CI: 'true' }), [])
})

t.test('what other servers have under names that are not like ours is told, too', async t => {
  const meant = {
    MCP_PORT: 'PORT',
    MCP_BASE_URL: 'MCP_SERVER_URL',
    MCP_PUBLIC_URL: 'MCP_SERVER_URL',
    MCP_READ_ONLY_MODE: 'FORGE_READ_ONLY_MODE',
    MCP_READ_ONLY: 'FORGE_READ_ONLY_MODE',
    MCP_ALLOWED_PROJECT_IDS: 'FORGE_ALLOWED_PROJECT_IDS',
    MCP_DENIED_TOOLS_REGEX: 'FORGE_DENIED_TOOLS_REGEX',
    MCP_DENY_TOOLS: 'FORGE_DENIED_TOOLS_REGEX',
    MCP_API_URL: 'FORGE_API_URL',
    FORGE_LOG_LEVEL: 'LOG_LEVEL',
    FORGE_DENY_TOOLS: 'FORGE_DENIED_TOOLS_REGEX',
    FORGE_DISABLED_TOOLS: 'FORGE_DENIED_TOOLS_REGEX',
    FORGE_DEFAULT_PROJECT: 'FORGE_PROJECT_ID'
  }
  for (const [name, ours] of Object.entries(meant))
    t.match(misspelt({ [name]: '8080' }), [new RegExp(`^${name} .*: ${ours} may be meant\\.$`)])
  t.match(misspelt({ GITLAB_USE_OAUTH: 'true', SSE: 'true' }), [
    /FORGE_MCP_OAUTH may be meant\.$/,
    /STREAMABLE_HTTP may be meant\.$/
  ])
  t.match(misspelt({ GITLAB_JOB_TOKEN: 'x', GITLAB_AUTH_COOKIE_PATH: '/x' }), [
    /over HTTP alone, from the header JOB-TOKEN/,
    /no cookie is sent to a forge/
  ])
  t.same(misspelt({ SSE: 'false', GITLAB_USE_OAUTH: 'false' }), [], 'as it is here')
  t.same(misspelt({ MCP_PORT: 'tcp://10.0.0.1:80' }), [], 'as Kubernetes sets it for a service')
  t.match(misspelt({ MCP_AUTH_TOKEN: 'x' }), [
    /^MCP_AUTH_TOKEN .* has no token of its own that guards the port\.$/
  ])
})

t.test('FORGE_TIMEOUT gets no guess: no variable sets how long a request may take', async t => {
  t.notMatch(readCommandLine(['--timeout=30']).problems.join(), /may be meant/)
  t.same(misspelt({ FORGE_TIMEOUT: '30' }), [
    'FORGE_TIMEOUT is no variable of this service and is not read: --help lists those that are.'
  ])
})

t.test('a name that is ours in short, or that begins like ours alone, is told too', async t => {
  const unread = (name: string) => `${name} is no variable of this service and is not read:`
  t.same(misspelt({ FORGE_READ_ONLY: 'true', FORGE_URL: 'x', FORGE_WEATHER: 'x', MCP_HOSTS: 'x' }), [
    `${unread('FORGE_READ_ONLY')} FORGE_READ_ONLY_MODE may be meant.`,
    `${unread('FORGE_URL')} FORGE_API_URL may be meant.`,
    `${unread('FORGE_WEATHER')} --help lists those that are.`,
    `${unread('MCP_HOSTS')} MCP_ALLOWED_HOSTS may be meant.`
  ])
  t.same(misspelt({ FORGE_ALLOWED_PROJECTS: 'x', MAX_REQUEST_PER_MINUTE: '9', DRAIN_SECOND: '9' }), [
    `${unread('FORGE_ALLOWED_PROJECTS')} FORGE_ALLOWED_PROJECT_IDS may be meant.`,
    `${unread('MAX_REQUEST_PER_MINUTE')} MAX_REQUESTS_PER_MINUTE may be meant.`,
    `${unread('DRAIN_SECOND')} DRAIN_SECONDS may be meant.`
  ])
  t.match(misspelt({ FROGE_API_URL: 'x', USE_PIPELINES: 'true', OAUTH_STATELES_MODE: 'x', LOGLEVEL: 'x' }), [
    /FORGE_API_URL may/,
    /USE_PIPELINE may/,
    /OAUTH_STATELESS_MODE may/,
    /LOG_LEVEL may/
  ])
  const others = [
    'FTP_PROXY',
    'POST',
    'SHOST',
    'FORGE_TOKEN',
    'FORGE_DOCTOR_TOKEN',
    'FORGE_PORT',
    'FORGE_PORT_80_TCP',
    'FORGE_SERVICE_PORT_HTTP'
  ]
  t.same(misspelt(Object.fromEntries(others.map(name => [name, 'x']))), [], 'which somebody else reads')
})

t.test(
  'the ways of other servers to say how they serve are told with ours, but for one that is set',
  async t => {
    const theirs = { MCP_TRANSPORT: 'stdio', MCP_HOST: 'x' }
    t.match(misspelt(theirs), [/STREAMABLE_HTTP may be meant/, / HOST may be meant/])
    t.same(misspelt({ ...theirs, STREAMABLE_HTTP: 'false', HOST: 'x' }), [])
    t.match(misspelt({ MCP_TRUSTED_PROXIES: 'x' }), [/MCP_TRUST_PROXY may be meant/])
  }
)

t.test('a token alone says how a client that starts the program by a command is served', async t => {
  t.match(problemsOf({ FORGE_PERSONAL_ACCESS_TOKEN: 'glpat-own-own-own-own-own' }), [
    /by a command set STREAMABLE_HTTP=false/
  ])
})

t.test('quotation marks are refused, as no shell took them away, and nothing within is said', async t => {
  t.same(problemsOf({ FORGE_API_URL: '"https://forge.example"', FORGE_DENIED_TOOLS_REGEX: `'^delete_'` }), [
    'FORGE_API_URL is in quotation marks, which count as part of it: leave them out.',
    'FORGE_DENIED_TOOLS_REGEX is in quotation marks, which count as part of it: leave them out.'
  ])
  t.match(
    problemsOf({ FORGE_API_URL: '“https://forge.example”' }),
    [/in quotation marks/],
    'those of a word processor'
  )
})

t.test(
  'a variable that nobody filled in, and a home folder that only a shell knows, are told as what they are',
  async t => {
    t.match(
      problemsOf({
        STREAMABLE_HTTP: 'false',
        FORGE_PERSONAL_ACCESS_TOKEN: `\${FORGE_PERSONAL_ACCESS_TOKEN}`
      }),
      [/^FORGE_PERSONAL_ACCESS_TOKEN has the name of a variable where its value belongs/]
    )
    t.match(problemsOf({ FORGE_API_URL: `\${input:forge}`, FORGE_CA_CERT_PATH: '~/ca.pem' }), [
      /^FORGE_API_URL has the name of a variable/,
      /^FORGE_CA_CERT_PATH begins with ~/
    ])
  }
)

t.test('projects are allowed one by one: a wildcard, which would match none, is refused', async t => {
  const problems = (FORGE_ALLOWED_PROJECT_IDS: string) => problemsOf({ FORGE_ALLOWED_PROJECT_IDS })
  const oneByOne = /Groups and wildcards are not taken: list each project\./
  t.match(problems('acme/*'), [/must list ids or full paths .*"acme\/\*"/])
  t.match(problems('acme/*'), [oneByOne])
  t.match(problems('https://forge.example/acme/rocket'), [/ is its path alone, without the address/])
  t.match(problems('acme/rocket\u200B'), [/has a character that is not seen/])
  t.match(startNotes(checkSettings({ FORGE_ALLOWED_PROJECT_IDS: 'acme' })).join('\n'), oneByOne)
})

t.test(
  'a proxy in small letters, which other programs read, is told with the variable that counts',
  async t => {
    t.match(misspelt({ https_proxy: 'x', ALL_PROXY: 'x' }), [
      /HTTPS_PROXY may be meant/,
      /HTTPS_PROXY may be meant/
    ])
    t.same(misspelt({ https_proxy: 'x', HTTPS_PROXY: 'x' }), [])
  }
)

t.test('help about a command runs nothing, and a switch is turned off by its value', async t => {
  t.equal(readCommandLine(['help', 'make-secret']).command, 'help')
  for (const flag of ['--no-forge-read-only-mode', '--no-gitlab-read-only-mode'])
    t.match(readCommandLine([flag]).problems, [/--forge-read-only-mode=false may be meant/], flag)
  t.match(readCommandLine(['--no-streamable-http']).problems, [/--streamable-http=false may be meant/])
})

t.test('a flag of another server is told with ours, and never with the value that turns it off', t => {
  for (const name of ['read-only-mode', 'deny-secret-values', 'mcp-oauth', 'audit-users'])
    t.match(
      readCommandLine([`--gitlab-${name}=true`]).problems,
      [new RegExp(` --forge-${name} may be meant`)],
      name
    )
  t.end()
})

t.test('a forge that is empty where it was to be set is told with the one that is used', async t => {
  const notes = (env: NodeJS.ProcessEnv, flags: Settings = {}) =>
    environmentNotes(env, gatherSettings(env, flags))
  t.match(notes({ FORGE_API_URL: ' ' }), [
    /^FORGE_API_URL is there and empty: .* go to https:\/\/gitlab\.com/
  ])
  t.same(notes({}), [])
  t.same(notes({ FORGE_API_URL: 'https://forge.example' }), [])
  t.same(notes({ FORGE_API_URL: '' }, { FORGE_API_URL: 'https://forge.example' }), [])
  t.same(notes({ FORGE_API_URL: '', ENABLE_DYNAMIC_API_URL: 'true' }), [], 'then none is used')
})

t.test('names that other servers have for what is set here are told with ours', async t => {
  const theirs = { GITLAB_API_URL: 'x', GITLAB_USER_EMAIL: 'x', GITLAB_CI: 'x' }
  t.same(misspelt(theirs), [
    'GITLAB_API_URL is no variable of this service and is not read: FORGE_API_URL may be meant.'
  ])
  t.same(misspelt({ ...theirs, FORGE_API_URL: 'y' }), [], 'both are set, so one is somebody else’s')
})

t.test(
  'an address without its scheme is told with one, and of an address with a user nothing is',
  async t => {
    const says = (settings: Settings) => problemsOf(settings).join('\n')
    t.match(says({ FORGE_API_URL: 'forge.example:8443/git' }), 'https://forge.example:8443/git may be meant.')
    t.notMatch(says({ FORGE_API_URL: 'https//forge.example' }), /may be meant/)
    t.match(
      says({ FORGE_API_URL: 'https://forge.example,https://b.example' }),
      /must be an http or https URL/
    )
    t.match(says({ MCP_SERVER_URL: 'mcp.example' }), 'https://mcp.example may be meant.')
    t.match(says({ MCP_SERVER_URL: 'localhost:3000' }), / http:\/\/localhost:3000 may be meant\.$/)
    t.match(says({ FORGE_API_URL: '127.0.0.1:8080/git' }), / http:\/\/127\.0\.0\.1:8080\/git may be meant\./)
    t.match(says({ FORGE_API_URL: 'localhost.example' }), / https:\/\/localhost\.example may be meant\./)
    for (const url of ['git@forge.example:acme/rocket.git', 'ssh://git@forge.example/acme/rocket.git'])
      t.match(says({ FORGE_API_URL: url }), / https:\/\/forge\.example may be meant\.$/)
    for (const url of ['me:secret@forge.example', 'htp://forge.example', 'forge example'])
      t.notMatch(says({ FORGE_API_URL: url }), /may be meant|secret/)
  }
)

t.test('an address that can hardly be right starts with a note', async t => {
  const notes = (settings: Settings) => startNotes(checkSettings(settings)).join('\n')
  for (const path of [
    '/api',
    '/api/',
    '/api/graphql',
    '/group/app/-/issues',
    '/group/app.git',
    '/mcp',
    '/api/v4/projects'
  ])
    t.match(notes({ FORGE_API_URL: `https://forge.example${path}` }), /a path that is no forge’s/, path)
  for (const url of ['https://github.com', 'https://GitHub.com/acme/rocket', 'https://api.github.com/'])
    t.match(
      notes({ FORGE_API_URL: url }),
      /^FORGE_API_URL is not a forge of this kind: .*github\.com does not/,
      url
    )
  t.match(notes({ FORGE_API_URL: 'https://bitbucket.org' }), /: .*bitbucket\.org does not/)
  for (const [path, of] of [
    ['/api/v3', 'GitHub Enterprise'],
    ['/rest/api/1.0', 'Bitbucket'],
    ['/api/v1/', 'Gitea or Forgejo']
  ])
    t.equal(
      notes({ FORGE_API_URL: `https://ghe.example${path}` }),
      `FORGE_API_URL has the path of ${of}: this server needs GitLab’s API, which a GitLab at this host has at /api/v4.`
    )
  for (const path of ['/group/project', '/group/project/'])
    t.match(
      notes({ FORGE_API_URL: `https://forge.example${path}` }),
      /^FORGE_API_URL looks like the address of a project: the forge’s own may be https:\/\/forge\.example\. A forge that is at this very path is given with \/api\/v4/,
      path
    )
  t.match(
    notes({ FORGE_API_URL: 'https://forge.example/gitlab/acme/rocket' }),
    ': the forge’s own may be https://forge.example or https://forge.example/gitlab. A'
  )
  for (const end of ['/api/v4/projects', '/api/graphql', '/-/user_settings'])
    t.match(
      notes({ FORGE_API_URL: `https://forge.example/gitlab${end}` }),
      ', such as https://forge.example/gitlab, or that with /api/v4'
    )
  t.match(notes({ FORGE_API_URL: 'https://gitlab.com/acme' }), /^FORGE_API_URL looks like/, 'it has no path')
  t.match(notes({ FORGE_API_URL: 'https://gitlab.com/a/b/c' }), / may be https:\/\/gitlab\.com\. /)
  for (const path of ['', '/', '/git', '/git/api/v4/', '/api/v4', '/apps/git/api/v4'])
    t.equal(notes({ FORGE_API_URL: `https://forge.example${path}` }), '', path)
  t.match(notes({ FORGE_API_URL: 'http://forge.example' }), /plain http: tokens can be read/)
  t.equal(notes({ FORGE_API_URL: 'http://127.0.0.1:8080' }), '')
  t.match(notes({ MCP_SERVER_URL: 'https://mcp.example/mcp' }), /hardly ends in \/mcp itself/)
  t.equal(notes({ MCP_SERVER_URL: 'https://mcp.example/base' }), '')
  t.equal(notes({ MCP_SERVER_URL: 'https://mcp' }), '', 'a host of that name')
})

t.test('of values that other programs take it is said what is meant here', async t => {
  const secret = 'Zq3kW8vT5nB2xY7cLmRdZq3kW8vT5nB2xY7cLmRd'
  for (const [settings, says] of [
    [
      { FORGE_PERSONAL_ACCESS_TOKEN: 'https://forge.example.com' },
      /An address: FORGE_API_URL may be meant\.$/m
    ],
    [{ FORGE_ALLOWED_HOSTS: '*' }, /For any host leave the variable empty\.$/],
    [{ FORGE_OAUTH_SCOPES: 'api;read_user' }, /Blanks or commas part them\.$/],
    [{ FORGE_TOOLSETS: 'mr,ci_cd,code' }, /merge_requests, pipelines, repository may be meant\.$/],
    [{ FORGE_TOOLS: 'list_*' }, /A name has no wildcard: FORGE_TOOLSETS takes/],
    [{ FORGE_DENIED_TOOLS_REGEX: '(?i)delete' }, /no flags in front/],
    [{ FORGE_DENIED_TOOLS_REGEX: '*delete*' }, /found anywhere in a name/],
    [{ FORGE_DENIED_TOOLS_REGEX: '^(delete\\|erase)_' }, /has \\\|, .* remove the backslash\./]
  ] as const)
    t.match(problemsOf(settings).join('\n'), says)
  const said = await loadSettings({
    OAUTH_STATELESS_MODE: 'true',
    OAUTH_STATELESS_SECRET_FILE: secret
  }).catch(String)
  t.match(said, /OAUTH_STATELESS_SECRET_FILE must be the path of a file: the secret itself goes in/)
  t.notMatch(said, secret)
  const pem = '-----BEGIN CERTIFICATE-----\nMIIB'
  t.match(
    await loadSettings({ FORGE_CA_CERT_PATH: pem }).catch(String),
    /must be the path of a file, and is a cert/
  )
})

t.test('of a toolset that is misspelt it is said which is meant', async t => {
  const problems = problemsOf({ FORGE_TOOLSETS: 'merge-requests, piplines' })
  t.match(problems, [/, not "merge-requests" or "piplines"\. merge_requests, pipelines may be meant\.$/])
})

t.test('a toolset that others have is told with ours that has its tools, each of them at once', async t => {
  const theirs = 'milestones, labels, users, tags, variables, repositories, branches, workitems, PRs, ci-cd'
  const [says, ...more] = problemsOf({ FORGE_TOOLSETS: theirs })
  t.same(more, [])
  t.equal(
    says?.replace(/^.*"ci-cd"\. /, ''),
    'milestones is in planning. labels is in planning. users is in people. tags is in repository. variables is in ci. repositories is in repository. branches is in repository. workitems is in work_items. PRs is in merge_requests. ci-cd is in pipelines. planning, people, repository, ci, work_items, merge_requests, pipelines may be meant.'
  )
})

t.test('combinations that do', async t => {
  const token = 'glpat-secret-secret-secret'
  for (const settings of [
    { STREAMABLE_HTTP: 'false', FORGE_PERSONAL_ACCESS_TOKEN: token, REMOTE_AUTHORIZATION: 'true' },
    { REMOTE_AUTHORIZATION: 'false', FORGE_PERSONAL_ACCESS_TOKEN: token },
    { HOST: '0.0.0.0', MCP_SERVER_URL: 'https://mcp.example/base' },
    { MCP_SERVER_URL: 'http://localhost:3000' },
    { FORGE_TOOLSETS: 'all' }
  ])
    t.same(problemsOf(settings), [], JSON.stringify(settings))
})

t.test('a sealing key that anybody guesses starts with a note that does not say it', async t => {
  const secret = Buffer.alloc(32, 7).toString('base64url')
  const notes = (settings: Settings) =>
    startNotes(checkSettings({ OAUTH_STATELESS_MODE: 'true', ...settings }))
  t.match(notes({ OAUTH_STATELESS_SECRET: secret }), [/^OAUTH_STATELESS_SECRET repeats the same few bytes/])
  t.notMatch(notes({ OAUTH_STATELESS_SECRET: secret }).join(), secret)
  t.same(
    notes({ OAUTH_STATELESS_SECRET: Buffer.from('0123456789abcdef'.repeat(2)).toString('base64url') }),
    []
  )
})

t.test('a log without audit lines starts with a note, but for the one caller over stdio', async t => {
  const notes = (settings: Settings) => startNotes(checkSettings(settings))
  for (const LOG_LEVEL of ['warn', 'error', 'fatal', 'silent'])
    t.same(notes({ LOG_LEVEL }), [
      `LOG_LEVEL=${LOG_LEVEL}: calls are not on record, as the audit lines have level info.`
    ])
  for (const LOG_LEVEL of ['info', 'debug', 'trace']) t.same(notes({ LOG_LEVEL }), [])
  const FORGE_PERSONAL_ACCESS_TOKEN = 'glpat-own-own-own-own-own'
  t.same(notes({ LOG_LEVEL: 'warn', STREAMABLE_HTTP: 'false', FORGE_PERSONAL_ACCESS_TOKEN }), [])
})

t.test('a public address without a known host starts with a note', async t => {
  t.match(startNotes(checkSettings({ HOST: '0.0.0.0' })), [/Any Host header/])
  t.same(startNotes(checkSettings({ HOST: '0.0.0.0', MCP_ALLOWED_HOSTS: 'mcp.example' })), [])
})

t.test('nothing is said of the Host header over stdio, where nobody can send one', async t => {
  const FORGE_PERSONAL_ACCESS_TOKEN = 'glpat-own-own-own-own-own'
  const notes = startNotes(
    checkSettings({ HOST: '0.0.0.0', STREAMABLE_HTTP: 'false', FORGE_PERSONAL_ACCESS_TOKEN })
  )
  t.same(
    notes.filter(note => note.includes('Host header')),
    []
  )
})

t.test('more sessions than fit beside anything else in the heap are told, with both numbers', async t => {
  const notes = (settings: Settings) => startNotes(checkSettings(settings), 1024 * 1024 * 1024)
  t.match(notes({ MAX_SESSIONS: '1000000' }), [/^MAX_SESSIONS take up to 3052 MiB .*\(1024 MiB\)/])
  t.match(notes({ MAX_SESSIONS: '200000' }), [
    /^MAX_SESSIONS take up to 610 MiB with tokens of 2048 characters/
  ])
  t.same(notes({ MAX_SESSIONS: '160000' }), [])
  t.match(
    notes({ MAX_SESSIONS: '160000', ENABLE_DYNAMIC_API_URL: 'true', FORGE_ALLOWED_HOSTS: 'git.example' }),
    [/^MAX_SESSIONS take up to 674 MiB /],
    'and of forges that callers name the URLs'
  )
  t.same(notes({}), [])
})

t.test('the command line', async t => {
  t.test('tells a short flag how flags are spelled, and takes its value for no command', async t => {
    t.match(readCommandLine(['-p', '3001', 'doctor']), {
      command: 'doctor',
      problems: [/^Unknown flag -p: flags are spelled out, as --port=3001/]
    })
    t.equal(readCommandLine(['-p', '3001']).problems.length, 1)
  })

  t.test('takes --name=value and --name value for any variable, in any case', async t => {
    const { flags, problems } = readCommandLine([
      '--forge-api-url=https://f.example',
      '--PORT',
      '80',
      '--max_sessions=3'
    ])
    t.same(flags, { FORGE_API_URL: 'https://f.example', PORT: '80', MAX_SESSIONS: '3' })
    t.same(problems, [])
  })

  t.test('takes a boolean flag alone as true', async t => {
    t.same(readCommandLine(['--remote-authorization', '--streamable-http', 'false']).flags, {
      REMOTE_AUTHORIZATION: 'true',
      STREAMABLE_HTTP: 'false'
    })
  })

  t.test('helps whoever asks for it, with a value too', async t => {
    for (const word of ['--help', '-h', '--help=1', 'help'])
      t.match(readCommandLine([word]), { command: 'help', problems: [] }, word)
  })

  t.test('names what it does not understand', async t => {
    t.same(readCommandLine(['--nope=1', '--forge-api-ulr=x', '--host=', 'frob', '--port']).problems, [
      'Unknown flag --nope; --help lists the flags.',
      'Unknown flag --forge-api-ulr: --forge-api-url may be meant; --help lists the flags.',
      '--host= has no value: give one, or leave the flag out.',
      'Unknown command frob; the commands are serve, doctor, tools, presets, prompts, config, make-secret, help, version.',
      '--port needs a value.'
    ])
    for (const flag of ['--forge-denied-tools-regex', '--forge-read-only-mode'])
      for (const nothing of ['', ' '])
        t.same(
          readCommandLine([flag, nothing, '--port=1']),
          {
            command: 'serve',
            flags: { PORT: '1' },
            problems: [`${flag} has no value: give one, or leave the flag out.`]
          },
          'as $VARIABLE in quotation marks is, if it is empty'
        )
  })

  t.test('names the flag that one in short, or of another server, stands for', async t => {
    const meant = {
      '--read-only': '--forge-read-only-mode',
      '--url': '--forge-api-url',
      '--toolsets': '--forge-toolsets',
      '--token': '--forge-personal-access-token',
      '--gitlab-api-url': '--forge-api-url',
      '--bind': '--host',
      '--debug': '--log-level=debug',
      '--hlep': '--help',
      '--stdio': '--streamable-http=false'
    }
    for (const [flag, ours] of Object.entries(meant))
      t.same(readCommandLine([flag]).problems, [
        `Unknown flag ${flag}: ${ours} may be meant; --help lists the flags.`
      ])
    for (const words of [['--env-file=.env'], ['--env-file', '.env'], ['--env-file-if-exists=.env']])
      t.match(readCommandLine([...words, 'doctor']), {
        command: 'doctor',
        problems: [/^--env-file\S* is a flag of Node\.js and stands before the script: .*; npx has no place/]
      })
    t.match(readCommandLine(['--token', 'its-value', '--url', 'doctor']), {
      command: 'doctor',
      problems: [/^Unknown flag --token:/, /^Unknown flag --url:/]
    })
    t.same(readCommandLine(['--frobnicate-it=1']).problems, [
      'Unknown flag --frobnicate-it; --help lists the flags.'
    ])
  })

  t.test('tells doctor’s token to be a variable of its own, wherever the command stands', async t => {
    const secret = 'glpat-secret-secret-secret'
    for (const args of [
      ['doctor', '--token', secret],
      [`--token=${secret}`, 'doctor'],
      ['doctor', '--private-token', secret],
      ['doctor', '--pat', secret],
      ['doctor', secret],
      ['--forge-doctor-token', secret]
    ]) {
      const { problems } = readCommandLine(args)
      t.match(problems, [/set as the variable FORGE_DOCTOR_TOKEN/], String(args[0]))
      t.equal(problems.length, 1)
      t.notMatch(problems.join(), secret)
    }
  })

  t.test('tells words that are no commands what was meant', async t => {
    for (const [word, says] of [
      ['stdio', /^Unknown command stdio: --streamable-http=false may be meant/],
      ['http', /^Unknown command http: --streamable-http=true, as it is anyway, may be meant/],
      ['start', /^Unknown command start: serve may be meant/],
      ['docter', /^Unknown command docter: doctor may be meant/],
      ['FORGE_API_URL=https://forge.example', /behind it, it is a flag: --forge-api-url=…/],
      ['./forge-tool-server-1.1.0.tgz', /^Two packages match the pattern: name one of them\.$/],
      ['—port=80', /two plain dashes/],
      ['port=80', /two plain dashes/]
    ] as const)
      t.match(readCommandLine([word]).problems, [says], word)
  })

  t.test('says how several toolsets are given where one stands behind the others', async t => {
    const { problems } = readCommandLine(['--forge-toolsets', 'issues', 'pipelines'])
    t.match(problems, [/^Toolsets are one list, with commas: --forge-toolsets=issues,pipelines;/])
  })

  t.test('says how a forge is given where an address stands alone', async t => {
    t.match(readCommandLine(['https://forge.example']).problems, [/given as --forge-api-url=/])
  })

  t.test('says no word that may be a secret', async t => {
    for (const secret of [token, appSecret]) {
      const said = readCommandLine([secret, `--${secret}`, `--${secret}=1`]).problems
      t.equal(said.length, 3)
      t.notMatch(said.join(), secret)
    }
  })

  t.test('knows its commands', async t => {
    t.equal(readCommandLine([]).command, 'serve')
    t.equal(readCommandLine(['tools']).command, 'tools')
    t.equal(readCommandLine(['-v']).command, 'version')
    t.equal(readCommandLine(['-h']).command, 'help')
  })

  t.test('lists every variable in --help', async t => {
    const help = helpText('1.2.3')
    for (const variable of variables) t.match(help, `--${variable.toLowerCase().replaceAll('_', '-')}=`)
    t.match(help, /^ {2}doctor .* a token \(FORGE_DOCTOR_TOKEN\)/m, 'and what its command reads besides')
  })
})

t.test('what is used most stands first: the forge, who calls, where it listens, what is offered', async t => {
  const help = helpText('1.2.3')
  const flags = [
    'forge-api-url',
    'remote-authorization',
    'port',
    'forge-toolsets',
    'http-proxy',
    'forge-pool'
  ]
  const places = flags.map(flag => help.indexOf(`  --${flag}`))
  t.notOk(places.includes(-1))
  t.same(
    places,
    places.toSorted((a, b) => a - b)
  )
})

t.test('every variable stands under one heading', async t => {
  t.same(sections.flatMap(({ variables }) => variables).sort(), [...variables].sort())
})
