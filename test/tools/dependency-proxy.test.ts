import t from 'tap'
import { Catalog } from '../../src/catalog/catalog.ts'
import { blobsQuery, settingsQuery, updateMutation } from '../../tools/dependency-proxy/documents.ts'
import { dependencyProxy } from '../../tools/dependency-proxy/index.ts'
import { type Exchange, runTable } from '../support/tool-table.ts'

const group = {
  dependencyProxySetting: { enabled: true },
  dependencyProxyBlobCount: 3,
  dependencyProxyTotalSize: '12 MiB',
  dependencyProxyImagePrefix: 'forge.example/acme/dependency_proxy/containers',
  dependencyProxyImageTtlPolicy: { enabled: true, ttl: 90 }
}
const settings = {
  enabled: true,
  blob_count: 3,
  total_size: '12 MiB',
  image_prefix: 'forge.example/acme/dependency_proxy/containers',
  ttl_policy: { enabled: true, ttl: 90 }
}

const graphql = (query: string, variables: object, answer: unknown, status = 200): Exchange => ({
  request: 'POST /api/graphql',
  body: { query, variables },
  reply: { status, body: answer }
})
const asked = (answer: unknown, fullPath = 'acme/tools') => graphql(settingsQuery, { fullPath }, answer)
const changed = (input: object, answer: unknown) =>
  graphql(updateMutation, { input: { groupPath: 'acme/tools', ...input } }, answer)
const listed = (variables: object, answer: unknown) =>
  graphql(blobsQuery, { fullPath: 'acme/tools', ...variables }, answer)
const accepted = { data: { updateDependencyProxySettings: { errors: [] } } }

const group_id = 'acme/tools'
const secret = 'dckr_pat_do_not_show'

/** The groups by that name, and by a similar one. */
const noneNear = [
  { request: 'GET /groups?search=tools&all_available=false&per_page=8', reply: { body: [] } },
  { request: 'GET /groups?all_available=false&per_page=100', reply: { body: [] } }
]

