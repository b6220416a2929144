import { webhooks } from '../../tools/webhooks/index.ts'
import { runTable } from '../support/tool-table.ts'

const project_id = 'acme/rocket'
const P = '/projects/acme%2Frocket'
const url = 'https://ci:pass@hooks.example/in?key=s3cret'
const hook = {
  id: 40,
  url,
  name: 'CI',
  description: null,
  push_events: true,
  issues_events: false,
  note_events: true,
  push_events_branch_filter: '',
  enable_ssl_verification: true,
  alert_status: 'executable',
  disabled_until: null,
  token_present: true,
  url_variables: [{ key: 'key', value: 's3cret' }],
  custom_headers: [{ key: 'X', value: 's3cret' }],
  created_at: 'C',
  project_id: 41
}
const shown = {
  id: 40,
  name: 'CI',
  url: 'https://***@hooks.example/in?***',
  events: ['push', 'note'],
  push_events_branch_filter: '',
  enable_ssl_verification: true,
  alert_status: 'executable',
  token_present: true,
  created_at: 'C'
}
const off = {
  push_events: false,
  tag_push_events: false,
  issues_events: true,
  confidential_issues_events: false,
  merge_requests_events: false,
  note_events: false,
  confidential_note_events: false,
  job_events: false,
  pipeline_events: false,
  wiki_page_events: false,
  deployment_events: false,
  feature_flag_events: false,
  releases_events: false,
  milestone_events: false,
  emoji_events: false,
  vulnerability_events: false,
  resource_access_token_events: false
}

