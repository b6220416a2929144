import t from 'tap'
import { readEnvironment } from '../../src/config/environment.ts'
import type { Settings } from '../../src/config/load.ts'
import { deletions } from '../../src/config/meant-variable.ts'
import { printConfig } from '../../src/docs.ts'
import { examine } from '../../src/doctor/doctor.ts'
import { toolsets } from '../../tools/index.ts'

const home = { FORGE_API_URL: 'https://forge.example' }
const readOf = async (env: NodeJS.ProcessEnv, flags: Settings = {}) => {
  const { problems, unread, notes } = await readEnvironment({ ...home, ...env }, flags, [])
  return { problems, notes: [...unread, ...notes] }
}

t.test('what forbids nothing, or is of another program, keeps nothing from starting', async t => {
  const refused = async (env: NodeJS.ProcessEnv) =>
    (await readEnvironment(env, {}, [])).problems.map(says => says.split(' ')[0])
  for (const env of [
    { FORGE_CONFIRM_MODE: 'never' },
    { GITLAB_TOOL_POLICY_HIDDEN: 'none' },
    { GITLAB_API_URL: 'https://gitlab.com/api/v4' },
    { FORGE_PROJECTS: '/srv/forge' }
  ])
    t.same(await refused(env), [], JSON.stringify(env))
  for (const env of [
    { FORGE_ALLOW_PROJECTS: 'none' },
    { FORGE_PROJECT_IDS: '12,13,' },
    { FORGE_PROJECTS: 'group%2Fapp' },
    { GITLAB_API_URL: 'https://git.corp.example/api/v4' }
  ])
    t.same(await refused(env), Object.keys(env), JSON.stringify(env))
})

t.test('a policy keeps the service from starting in whatever letters its name is written', async t => {
  for (const [name, value, meant] of [
    ['FORGE-READ-ONLY-MODE', 'true', 'FORGE_READ_ONLY_MODE'],
    ['forge.read.only.mode', 'true', 'FORGE_READ_ONLY_MODE'],
    ['forgeReadOnlyMode', 'true', 'FORGE_READ_ONLY_MODE'],
    ['gitlab-permission-mode', 'readonly', 'FORGE_READ_ONLY_MODE'],
    ['GitLabReadOnlyMode', 'true', 'FORGE_READ_ONLY_MODE'],
    ['gitLabReadOnlyMode', 'true', 'FORGE_READ_ONLY_MODE'],
    ['GitLab-Read-Only-Mode', 'true', 'FORGE_READ_ONLY_MODE'],
    ['GitLab.ReadOnlyMode', 'true', 'FORGE_READ_ONLY_MODE'],
    ['GitLab_ReadOnlyMode', 'true', 'FORGE_READ_ONLY_MODE'],
    ['MCP_FORGE_READ_ONLY_MODE', 'true', 'FORGE_READ_ONLY_MODE'],
    ['MCP_GITLAB_READ_ONLY', 'true', 'FORGE_READ_ONLY_MODE'],
    ['FORGE-ALLOWED-PROJECT-IDS', '41', 'FORGE_ALLOWED_PROJECT_IDS'],
    ['FORGE_DENY_TOOLS_REGEX', '^update_', 'FORGE_DENIED_TOOLS_REGEX'],
    ['FORGE_HIDE_SECRET_VALUES', 'true', 'FORGE_DENY_SECRET_VALUES']
  ] as const)
    t.match((await readOf({ [name]: value })).problems, [
      new RegExp(`^${name} is no variable of this service, and ${meant}, which may be meant, is not set`)
    ])
  for (const name of ['forge.version', 'forge-home', 'mcp-port', 'forgejoReadOnly'])
    t.same((await readOf({ [name]: 'true' })).problems, [], name)
  for (const name of ['GitLabApiUrl', 'MCP_FORGE_API_URL', 'MCP_GITLAB_API_URL', 'MCP_FORGE_API_BASE_URL'])
    t.match((await readOf({ [name]: 'https://git.corp.example', FORGE_API_URL: '' })).problems, [
      new RegExp(`^${name} is no .* tokens would go to`)
    ])
})

