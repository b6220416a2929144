import t from 'tap'
import { checkSettings } from '../../src/config/load.ts'
import { notesOn } from '../../src/config/notes.ts'
import { rules } from '../../src/config/rules/rules.ts'
import type { Config } from '../../src/config/schema.ts'
import { catalogNames } from '../support/catalog-names.ts'
import { secretOf } from '../support/sealing.ts'
import { notes, only, refusal, render } from './helm.ts'

/*
 * What the service refuses at its start, the chart refuses before anything is installed: for each rule values that break
 * it, and values close to them that do not. `.ci/chart` runs these tests: they need Helm.
 */

type Settings = Partial<Config>

const secrets = { OAUTH_STATELESS_SECRET: secretOf('chart') }
/** The service as the chart starts it. */
const usual = checkSettings({
  ...only(render({ set: 'minimal' }), 'ConfigMap').data,
  ...Object.fromEntries(
    Object.keys(only(render({ set: 'minimal' }), 'ConfigMap').data)
      .filter(name => name.endsWith('_FILE'))
      .map(name => [name, ''])
  ),
  ...secrets
})

const oauth = {
  FORGE_MCP_OAUTH: true,
  FORGE_OAUTH_APP_ID: '5f1d',
  MCP_SERVER_URL: 'https://mcp.example.com'
} satisfies Settings
const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318' } satisfies Settings