runTable(webhooks, [
  {
    title: 'lists them without what is secret in their addresses',
    tool: 'list_webhooks',
    args: { project_id },
    exchanges: [{ request: `GET ${P}/hooks`, reply: { body: [hook] } }],
    result: [shown]
  },
  {
    title: 'keeps secrets back in full output, too',
    tool: 'list_webhooks',
    args: { project_id },
    settings: { output: 'full' },
    exchanges: [
      { request: `GET ${P}/hooks`, reply: { body: [{ id: 40, url, custom_headers: [{ value: 's3cret' }] }] } }
    ],
    result: [{ id: 40, url: 'https://***@hooks.example/in?***', events: [] }]
  },
  {
    title: 'looks at no more of them than a forge could have, and says so',
    tool: 'list_webhooks',
    args: { project_id },
    exchanges: [
      { request: `GET ${P}/hooks`, reply: { body: Array.from({ length: 2_001 }, (_, id) => ({ id })) } }
    ],
    result: Array.from({ length: 2_000 }, (_, id) => ({ id, events: [] })),
    notices: ['The answer has 2001 records: these are of the first 2000.']
  },
  {
    title: 'keeps what follows a # back, over lines',
    tool: 'list_webhooks',
    args: { project_id },
    exchanges: [
      { request: `GET ${P}/hooks`, reply: { body: [{ id: 40, url: 'https://hooks.example/in#a\ns3cret' }] } }
    ],
    result: [{ id: 40, url: 'https://hooks.example/in', events: [] }]
  },
  {
    title: 'says that those of a group take the Premium edition',
    tool: 'list_webhooks',
    args: { group_id: 'acme' },
    exchanges: [
      { request: 'GET /groups/acme/hooks', reply: { status: 404, body: { error: '404 Not Found' } } },
      { request: 'GET /metadata', reply: { body: { version: '19.5.0', enterprise: false } } }
    ],
    error:
      'list_webhooks with group_id needs the Premium edition of the forge, and this forge is the free edition.'
  },
  {
    title: 'switches on what is named, and pushes off, which would be on',
    tool: 'create_webhook',
    args: { project_id, url, events: ['issues', 'wiki_page'], token: 'hook-token-1', name: 'CI' },
    exchanges: [
      {
        request: `POST ${P}/hooks`,
        body: {
          url,
          token: 'hook-token-1',
          name: 'CI',
          push_events: false,
          issues_events: true,
          wiki_page_events: true
        },
        reply: { status: 201, body: hook }
      }
    ],
    result: shown
  },
  {
    title: 'names the event in place of the flag that the forge has for it',
    tool: 'create_webhook',
    args: { project_id, url, push_events: true },
    error:
      /^Invalid arguments: unknown argument "push_events", did you mean events: \["push"\]\?; events is required \(some of push, .*, project\)\.$/
  },
  {
    title: 'knows the events of a group',
    tool: 'create_webhook',
    args: { group_id: 7, url, events: ['push', 'subgroup'] },
    exchanges: [
      {
        request: 'POST /groups/7/hooks',
        body: { url, push_events: true, subgroup_events: true },
        reply: { status: 201, body: hook }
      }
    ]
  },
  {
    title: 'sends nothing to an address that is shown without its secrets',
    tool: 'create_webhook',
    args: { project_id, url: shown.url, events: ['push'] },
    error: 'url has *** where what may be a secret is left out: give the whole address.'
  },
  ...['ftp://hooks.example/in', 'hooks.example/in', 'https://', '//hooks.example/s3cret'].flatMap(url =>
    [
      { tool: 'create_webhook', args: { project_id, url, events: ['push'] } },
      { tool: 'update_webhook', args: { project_id, hook_id: 40, url } }
    ].map(call => ({
      ...call,
      title: `sends nothing to ${url}, which is no web address`,
      error: 'url must be a whole address that begins with https:// or http://.'
    }))
  ),
  {
    title: 'one of no event would never send anything',
    tool: 'create_webhook',
    args: { project_id, url, events: [] },
    error: /events must have at least 1 item/
  },
  {
    title: 'a project tells of no subgroups',
    tool: 'create_webhook',
    args: { project_id, url, events: ['subgroup', 'member'] },
    error: 'events: subgroup, member goes with group_id only.'
  },
  {
    title: 'what the forge says does not give the token away',
    tool: 'create_webhook',
    args: { project_id, url: 'http://10.0.0.1/', events: ['push'], token: 'hook-token-1' },
    exchanges: [
      {
        request: `POST ${P}/hooks`,
        body: { url: 'http://10.0.0.1/', token: 'hook-token-1', push_events: true },
        reply: { status: 422, body: { message: { url: ['is blocked (hook-token-1)'] } } }
      }
    ],
    error:
      /^The forge answered 422 Unprocessable Entity: "url: is blocked \(\[token\]\)"\. The forge refuses this url/
  },
  {
    title: 'sends the address that there is, and the whole set of events',
    tool: 'update_webhook',
    args: { project_id, hook_id: 40, events: ['issues'] },
    exchanges: [
      { request: `GET ${P}/hooks/40`, reply: { body: hook } },
      {
        request: `PUT ${P}/hooks/40`,
        body: { ...off, resource_deploy_token_events: false, url },
        reply: { body: hook }
      }
    ],
    result: shown
  },
  {
    title: 'says of a webhook whose events are all switched off that it is never called',
    tool: 'update_webhook',
    args: { project_id, hook_id: 40, events: [], url },
    exchanges: [
      {
        request: `PUT ${P}/hooks/40`,
        body: { ...off, issues_events: false, resource_deploy_token_events: false, url },
        reply: { body: { id: 40, url, push_events: false } }
      }
    ],
    notices: [
      'It reports no event now, and so is never called: events switches some on, delete_webhook takes it away.'
    ]
  },
  {
    title: 'leaves the events as they are where none are named',
    tool: 'update_webhook',
    args: { group_id: 7, hook_id: 40, url, enable_ssl_verification: false },
    exchanges: [
      {
        request: 'PUT /groups/7/hooks/40',
        body: { url, enable_ssl_verification: false },
        reply: { body: hook }
      }
    ],
    result: shown
  },
  {
    title: 'keeps the address where it comes back as it is shown',
    tool: 'update_webhook',
    args: { project_id, hook_id: 40, url: shown.url, enable_ssl_verification: false },
    exchanges: [
      { request: `GET ${P}/hooks/40`, reply: { body: hook } },
      {
        request: `PUT ${P}/hooks/40`,
        body: { url, enable_ssl_verification: false },
        reply: { body: hook }
      }
    ],
    result: shown
  },
  {
    title: 'does not guess the secrets of another address',
    tool: 'update_webhook',
    args: { project_id, hook_id: 40, url: 'https://***@hooks.example/out?***' },
    exchanges: [{ request: `GET ${P}/hooks/40`, reply: { body: hook } }],
    error:
      'url has *** where what may be a secret is left out, and is not that of this webhook: give the whole address, or none.'
  },
  {
    title: 'an update changes something',
    tool: 'update_webhook',
    args: { project_id, hook_id: 40 },
    error: /^Nothing to update: give at least one field to change\./
  },
  {
    title: 'deletes the one with this address',
    tool: 'delete_webhook',
    args: { project_id, hook_id: 40, confirm: url },
    exchanges: [
      { request: `GET ${P}/hooks/40`, reply: { body: hook } },
      { request: `DELETE ${P}/hooks/40`, reply: { status: 204 } }
    ],
    result: { status: 'success', message: 'The webhook is deleted.' }
  },
  {
    title: 'takes the address as it is shown, too',
    tool: 'delete_webhook',
    args: { project_id, hook_id: 40, confirm: 'https://***@hooks.example/in?***' },
    exchanges: [
      { request: `GET ${P}/hooks/40`, reply: { body: hook } },
      { request: `DELETE ${P}/hooks/40`, reply: { status: 204 } }
    ]
  },
  {
    title: 'leaves one with another address alone, and does not tell which it is',
    tool: 'delete_webhook',
    args: { project_id, hook_id: 40, confirm: 'https://hooks.example/' },
    exchanges: [{ request: `GET ${P}/hooks/40`, reply: { body: hook } }],
    error:
      'confirm is not the url of this webhook. Nothing was done: read the webhook, and if it is the right one give its url exactly as it is.'
  },
  {
    title: 'sends a sample of one event',
    tool: 'test_webhook',
    args: { project_id, hook_id: 40, event: 'merge_requests' },
    exchanges: [
      {
        request: `POST ${P}/hooks/40/test/merge_requests_events`,
        body: {},
        reply: { status: 201, body: { message: '201 Created' } }
      }
    ],
    result: { status: 'success', message: 'The receiver has taken the test event.' }
  },
  {
    title: 'says that the receiver did not take it',
    tool: 'test_webhook',
    args: { group_id: 7, hook_id: 40, event: 'push' },
    exchanges: [
      {
        request: 'POST /groups/7/hooks/40/test/push_events',
        body: {},
        reply: { status: 422, body: { message: 'Hook execution failed' } }
      }
    ],
    error: /"Hook execution failed"\. The receiver did not answer with 2xx/
  },
  {
    title: 'passes on how long to wait',
    tool: 'test_webhook',
    args: { project_id, hook_id: 40, event: 'push' },
    exchanges: [
      {
        request: `POST ${P}/hooks/40/test/push_events`,
        body: {},
        reply: { status: 429, headers: { 'retry-after': '60' }, body: { message: { error: 'Too many' } } }
      }
    ],
    error: /five a minute: wait, then repeat\. Retry after 60 seconds\.$/
  },
  {
    title: 'names the events where none is given',
    tool: 'create_webhook',
    args: { project_id, url: 'https://ci.example/h' },
    error: /events is required \(some of push, tag_push, issues, /
  },
  {
    title: 'says that nothing pauses a webhook',
    tool: 'update_webhook',
    args: { project_id, hook_id: 40, enabled: false },
    error: /unknown argument "enabled", no tool pauses a webhook: delete_webhook takes it away\.$/
  },
  {
    title: 'an event that cannot be tested is refused',
    tool: 'test_webhook',
    args: { project_id, hook_id: 40, event: 'deployment' },
    error: /^Invalid arguments: event must be one of push, tag_push/
  }
])