t.test(
  'what other programs have in our words starts, and is told, in whatever letters it is written',
  async t => {
    for (const [name, value] of [
      ['FORGE_CONFIG', '/etc/forge.yml'],
      ['FORGE_MODE', 'production'],
      ['FORGE_READ', 'x'],
      ['FORGE_ONLY', 'x'],
      ['FORGE_REGEX', 'x']
    ] as const) {
      const words = name.toLowerCase().split('_')
      const [first = '', last = ''] = words
      const hump = last[0]!.toUpperCase() + last.slice(1)
      for (const written of [
        name,
        words.join('_'),
        words.join('.'),
        words.join('-'),
        `F${first.slice(1)}${hump}`
      ]) {
        const { problems, notes } = await readOf({ [written]: value })
        t.same(problems, [], written)
        t.match(notes, [new RegExp(`^${written} is no variable .* may be meant`)])
      }
    }
  }
)

t.test('a variable behind a byte order mark keeps the service from starting, as nobody reads it', async t => {
  for (const name of ['FORGE_API_URL', 'FORGE_READ_ONLY_MODE', 'FORGE_ALLOWED_PROJECT_IDS', 'PORT']) {
    const { problems, notes } = await readOf({ FORGE_API_URL: undefined, [`\uFEFF${name}`]: 'secret' })
    t.match(problems, [new RegExp(`^${name} is not read: .* byte order mark.* Save it without one\\.$`)])
    t.same(notes, [])
  }
  for (const name of [
    'FORGE_READ_ONLY_MODE\u200B',
    'FORGE_READ\u00AD_ONLY_MODE',
    '\u00A0FORGE_READ_ONLY_MODE'
  ])
    t.match((await readOf({ [name]: 'true' })).problems, [/^FORGE_READ_ONLY_MODE .* that is not seen/])
  const env = { ...home, '\uFEFFFORGE_READ_ONLY_MODE': 'true' }
  const { text, isWell } = await examine(env, {}, [])
  t.match(text, /byte order mark/)
  t.notOk(isWell)
})

t.test(
  'a name of another program behind such a mark is nothing to us, and one that is near is told',
  async t => {
    t.same(await readOf({ '\uFEFFDATABASE_URL': 'x' }), { problems: [], notes: [] })
    t.match((await readOf({ '\uFEFFFORGE_TOOLSET': 'x' })).notes, [
      /^FORGE_TOOLSET is no .* FORGE_TOOLSETS may/
    ])
  }
)