/** What rules there are, by the beginning of their sentence, and values that break each. */
const wrong: Record<string, readonly Settings[]> = {
  'FORGE_DOWNLOAD_DIR must be a folder': [{ FORGE_DOWNLOAD_DIR: '/nowhere' }],
  'Over HTTP set REMOTE_AUTHORIZATION=true': [{ REMOTE_AUTHORIZATION: false }],
  'FORGE_API_URL must be': [
    'forge.example.com',
    'ftp://forge.example.com',
    'https://',
    'https://me:secret@forge.example.com',
    'https://forge.example.com?x=1',
    'https://forge.example.com/#x',
    'https://forge.example.com:0',
    'https://forge.example.com:65536',
    'https://forge example.com',
    'http://http://127.0.0.1:7100',
    'https://https:/forge.example.com',
    'https://forge.example.com//team',
    'https://forge.example/{team}',
    'https://$FORGE_HOST/api/v4',
    'https://forge.example;'
  ].map(url => ({ FORGE_API_URL: url })),
  'FORGE_API_URL is a link-local': [
    'http://169.254.169.254',
    'http://0.0.0.0:8080',
    'https://224.0.0.1/',
    'http://[fe80::1]',
    'http://metadata.google.internal/x',
    'http://168.63.129.16'
  ].map(url => ({ FORGE_API_URL: url })),
  'MCP_SERVER_URL must be': [
    'mcp.example.com',
    'http://mcp.example.com',
    'https://mcp.example.com?x=1',
    'https://mcp.example.com/#x',
    'https://me@mcp.example.com',
    'https://mcp.example.com:70000/tools',
    'https://*.mcp.example.com',
    'https://https://mcp.example.com',
    'https://a.example,https://b.example',
    'https://a.example;b.example'
  ].map(url => ({ MCP_SERVER_URL: url })),
  'FORGE_TOOLSETS may list': [{ FORGE_TOOLSETS: 'issues,mergerequests' }, { FORGE_TOOLSETS: 'issues;wiki' }],
  'FORGE_TOOLS must list': [{ FORGE_TOOLS: 'get_issue;list_issues' }, { FORGE_TOOLS: 'get-issue' }],
  'FORGE_ALLOWED_PROJECT_IDS must list': [
    { FORGE_ALLOWED_PROJECT_IDS: 'a/b;c/d' },
    { FORGE_ALLOWED_PROJECT_IDS: ', ,' },
    { FORGE_ALLOWED_PROJECT_IDS: '[41,42]' },
    { FORGE_ALLOWED_PROJECT_IDS: 'https://forge.example/a/b' }
  ],
  'FORGE_PROJECT_ID must be': [
    { FORGE_PROJECT_ID: 'https://forge.example/a/b' },
    { FORGE_PROJECT_ID: '/a/b' }
  ],
  'MCP_ALLOWED_HOSTS must list': [
    { MCP_ALLOWED_HOSTS: 'https://mcp.example.com' },
    { MCP_ALLOWED_HOSTS: 'a.example;b.example' },
    { MCP_ALLOWED_HOSTS: '*' },
    { MCP_ALLOWED_HOSTS: ',' },
    { MCP_ALLOWED_HOSTS: '.mcp.example.com' },
    { MCP_ALLOWED_HOSTS: 'mcp.example.com:65536' }
  ],
  'FORGE_DENIED_TOOLS_REGEX has \\|': [
    { FORGE_DENIED_TOOLS_REGEX: '^(delete\\|purge)_' },
    { FORGE_DENIED_TOOLS_REGEX: 'delete_branch\\|delete_issue' }
  ],
  'FORGE_DENIED_TOOLS_REGEX must be': [
    { FORGE_DENIED_TOOLS_REGEX: '(delete' },
    { FORGE_DENIED_TOOLS_REGEX: '*_x' }
  ],
  'MCP_ALLOWED_ORIGINS must list': [
    'app.example',
    'https://app.example/',
    'https://app.example/x',
    'https://App.example',
    'https://app.example:443',
    'https://app.example:65536',
    'https://a.example;https://b.example',
    'https://*.app.example',
    'file://app'
  ].map(origin => ({ MCP_ALLOWED_ORIGINS: origin })),
  'OAUTH_STATELESS_SID_REUSE_SECONDS must not exceed': [
    { OAUTH_STATELESS_SID_REUSE_SECONDS: 3601 },
    { OAUTH_STATELESS_SID_REUSE_SECONDS: 61, OAUTH_STATELESS_SESSION_TTL_SECONDS: 60 }
  ],
  'OAUTH_STATELESS_MODE=true serves callers who bring': [{ REMOTE_AUTHORIZATION: false }],
  'ENABLE_DYNAMIC_API_URL=true needs REMOTE_AUTHORIZATION': [
    { ...oauth, ENABLE_DYNAMIC_API_URL: true, REMOTE_AUTHORIZATION: false, FORGE_ALLOWED_HOSTS: 'a.example' }
  ],
  'ENABLE_DYNAMIC_API_URL=true and FORGE_MCP_OAUTH=true': [
    { ...oauth, ENABLE_DYNAMIC_API_URL: true, FORGE_ALLOWED_HOSTS: 'a.example' }
  ],
  'FORGE_ALLOWED_HOSTS must list': [
    'https://a.example',
    'a.example/x',
    'a.example;b.example',
    '*',
    'a.example:65536',
    '[2600::1]:99999',
    ','
  ].map(hosts => ({ FORGE_ALLOWED_HOSTS: hosts })),
  'FORGE_ALLOWED_HOSTS names': [
    { FORGE_ALLOWED_HOSTS: 'a.example, 169.254.169.254' },
    { FORGE_ALLOWED_HOSTS: '[fe80::1]' }
  ],
  'FORGE_MCP_OAUTH=true needs MCP_SERVER_URL': [{ ...oauth, MCP_SERVER_URL: '' }],
  'FORGE_MCP_OAUTH=true needs FORGE_OAUTH_APP_ID': [{ ...oauth, FORGE_OAUTH_APP_ID: '' }],
  'FORGE_OAUTH_APP_ID must be': [{ FORGE_OAUTH_APP_ID: 'a b' }, { FORGE_OAUTH_APP_ID: 'x'.repeat(256) }],
  'FORGE_OAUTH_SCOPES must list': [
    { FORGE_OAUTH_SCOPES: 'api;read_api' },
    { FORGE_OAUTH_SCOPES: 'API' },
    { FORGE_OAUTH_SCOPES: 'read_user' }
  ],
  'FORGE_OAUTH_CONSENT=true needs': [
    { ...oauth, FORGE_OAUTH_CONSENT: true, FORGE_OAUTH_CALLBACK_PROXY: false }
  ],
  'MCP_TRUST_PROXY must list': [
    'nginx',
    '10.0.0.0/33',
    '10.0.0',
    '10.0.0.256',
    '::1/129',
    '10.0.0.1;10.0.0.2'
  ].map(proxies => ({ MCP_TRUST_PROXY: proxies })),
  'MCP_TRUST_PROXY holds every address': ['0.0.0.0/0', '::/0', 'loopback, 10.0.0.0/0'].map(proxies => ({
    MCP_TRUST_PROXY: proxies
  })),
  'OTEL_EXPORTER_OTLP_ENDPOINT must be': [
    'collector:4318',
    'grpc://collector:4317',
    'http://me:x@collector',
    'http://collector:65536'
  ].map(endpoint => ({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })),
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be': [
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'collector/v1/traces' },
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector/v1/traces?x=1' },
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://[2600::1]:99999/v1/traces' }
  ],
  'OTEL_TRACES_SAMPLER must be': [{ ...collector, OTEL_TRACES_SAMPLER: 'sometimes' }],
  'OTEL_TRACES_SAMPLER_ARG must be': ['2', '-1', 'half', '5%'].map(share => ({
    ...collector,
    OTEL_TRACES_SAMPLER_ARG: share
  }))
}