runTable(dependencyProxy, [
  {
    title: 'gives the settings record, also as structured content',
    tool: 'get_dependency_proxy_settings',
    args: { group_id },
    exchanges: [asked({ data: { group } })],
    result: settings,
    structured: settings
  },
  {
    title: 'takes a group path that comes encoded',
    tool: 'get_dependency_proxy_settings',
    args: { group_id: 'acme%2Ftools' },
    exchanges: [asked({ data: { group } })],
    result: settings
  },
  {
    title: 'looks up the path of a group that comes as a number',
    tool: 'get_dependency_proxy_settings',
    args: { group_id: 42 },
    exchanges: [
      {
        request: 'GET /groups/42?with_projects=false',
        reply: { body: { id: 42, full_path: 'acme/tools' } }
      },
      asked({ data: { group } })
    ],
    result: settings
  },
  {
    title: 'leaves out what the forge has no value for, also in full output',
    tool: 'get_dependency_proxy_settings',
    args: { group_id },
    settings: { output: 'full' },
    exchanges: [
      asked({
        data: {
          group: {
            dependencyProxySetting: { enabled: false },
            dependencyProxyBlobCount: 0,
            dependencyProxyTotalSize: null,
            dependencyProxyImagePrefix: null,
            dependencyProxyImageTtlPolicy: { enabled: false, ttl: null }
          }
        }
      })
    ],
    result: { enabled: false, blob_count: 0, ttl_policy: { enabled: false } },
    structured: { enabled: false, blob_count: 0, ttl_policy: { enabled: false } }
  },
  {
    title: 'gives no policy where there is none',
    tool: 'get_dependency_proxy_settings',
    args: { group_id },
    exchanges: [asked({ data: { group: { ...group, dependencyProxyImageTtlPolicy: null } } })],
    result: {
      enabled: true,
      blob_count: 3,
      total_size: '12 MiB',
      image_prefix: 'forge.example/acme/dependency_proxy/containers'
    }
  },
  {
    title: 'does not call a setting that it may not see switched off',
    tool: 'get_dependency_proxy_settings',
    args: { group_id },
    exchanges: [asked({ data: { group: { ...group, dependencyProxySetting: null } } })],
    error: /^The forge does not show the dependency proxy settings of "acme\/tools": .*permission/
  },
  {
    title: 'names a group that is not there',
    tool: 'get_dependency_proxy_settings',
    args: { group_id },
    exchanges: [asked({ data: { group: null } }), ...noneNear],
    error: 'There is no group "acme/tools", or the token may not see it.'
  },
  {
    title: 'fails on top-level errors, also when there are data',
    tool: 'get_dependency_proxy_settings',
    args: { group_id },
    exchanges: [asked({ data: { group }, errors: [{ message: 'Timeout' }, { message: 'Complexity' }] })],
    error: 'The forge refused the request: "Timeout; Complexity".'
  },
  {
    title: 'fails on an answer without data',
    tool: 'get_dependency_proxy_settings',
    args: { group_id },
    exchanges: [asked({})],
    error: 'The forge answered a GraphQL request without data.'
  },
  {
    title: 'passes on the words of an answer that only says why there are no data',
    tool: 'get_dependency_proxy_settings',
    args: { group_id },
    exchanges: [asked({ message: 'GraphQL is switched off for maintenance' })],
    error: 'The forge gave no data, but said: "GraphQL is switched off for maintenance".'
  },
  {
    title: 'fails on a status of the forge',
    tool: 'get_dependency_proxy_settings',
    args: { group_id },
    exchanges: [graphql(settingsQuery, { fullPath: group_id }, { message: '401 Unauthorized' }, 401)],
    error: /^The forge answered 401 Unauthorized/
  },
  {
    title: 'fails when the number is of no group, before GraphQL is asked',
    tool: 'get_dependency_proxy_settings',
    args: { group_id: '42' },
    exchanges: [{ request: 'GET /groups/42?with_projects=false', reply: { status: 404, body: {} } }],
    error: /^The forge answered 404 Not Found/
  },
  {
    title: 'fails when the forge does not say the path of a group',
    tool: 'get_dependency_proxy_settings',
    args: { group_id: '42' },
    exchanges: [{ request: 'GET /groups/42?with_projects=false', reply: { body: { id: 42 } } }],
    error: 'The forge did not say the path of group 42: give the path as group_id.'
  },
  {
    title: 'refuses a path that climbs',
    tool: 'get_dependency_proxy_settings',
    args: { group_id: 'acme/..' },
    error: /^group_id has an empty, "\." or "\.\." segment/
  },
  {
    title: 'sends only what was given and reads the settings back',
    tool: 'update_dependency_proxy_settings',
    args: { group_id, enabled: false, identity: null },
    exchanges: [
      changed({ enabled: false }, accepted),
      asked({ data: { group: { ...group, dependencyProxySetting: { enabled: false } } } })
    ],
    result: { ...settings, enabled: false },
    structured: { ...settings, enabled: false }
  },
  {
    title: 'sets credentials and does not give them back',
    tool: 'update_dependency_proxy_settings',
    args: { group_id, identity: 'acme', secret },
    exchanges: [changed({ identity: 'acme', secret }, accepted), asked({ data: { group } })],
    result: settings,
    notices: ['The forge took identity and secret, and never shows what is set.']
  },
  {
    title: 'fails before any call when there is nothing to change',
    tool: 'update_dependency_proxy_settings',
    args: { group_id: 42, enabled: null },
    error: "At least one of 'enabled', 'identity', 'secret' must be provided."
  },
  {
    title: 'fails on errors of the payload, without the secret',
    tool: 'update_dependency_proxy_settings',
    args: { group_id, secret },
    exchanges: [
      changed(
        { secret },
        {
          data: {
            updateDependencyProxySettings: { errors: [`Secret ${secret} is bad`, 'Identity is missing'] }
          }
        }
      )
    ],
    error: 'The forge refused the change: "Secret [secret] is bad; Identity is missing".'
  },
  {
    title: 'fails on top-level errors of an older forge, without the secret',
    tool: 'update_dependency_proxy_settings',
    args: { group_id, secret },
    exchanges: [changed({ secret }, { errors: [{ message: `secret ("${secret}") is not defined` }] })],
    error: 'The forge refused the request: "secret (\\"[secret]\\") is not defined".'
  },
  {
    title: 'does not show a secret of the wrong type',
    tool: 'update_dependency_proxy_settings',
    args: { group_id, secret: 12345678 },
    error: 'Invalid arguments: secret must be a string, not a number.'
  },
  {
    title: 'does not claim success when the forge says nothing of the change',
    tool: 'update_dependency_proxy_settings',
    args: { group_id, enabled: true },
    exchanges: [changed({ enabled: true }, { data: { updateDependencyProxySettings: null } })],
    error: 'The forge did not say whether the change was made: look before you repeat it.'
  },
  {
    title: 'says that the change was made when only reading it back fails',
    tool: 'update_dependency_proxy_settings',
    args: { group_id, enabled: true },
    exchanges: [changed({ enabled: true }, accepted), asked({ errors: [{ message: 'Timeout' }] })],
    error: 'The settings were changed. Reading them back failed: "Timeout".'
  },
  {
    title: 'gives blob records and where to go on',
    tool: 'list_dependency_proxy_blobs',
    args: { group_id, first: '2', after: 'abc' },
    exchanges: [
      listed(
        { first: 2, after: 'abc' },
        {
          data: {
            group: {
              dependencyProxyBlobs: {
                nodes: [
                  { fileName: 'a.gz', size: '1 KiB', createdAt: '2026-11-01T00:00:00Z' },
                  null,
                  { fileName: 'b.gz', size: '2 KiB', createdAt: null }
                ],
                pageInfo: { hasNextPage: true, endCursor: 'def' }
              }
            }
          }
        }
      )
    ],
    result: {
      blobs: [
        { file_name: 'a.gz', size: '1 KiB', created_at: '2026-11-01T00:00:00Z' },
        { file_name: 'b.gz', size: '2 KiB' }
      ],
      pageInfo: { hasNextPage: true, endCursor: 'def' }
    },
    structured: {
      blobs: [
        { file_name: 'a.gz', size: '1 KiB', created_at: '2026-11-01T00:00:00Z' },
        { file_name: 'b.gz', size: '2 KiB' }
      ],
      pageInfo: { hasNextPage: true, endCursor: 'def' }
    }
  },
  {
    title: 'gives an empty list with no cursor',
    tool: 'list_dependency_proxy_blobs',
    args: { group_id },
    exchanges: [
      listed(
        {},
        {
          data: {
            group: { dependencyProxyBlobs: { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } } }
          }
        }
      )
    ],
    result: { blobs: [], pageInfo: { hasNextPage: false } }
  },
  {
    title: 'says why there may be no blobs to see',
    tool: 'list_dependency_proxy_blobs',
    args: { group_id },
    exchanges: [listed({}, { data: { group: { dependencyProxyBlobs: null } } })],
    error:
      'The forge does not show the dependency proxy of "acme/tools": it is off, or the token may not read it.'
  },
  {
    title: 'does not take what is no list of blobs for an empty one',
    tool: 'list_dependency_proxy_blobs',
    args: { group_id },
    exchanges: [listed({}, { data: { group: { dependencyProxyBlobs: { nodes: { message: 'x' } } } } })],
    error: "The forge's answer has no list of nodes."
  },
  {
    title: 'names a group that is not there',
    tool: 'list_dependency_proxy_blobs',
    args: { group_id },
    exchanges: [listed({}, { data: { group: null } }), ...noneNear],
    error: 'There is no group "acme/tools", or the token may not see it.'
  },
  {
    title: 'refuses more blobs at once than the forge gives',
    tool: 'list_dependency_proxy_blobs',
    args: { group_id, first: 101 },
    error: 'Invalid arguments: first must be <= 100.'
  },
  ...[
    { title: 'says that the purge is scheduled', reply: { status: 202, body: '202' } },
    { title: 'says so too when an older forge answers nothing', reply: { status: 204 } }
  ].map(({ title, reply }) => ({
    title,
    tool: 'purge_dependency_proxy_cache',
    args: { group_id },
    exchanges: [{ request: 'DELETE /groups/acme%2Ftools/dependency_proxy/cache', reply }],
    result: { status: 'success', message: 'The purge of the cache is scheduled; it runs in the background.' },
    structured: {
      status: 'success',
      message: 'The purge of the cache is scheduled; it runs in the background.'
    }
  })),
  {
    title: 'fails for who is no owner',
    tool: 'purge_dependency_proxy_cache',
    args: { group_id: 42 },
    exchanges: [
      {
        request: 'DELETE /groups/42/dependency_proxy/cache',
        reply: { status: 403, body: { message: '403 Forbidden' } }
      }
    ],
    error: 'The forge answered 403 Forbidden. Only an owner of the group may purge the cache.'
  },
  {
    title: 'needs a group',
    tool: 'purge_dependency_proxy_cache',
    args: {},
    error: 'Invalid arguments: group_id is required.'
  }
])

t.test('the documents are told apart by their field names', async t => {
  t.notMatch(blobsQuery, 'dependencyProxySetting')
  t.notMatch(settingsQuery, 'dependencyProxyBlobs')
  t.match(updateMutation, /^mutation\b/)
})

t.test('what the service defines itself is listed with its schema', async t => {
  const catalog = new Catalog()
  catalog.add(dependencyProxy)
  const listed = JSON.parse(catalog.list(catalog.policy.viewOf(['all']))) as {
    name: string
    outputSchema?: { type: string; required: string[] }
    annotations: { readOnlyHint: boolean; destructiveHint: boolean }
  }[]
  t.same(
    listed.map(({ name, outputSchema, annotations }) => [
      name,
      outputSchema?.type,
      outputSchema?.required,
      annotations.readOnlyHint,
      annotations.destructiveHint
    ]),
    [
      ['get_dependency_proxy_settings', 'object', ['enabled'], true, false],
      ['update_dependency_proxy_settings', 'object', ['enabled'], false, false],
      ['list_dependency_proxy_blobs', 'object', ['blobs', 'pageInfo'], true, false],
      ['purge_dependency_proxy_cache', 'object', ['status', 'message'], false, true]
    ]
  )
})