const restricting: readonly (readonly [string, string, string])[] = [
  ['GITLAB_PERMISSION_MODE', 'readonly', 'FORGE_READ_ONLY_MODE'],
  ['GITLAB_PERMISSION_MODE', 'modify', 'FORGE_DENIED_TOOLS_REGEX'],
  ['GITLAB_READ_ONLY_MODE', 'true', 'FORGE_READ_ONLY_MODE'],
  ['GITLAB_READ_ONLY', 'true', 'FORGE_READ_ONLY_MODE'],
  ['GITLAB_READONLY', '1', 'FORGE_READ_ONLY_MODE'],
  ['FORGE_READ_ONLY', 'true', 'FORGE_READ_ONLY_MODE'],
  ['forge_read_only_mode', 'true', 'FORGE_READ_ONLY_MODE'],
  ['GITLAB_TOOL_POLICY_HIDDEN', 'delete_issue', 'FORGE_DENIED_TOOLS_REGEX'],
  ['GITLAB_DENIED_TOOLS_REGEX', '^delete_', 'FORGE_DENIED_TOOLS_REGEX'],
  ['GITLAB_TOOL_POLICY_APPROVE', 'delete_issue', 'FORGE_CONFIRM'],
  ['GITLAB_ALLOWED_PROJECT_IDS', '7', 'FORGE_ALLOWED_PROJECT_IDS'],
  ['FORGE_PERMISSION_MODE', 'readonly', 'FORGE_READ_ONLY_MODE'],
  ['FORGE_TOOL_POLICY_HIDDEN', 'delete_issue', 'FORGE_DENIED_TOOLS_REGEX'],
  ['FORGE_TOOL_POLICY_APPROVE', 'delete_issue', 'FORGE_CONFIRM'],
  ['FORGE.READ_ONLY_MODE', 'true', 'FORGE_READ_ONLY_MODE'],
  ['FORGE_READONLY_MODE', 'enabled', 'FORGE_READ_ONLY_MODE'],
  ['GITLAB_READ_ONLY_MODE', 't', 'FORGE_READ_ONLY_MODE'],
  ['FORGE_PROJECT_IDS', '41,42', 'FORGE_ALLOWED_PROJECT_IDS'],
  ['FORGE_PROJECT', '41,42', 'FORGE_ALLOWED_PROJECT_IDS'],
  ['FORGE_PROJECTS', 'acme/rocket', 'FORGE_ALLOWED_PROJECT_IDS'],
  ['FORGE_ALLOW_PROJECTS', 'acme/rocket', 'FORGE_ALLOWED_PROJECT_IDS'],
  ['FORGE_BLOCKED_TOOLS', 'delete_issue', 'FORGE_DENIED_TOOLS_REGEX'],
  ['GITLAB_EXCLUDED_TOOLS', 'delete_issue', 'FORGE_DENIED_TOOLS_REGEX'],
  ['GITLAB_MCP_READ_ONLY', 'true', 'FORGE_READ_ONLY_MODE'],
  ['GITLAB_MCP_READ_ONLY_MODE', 'true', 'FORGE_READ_ONLY_MODE'],
  ['FORGE_MCP_READ_ONLY_MODE', 'true', 'FORGE_READ_ONLY_MODE'],
  ['GITLAB_DISABLE_WRITES', '1', 'FORGE_READ_ONLY_MODE'],
  ['GITLAB_DENIED_ACTIONS', 'delete_issue', 'FORGE_DENIED_TOOLS_REGEX'],
  ['GITLAB_MCP_DENIED_TOOLS', 'delete_issue', 'FORGE_DENIED_TOOLS_REGEX'],
  ['FORGE_CONFIRM_MODE', 'always', 'FORGE_CONFIRM'],
  ['FORGE_REQUIRE_CONFIRM', 'true', 'FORGE_CONFIRM'],
  ['ENABLE_STRICT_PROJECT_SCOPE', 'true', 'FORGE_ALLOWED_PROJECT_IDS']
]

t.test(
  'what is forbidden by a name that nobody reads is not allowed: the service does not start',
  async t => {
    for (const [name, value, meant] of restricting) {
      const { problems, notes } = await readOf({ [name]: value })
      t.match(problems, [new RegExp(`^${name} is no variable .* Set ${meant}, or unset ${name}\\.$`)], name)
      t.same(notes, [], 'it is said once')
      const decided = { [meant]: 'x' }
      t.same((await readOf({ [name]: value, ...decided })).problems, [], 'whoever set ours has decided')
      t.same((await readOf({ [name]: value }, decided)).problems, [])
    }
  }
)

t.test('one of ours that is there and empty has decided nothing', async t => {
  for (const [name, value, meant] of restricting)
    for (const nothing of ['', '  '])
      t.match(
        (await readOf({ [name]: value, [meant]: nothing })).problems,
        [new RegExp(`^${name} is no variable .* Set ${meant}, or unset ${name}\\.$`)],
        name
      )
  t.match((await readOf({ FORGE_API_URL: '', GITLAB_API_URL: 'https://git.corp.example' })).problems, [
    /^GITLAB_API_URL is no .* tokens would go to/
  ])
  const folder = t.testdir({ settings: 'FORGE_READ_ONLY_MODE=\n' })
  const FORGE_SETTINGS_PATH = `${folder}/settings`
  t.same(
    (await readOf({ GITLAB_READ_ONLY: 'true', FORGE_SETTINGS_PATH })).problems,
    [],
    'in the file of settings it means the default'
  )
})

t.test('where all but deletions is allowed elsewhere, the pattern that forbids these is told', async t => {
  for (const name of ['GITLAB_PERMISSION_MODE', 'FORGE_PERMISSION_MODE'])
    t.match((await readOf({ [name]: '"Modify"' })).problems, [` The pattern ${deletions} forbids the tools`])
  t.ok(printConfig().split('\n').includes(deletions), 'a line of its own, which is copied as it is')
  const rows = toolsets.flatMap(({ rows }) => rows)
  const isMerge = (name: string) => /^(?:merge_merge_request|add_merge_request_to_merge_train)$/.test(name)
  t.same(
    rows.filter(({ name }) => new RegExp(deletions).test(name)),
    rows.filter(({ name, class: of }) => of === 'destructive' && !isMerge(name)),
    'it is of what destroys, but for merges'
  )
})