/** Rules that values of the chart cannot break, and why. */
const beyond: Record<string, string> = {
  'STREAMABLE_HTTP=false serves over stdio': 'the chart serves over HTTP',
  'OAUTH_STATELESS_MODE=true is for serving over HTTP': 'the chart serves over HTTP',
  'FORGE_MCP_OAUTH=true is for serving over HTTP': 'the chart serves over HTTP',
  'REMOTE_AUTHORIZATION=true and FORGE_PERSONAL_ACCESS_TOKEN': 'the chart has no such token',
  'FORGE_PERSONAL_ACCESS_TOKEN over HTTP': 'the chart has no such token',
  'FORGE_PERSONAL_ACCESS_TOKEN must be': 'the chart has no such token',
  'FORGE_MCP_OAUTH=true and FORGE_PERSONAL_ACCESS_TOKEN': 'the chart has no such token',
  'METRICS_PORT must differ': 'the ports are other values: requirements.chart.ts',
  'OAUTH_STATELESS_MODE=true needs OAUTH_STATELESS_SECRET': 'what is in a Secret is not the chart’s to read',
  'OAUTH_STATELESS_SECRET must be': 'what is in a Secret is not the chart’s to read',
  'OAUTH_STATELESS_SECRET_PREVIOUS must be': 'what is in a Secret is not the chart’s to read',
  'OAUTH_STATELESS_SECRET_PREVIOUS must differ': 'what is in a Secret is not the chart’s to read',
  'HTTP_PROXY must be': 'what is in a Secret is not the chart’s to read',
  'HTTPS_PROXY must be': 'what is in a Secret is not the chart’s to read'
}

/** Values beside those that are wrong, which both take. */
const right: readonly Settings[] = [
  { FORGE_DOWNLOAD_DIR: '/tmp', FORGE_DOWNLOAD_QUOTA_MB: 16, FORGE_DOWNLOAD_TOTAL_MB: 45 },
  { FORGE_API_URL: 'http://forge.internal:8080/prefix/' },
  { FORGE_API_URL: 'https://10.0.0.5/gitlab/api/v4' },
  { FORGE_API_URL: 'http://[2600::1]:8080' },
  { FORGE_API_URL: 'https://metadata.example.com' },
  { MCP_SERVER_URL: 'https://mcp.example.com/tools/' },
  { FORGE_API_URL: 'https://forge.example.com:65535', MCP_SERVER_URL: 'https://mcp.example.com:9999/tools' },
  { FORGE_TOOLSETS: 'all' },
  { FORGE_TOOLSETS: 'Review, wiki' },
  { FORGE_TOOLS: 'get_issue, list_issues' },
  { FORGE_ALLOWED_PROJECT_IDS: '12, group/sub/app' },
  { FORGE_PROJECT_ID: 'group/sub/app' },
  { MCP_ALLOWED_HOSTS: 'mcp.example.com, other:8443, [2600::1]:8443' },
  { FORGE_DENIED_TOOLS_REGEX: '^(delete|purge)_' },
  { FORGE_DENIED_TOOLS_REGEX: '^(?!get_)' },
  { MCP_ALLOWED_ORIGINS: 'https://app.example, http://localhost:6274, chrome-extension://abcdef' },
  { OAUTH_STATELESS_SID_REUSE_SECONDS: 3600 },
  { ENABLE_DYNAMIC_API_URL: true, FORGE_ALLOWED_HOSTS: '*.example.com,[2600::1]:8443,10.0.0.5:65535' },
  oauth,
  { ...oauth, FORGE_OAUTH_SCOPES: 'read_api, read_user' },
  { ...oauth, FORGE_OAUTH_CONSENT: false, FORGE_OAUTH_CALLBACK_PROXY: false },
  { MCP_TRUST_PROXY: '10.0.0.0/8, loopback, 192.168.1.255, ::1/128, fd00::/8, fe80::1' },
  { ...collector, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.05' },
  { ...collector, OTEL_TRACES_SAMPLER_ARG: '1' },
  { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector.example/v1/traces' }
]

const wordsOf = ({ say }: (typeof rules)[number], config: Config = usual) =>
  typeof say === 'string' ? say : say(config)
const values = (settings: Settings) =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [`config.${name}`, value]))