t.test('a value in quotation marks, which some programs leave there, is judged by what it holds', async t => {
  const inMarks = (value: string) => [`"${value}"`, `'${value}'`, ` "${value}" `, `“${value}”`]
  for (const [name, value, meant] of restricting)
    for (const written of inMarks(value))
      t.match(
        (await readOf({ [name]: written })).problems,
        [new RegExp(`^${name} is no .* Set ${meant}, `)],
        written
      )
  t.match((await readOf({ FORGE_MODE: '"true"' })).problems, [/^FORGE_MODE is no/])
  t.same((await readOf({ FORGE_MODE: '"production"' })).problems, [])
  t.same(await readOf({ GITLAB_READ_ONLY_MODE: '"false"', GITLAB_ALLOWED_PROJECT_IDS: '""' }), {
    problems: [],
    notes: []
  })
  for (const name of ['GITLAB_API_URL', 'FORGE_URL'])
    for (const value of [...inMarks('https://git.corp.example/api/v4'), `\${CI_API_V4_URL}`])
      t.match((await readOf({ [name]: value, FORGE_API_URL: '' })).problems, [/tokens would go to/], value)
  t.same((await readOf({ GITLAB_API_URL: '"https://gitlab.com"', FORGE_API_URL: '' })).problems, [])
})

t.test('what a flag sets is not told of by the name that others have for it', async t => {
  const theirs = { GITLAB_READ_ONLY_MODE: 'true', MCP_PORT: '8080' }
  const flags = { FORGE_READ_ONLY_MODE: 'true', PORT: '1' }
  t.same(await readOf(theirs, flags), { problems: [], notes: [] })
})

t.test('a file of settings decides as well', async t => {
  const folder = t.testdir({ settings: 'FORGE_READ_ONLY_MODE=false\n' })
  const FORGE_SETTINGS_PATH = `${folder}/settings`
  t.same((await readOf({ GITLAB_READ_ONLY: 'true', FORGE_SETTINGS_PATH })).problems, [])
  t.match((await readOf({ GITLAB_TOOL_POLICY_HIDDEN: 'x', FORGE_SETTINGS_PATH })).problems, [/FORGE_DENIED/])
})

t.test('so it is with what another server limits and this one has no setting for', async t => {
  for (const [name, value] of [
    ['GITLAB_OAUTH_ALLOWED_GROUPS', 'acme-value'],
    ['GITLAB_ALLOWED_GROUPS', 'acme-value'],
    ['FORGE_ALLOWED_GROUPS', 'acme-value'],
    ['FORGE_OAUTH_ALLOWED_GROUPS', 'acme-value'],
    ['FORGE_MASKING_ENABLED', 'yes'],
    ['STREAMABLE_HTTP_AUTH_TOKEN', 'acme-value'],
    ['SSE_AUTH_TOKEN', 'acme-value'],
    ['GITLAB_MASKING_ENABLED', 'true']
  ] as const) {
    const { problems } = await readOf({ [name]: value })
    t.match(problems, [new RegExp(`^${name} is no variable .* Unset ${name} to serve without\\.$`)])
    t.notMatch(problems.join(), /acme-value/)
    t.same((await readOf({ [name]: 'off' })).problems, [])
  }
})

t.test('values that restrict nothing are left alone, and what a client may have is only told', async t => {
  for (const [name] of restricting)
    for (const value of [
      '',
      ...['false', '0', 'no', 'off', 'disabled'],
      ...(name.endsWith('PERMISSION_MODE') ? ['full', 'constructor'] : [])
    ]) {
      const { problems, notes } = await readOf({ [name]: value })
      t.same(problems, [], `${name}=${value}`)
      if (/^(?:GITLAB|ENABLE)_/.test(name)) t.same(notes, [])
    }
  t.match(await readOf({ MCP_AUTH_TOKEN: 'x', READ_ONLY_MODE: 'true' }), {
    problems: [],
    notes: [/^MCP_AUTH_TOKEN is no/, /^READ_ONLY_MODE is no/]
  })
})

t.test('MCP_ before a policy is told, as another server may have it, and is no news beside ours', async t => {
  for (const [name, value, meant] of [
    ['MCP_READ_ONLY_MODE', 'true', 'FORGE_READ_ONLY_MODE'],
    ['mcp-read-only', 'true', 'FORGE_READ_ONLY_MODE'],
    ['MCP_ALLOWED_PROJECT_IDS', '9', 'FORGE_ALLOWED_PROJECT_IDS'],
    ['MCP_DENIED_TOOLS_REGEX', 'x', 'FORGE_DENIED_TOOLS_REGEX']
  ] as const) {
    t.match(await readOf({ [name]: value }), {
      problems: [],
      notes: [`${name} is no variable of this service and is not read: ${meant} may be meant.`]
    })
    t.same(await readOf({ [name]: value, [meant]: value }), { problems: [], notes: [] }, meant)
  }
  t.same(await readOf({ MCP_READ_ONLY_MODE: 'false' }), { problems: [], notes: [] })
  t.match(await readOf({ MCP_API_URL: 'https://git.example', FORGE_API_URL: undefined }), {
    problems: [],
    notes: [/^MCP_API_URL is no .* FORGE_API_URL may be meant/]
  })
  t.same(await readOf({ MCP_API_URL: 'https://mcp.example' }), { problems: [], notes: [] })
})

t.test('a known name that begins with MCP_ means the same with FORGE_ before it', async t => {
  const callersName = { ENABLE_DYNAMIC_API_URL: 'true' }
  for (const [name, says] of [
    ['FORGE_MCP_ALLOWED_HOSTS', 'MCP_ALLOWED_HOSTS may be meant'],
    ['GITLAB_MCP_ALLOWED_HOSTS', 'MCP_ALLOWED_HOSTS may be meant'],
    ['mcp_allowed_hosts', 'MCP_ALLOWED_HOSTS may be meant'],
    ['FORGE_MCP_HOST', 'HOST may be meant'],
    ['FORGE_MCP_BASE_URL', 'MCP_SERVER_URL may be meant'],
    ['FORGE_MCP_API_KEY', 'this service has no token of its own']
  ] as const)
    t.match(await readOf({ ...callersName, [name]: 'mcp.example.com' }), {
      problems: [],
      notes: [new RegExp(`^${name} is no variable of this service and is not read: ${says}`)]
    })
  t.match((await readOf({ ...callersName, FORGE_ALLOWED_HOST: 'forge.example' })).problems, [
    /^FORGE_ALLOWED_HOST is no .* Set FORGE_ALLOWED_HOSTS/
  ])
})

t.test('the address at which clients find this service is none of the forge', async t => {
  for (const name of ['MCP_FORGE_URL', 'MCP_FORGE_HOST', 'MCP_FORGE_SERVER', 'MCP_FORGE_ENDPOINT'])
    t.same(
      await readOf({ [name]: 'https://mcp.corp.example/mcp', FORGE_API_URL: undefined }),
      { problems: [], notes: [] },
      name
    )
})

t.test('a name of another server that has only words of a policy is told of', async t => {
  for (const [name, value, meant] of [
    ['GITLAB_PROJECT_IDS', 'acme/rocket', 'FORGE_ALLOWED_PROJECT_IDS may be meant'],
    ['GITLAB_MCP_PROJECT_IDS', '41,42', 'FORGE_ALLOWED_PROJECT_IDS may be meant'],
    ['GITLAB_DENIED_REGEX', '^delete_', 'FORGE_DENIED_TOOLS_REGEX may be meant'],
    ['GITLAB_ALLOWED_TOOLS', 'get_issue', 'FORGE_TOOLS lists more tools and forbids none'],
    ['GITLAB_MCP_ENABLED_TOOLS', 'get_issue', 'FORGE_TOOLS lists more tools and forbids none']
  ] as const) {
    const { problems, notes } = await readOf({ [name]: value })
    t.same(problems, [], name)
    t.match(notes, [new RegExp(`^${name} is no variable of this service and is not read: ${meant}`)])
    t.same((await readOf({ [name]: '' })).notes, [], 'it restricts nothing')
  }
})