t.test('each rule of the service has values that break it, or a reason why the chart cannot', async t => {
  const known = [...Object.keys(wrong), ...Object.keys(beyond)]
  for (const rule of rules)
    t.equal(known.filter(beginning => wordsOf(rule).startsWith(beginning)).length, 1, wordsOf(rule))
})

for (const [beginning, sets] of Object.entries(wrong))
  t.test(`refuses what breaks: ${beginning}`, async t => {
    const rule = rules.find(rule => wordsOf(rule).startsWith(beginning))!
    for (const settings of sets) {
      t.ok(rule.broken({ ...usual, ...settings }), `the service: ${JSON.stringify(settings)}`)
      t.match(refusal({ set: 'minimal', values: values(settings) }), /config\.|config\//)
    }
  })

t.test('takes what the service takes', async t => {
  for (const settings of right) {
    const { data } = only(render({ set: 'minimal', values: values(settings) }), 'ConfigMap')
    const mounted = Object.entries<string>(data).filter(([name]) => !name.endsWith('_FILE'))
    t.ok(checkSettings({ ...Object.fromEntries(mounted), ...secrets }), JSON.stringify(settings))
  }
})

t.test('notes warn of patterns and addresses that the service starts with and warns of', async t => {
  const path = 'FORGE_API_URL has '
  const pattern = 'FORGE_DENIED_TOOLS_REGEX matches the name'
  const part = 'FORGE_DENIED_TOOLS_REGEX: a part of it matches'
  const at = (path: string): Settings => ({ FORGE_API_URL: `https://forge.example${path}` })
  const denied = (pattern: string): Settings => ({ FORGE_DENIED_TOOLS_REGEX: pattern })
  const cases: readonly (readonly [beginning: string, ...settings: Settings[]])[] = [
    [path, at('/api/graphql'), at('/api/v3'), at('/api'), at('/api/v4/projects'), at('/git/api/v3/')],
    [path, at('/group/app.git'), at('/rest/api'), at('/-/profile'), at('/mcp')],
    [path, at(''), at('/api/v4'), at('/api/v4/'), at('/gitlab'), at('/gitlab/api/v4'), at('/mcp-forge')],
    [pattern, denied('^erase'), denied('get_issue,delete_branch'), denied('Delete'), denied('.*')],
    [pattern, denied('delete_branch'), denied('^delete_'), denied('^(?!get_)')],
    [part, denied('^delete_branch$|^merge_merge_requets$'), denied('^(delete_branch|merge_merge_requets)$')],
    [part, denied('^(?:delete_branch|get_issue)$')],
    [
      part,
      denied('delete_branch|^purge_'),
      denied('^(delete_branch|delete_brnch)'),
      denied('^(delete|get)_')
    ],
    [
      part,
      denied('^(delete|remvoe)_'),
      denied('^create_(issue|lable)$'),
      denied('^get_|^(create|mkae)_issue')
    ],
    [part, denied('^create_(issue|label)$'), denied('^delete_(branch|)'), denied('^delete_(branch|x)?')]
  ]
  const tools = ['discover_tools', ...Object.values(catalogNames).flat()]
  for (const [beginning, ...sets] of cases)
    for (const settings of sets) {
      const told = notesOn({ ...usual, ...settings }, tools, undefined).some(note =>
        note.startsWith(beginning)
      )
      t.equal(
        notes({ set: 'minimal', values: values(settings) }).includes(`- config.${beginning}`),
        told,
        JSON.stringify(settings)
      )
    }
})

t.test('a tool that is not there is refused, which the service finds once it has every tool', async t => {
  const tools = (names: string) => refusal({ set: 'minimal', values: { 'config.FORGE_TOOLS': names } })
  t.match(
    tools('list_labels,delete_brnch'),
    /config\.FORGE_TOOLS must list names of tools\. Not "delete_brnch"/
  )
  t.equal(tools(['discover_tools', ...Object.values(catalogNames).flat()].join(', ')), '')
})

t.test('an archive folder may be a volume of the operator’s own', async t => {
  const volume = { extraVolumeMounts: [{ name: 'archives', mountPath: '/archives' }] }
  const folder = (path: string, more = {}) =>
    refusal({ set: 'minimal', values: { ...volume, 'config.FORGE_DOWNLOAD_DIR': path, ...more } })
  t.equal(folder('/archives'), '')
  t.equal(folder('/archives/of/mcp'), '')
  for (const volume of [
    { emptyDir: { sizeLimit: '5Gi' } },
    { emptyDir: {} },
    { emptyDir: null },
    { persistentVolumeClaim: { claimName: 'archives' } }
  ])
    t.equal(folder('/archives', { extraVolumes: [{ name: 'archives', ...volume }] }), '')
  t.match(folder('/archives-2'), /FORGE_DOWNLOAD_DIR must be \/tmp/)
  t.equal(folder('/tmp', { tmpSizeLimit: '4317Mi' }), '', 'which has room for the folders of archives')
  t.equal(folder('/tmp', { tmpSizeLimit: null }), '', '/tmp may be without a limit of its own')
  t.equal(folder('/data', { 'securityContext.readOnlyRootFilesystem': false }), '')
  t.equal(folder('/archives/'), '')
  t.equal(folder('/archives', { extraVolumeMounts: [{ name: 'archives', mountPath: '/archives/' }] }), '')
  t.equal(folder('/tmp/', { tmpSizeLimit: '4317Mi' }), '')
})

t.test('volumes for which the limits have room are taken', async t => {
  const volumes = (limits: object, emptyDir: object, more = {}) =>
    refusal({
      set: 'minimal',
      values: {
        'resources.limits': limits,
        extraVolumes: [{ name: 'scratch', emptyDir }],
        extraVolumeMounts: [{ name: 'scratch', mountPath: '/scratch' }],
        ...more
      }
    })
  t.equal(volumes({ memory: '512Mi' }, { medium: 'Memory', sizeLimit: '320Mi' }), '')
  t.equal(volumes({ memory: null }, { medium: 'Memory', sizeLimit: '8Gi' }), '', 'without a limit')
  t.equal(volumes({ memory: '512Mi' }, { sizeLimit: '8Gi' }), '', 'on disk')
  const disk = { memory: null, 'ephemeral-storage': '214Mi' }
  t.equal(volumes(disk, { sizeLimit: '100Mi' }), '')
  t.equal(volumes(disk, { medium: 'Memory', sizeLimit: '8Gi' }), '', 'memory is no disk')
  const sidecar = { name: 'sidecar', image: 'sidecar', resources: { limits: { 'ephemeral-storage': '1Gi' } } }
  t.equal(volumes(disk, { sizeLimit: '1Gi' }, { extraContainers: [sidecar] }), '', 'limits add up')
  const archives = {
    'config.FORGE_DOWNLOAD_DIR': '/scratch/archives',
    extraVolumes: [{ name: 'scratch', persistentVolumeClaim: { claimName: 'archives' } }]
  }
  t.equal(volumes(disk, {}, archives), '', 'a volume claim is none of the disk')
  t.equal(
    volumes({ memory: '512Mi' }, { medium: 'Memory', sizeLimit: '8Gi' }, { extraVolumeMounts: [] }),
    '',
    'of another container'
  )
})

t.test('an archive folder on a volume that no pod can write to is refused', async t => {
  for (const volume of [
    { configMap: { name: 'archives' } },
    { secret: { secretName: 'archives' } },
    { persistentVolumeClaim: { claimName: 'archives', readOnly: true } }
  ])
    t.match(
      refusal({
        set: 'minimal',
        values: {
          'config.FORGE_DOWNLOAD_DIR': '/archives',
          extraVolumes: [{ name: 'archives', ...volume }],
          extraVolumeMounts: [{ name: 'archives', mountPath: '/archives' }]
        }
      }),
      /FORGE_DOWNLOAD_DIR must be \/tmp, or the mountPath of one of extraVolumeMounts that may be written to/,
      Object.keys(volume)[0]!
    )
})