t.test('names of GitLab’s own programs and of clients are no policy and no forge', async t => {
  for (const [name, value] of [
    ['GITLAB_API_TOKEN', 'x'],
    ['GITLAB_LOG_LEVEL', 'debug'],
    ['CI_API_V4_URL', 'https://git.example/api/v4'],
    ['GITLAB_FEATURES', 'audit_events'],
    ['GITLAB_PROJECTS_LIMIT', '100'],
    ['GITLAB_PROJECTS', 'acme/rocket'],
    ['GITLAB_CONFIG', '/etc/gitlab'],
    ['GITLAB_SECRETS', 'x'],
    ['GITLAB_PORT', 'tcp://10.0.0.1:80']
  ] as const)
    t.same(await readOf({ [name]: value, FORGE_API_URL: undefined }), { problems: [], notes: [] }, name)
  for (const [name, value] of [
    ['FORGE_MODE', 'production'],
    ['FORGE_PROJECT', 'acme/rocket'],
    ['FORGE_READ_ONLY_TOKEN', 'x']
  ] as const)
    t.same((await readOf({ [name]: value })).problems, [], name)
})

t.test('names that others have for their own are no policy of ours', async t => {
  for (const [name, value] of [
    ['FORGE_CONFIG', '~/.config/forge'],
    ['FORGE_CONFORM', 'x'],
    ['FORGE_CONFIRMS', 'false']
  ] as const)
    t.same((await readOf({ [name]: value })).problems, [], name)
  t.match((await readOf({ FORGE_CONFIRMS: 'writes' })).problems, [/^FORGE_CONFIRMS is no .* FORGE_CONFIRM,/])
  for (const name of ['STREAMABLE_HTTP_AUTH_TOKEN', 'SSE_AUTH_TOKEN', 'GITLAB_ALLOWED_GROUPS']) {
    t.match((await readOf({ [name]: 'x' })).problems, [new RegExp(`^${name} is no`)])
    t.same((await readOf({ [name]: 'x', STREAMABLE_HTTP: 'false' })).problems, [], 'there is no port')
  }
  t.match((await readOf({ FORGE_ALLOWED_HOST: 'forge.example', ENABLE_DYNAMIC_API_URL: 'true' })).problems, [
    /FORGE_ALLOWED_HOSTS, which may/
  ])
})

t.test('what is not seen in a name matters where it would set something that is not set', async t => {
  t.same((await readOf({ '\uFEFFPORT': '3000' }, { PORT: '3001' })).problems, [])
  t.same((await readOf({ '\uFEFFPORT': '' })).problems, [])
  t.same((await readOf({ 'PORT ': '3000', 'HTTP_PROXY ': 'http://proxy.example' })).problems, [])
  t.match((await readOf({ 'FORGE_READ_ONLY_MODE ': 'true' })).problems, [/^FORGE_READ_ONLY_MODE is not read/])
})

t.test('a name with words of a shell before it keeps the service from starting', async t => {
  for (const name of ['declare -x FORGE_READ_ONLY_MODE', 'set FORGE_CONFIRM', "'MCP_ALLOWED_HOSTS'"]) {
    const { problems, notes } = await readOf({ [name]: 'x' })
    t.match(
      problems,
      [/^(?:FORGE|MCP)_\w+ is not read: other words or signs stand with it in its name/],
      name
    )
    t.same(notes, [], 'it is said once')
  }
  t.match((await readOf({ 'export GITLAB_READ_ONLY_MODE': 'true' })).problems, [
    /^GITLAB_READ_ONLY_MODE is no/
  ])
  const FORGE_CONFIRM = 'writes'
  t.same((await readOf({ 'declare -x FORGE_CONFIRM': 'off', FORGE_CONFIRM })).problems, [], 'ours is set')
  t.same(await readOf({ 'set PORT': '1', 'declare -x PATH': '/bin' }), { problems: [], notes: [] })
})

t.test('a port is told of where it is a number, and not where Kubernetes sets it for a service', async t => {
  t.match((await readOf({ FORGE_PORT: '18080' })).notes, [/^FORGE_PORT is no variable .*: PORT may be meant/])
  t.same((await readOf({ FORGE_PORT: 'tcp://10.0.0.1:80' })).notes, [])
  t.same((await readOf({ FORGE_PORT: '18080', PORT: '1' })).notes, [])
})
