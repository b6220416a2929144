import { pipelines } from '../../../tools/pipelines/index.ts'
import { runTable } from '../../support/tool-table.ts'

const latest = (id: number, more: object = {}) => ({ id, ref: 'main', sha: `${id}aaaaaaa`, ...more })
const searched = '/projects/1/deployments?order_by=id&sort=desc&per_page=100&page='

/** Ten full pages, after which the forge names an eleventh. */
const tooMany = Array.from({ length: 10 }, (_, at) => ({
  request: `GET ${searched}${at + 1}`,
  reply: { body: [latest(1000 - at, { ref: 'dev' })], headers: { 'x-next-page': String(at + 2) } }
}))

runTable(pipelines, [
  {
    title: 'lets the forge filter and sort what it can',
    tool: 'list_deployments',
    args: {
      project_id: '1',
      environment: 'production',
      status: 'success',
      order_by: 'created_at',
      sort: 'desc',
      page: 2
    },
    exchanges: [
      {
        request:
          'GET /projects/1/deployments?environment=production&status=success&order_by=created_at&sort=desc&page=2',
        reply: { body: [{ id: 1 }], headers: { 'x-page': '2', 'x-next-page': '3' } }
      }
    ],
    result: [{ id: 1 }],
    notices: [{ pagination: { page: 2, next_page: 3 } }]
  },
  {
    title: 'sends nothing that was not given',
    tool: 'list_deployments',
    args: { project_id: '1' },
    exchanges: [{ request: 'GET /projects/1/deployments', reply: { body: [] } }],
    result: []
  },
  {
    title:
      'sorts by time of update when it filters by it, because a forge may refuse the one without the other',
    tool: 'list_deployments',
    args: { project_id: '1', updated_after: '2026-11-01' },
    exchanges: [
      {
        request: 'GET /projects/1/deployments?updated_after=2026-11-01&order_by=updated_at',
        reply: { body: [] }
      }
    ]
  },
  {
    title: 'picks a sha itself over all pages, because the forge ignores it, and says so',
    tool: 'list_deployments',
    args: { project_id: '1', sha: '2AAAA', environment: 'production' },
    exchanges: [
      {
        request:
          'GET /projects/1/deployments?environment=production&order_by=id&sort=desc&per_page=100&page=1',
        reply: { body: [latest(3), latest(2)], headers: { 'x-next-page': '2' } }
      },
      {
        request:
          'GET /projects/1/deployments?environment=production&order_by=id&sort=desc&per_page=100&page=2',
        reply: { body: [latest(1)] }
      }
    ],
    result: [latest(2)],
    notices: ['The forge does not filter deployments by ref or sha: 1 of the 3 read match.']
  },
  {
    title: 'picks a ref in the order that was asked for and pages what it found',
    tool: 'list_deployments',
    args: { project_id: '1', ref: 'main', page: 2, per_page: 1, order_by: 'created_at' },
    exchanges: [
      {
        request: 'GET /projects/1/deployments?order_by=created_at&sort=desc&per_page=100&page=1',
        reply: { body: [latest(4), latest(3, { ref: 'dev' }), latest(2), latest(1)] }
      }
    ],
    result: [latest(2)],
    notices: [
      { pagination: { page: 2, per_page: 1, next_page: 3, total: 3, total_pages: 3 } },
      'The forge does not filter deployments by ref or sha: 3 of the 4 read match.'
    ]
  },
  {
    title: 'filters by ref and time of update in the order that goes with it, newest first when asked',
    tool: 'list_deployments',
    args: { project_id: '1', ref: 'refs/heads/main', updated_before: '2026-11-01', sort: 'desc' },
    exchanges: [
      {
        request:
          'GET /projects/1/deployments?updated_before=2026-11-01&order_by=updated_at&sort=desc&per_page=100&page=1',
        reply: { body: [latest(2), latest(1)] }
      }
    ],
    result: [latest(2), latest(1)]
  },
  {
    title: 'reads a status in another case',
    tool: 'list_deployments',
    args: { project_id: '1', status: 'SUCCESS' },
    exchanges: [{ request: 'GET /projects/1/deployments?status=success', reply: { body: [{ id: 1 }] } }],
    result: [{ id: 1 }]
  },
  {
    title: 'leaves a status that is not known here to the forge, which may have it',
    tool: 'list_deployments',
    args: { project_id: '1', status: 'paused' },
    exchanges: [
      {
        request: 'GET /projects/1/deployments?status=paused',
        reply: { body: [{ id: 1 }] },
        outsideContract: true
      }
    ],
    result: [{ id: 1 }]
  },
  {
    title: 'sorts by status itself, because the forge refuses to, older ones first among equals',
    tool: 'list_deployments',
    args: { project_id: '1', order_by: 'status' },
    exchanges: [
      {
        request: `GET ${searched}1`,
        reply: {
          body: [
            { id: 3, status: 'success' },
            { id: 2, status: 'failed' },
            { id: 1, status: 'failed' }
          ]
        }
      }
    ],
    result: [
      { id: 1, status: 'failed' },
      { id: 2, status: 'failed' },
      { id: 3, status: 'success' }
    ],
    notices: ['The forge does not sort deployments by status: the 3 read were sorted here.']
  },
  {
    title: 'sorts by environment downwards, newer ones first among equals and nameless ones last',
    tool: 'list_deployments',
    args: { project_id: '1', order_by: 'environment', sort: 'desc' },
    exchanges: [
      {
        request: `GET ${searched}1`,
        reply: {
          body: [
            { id: 4 },
            { id: 3, environment: { name: 'a' } },
            { id: 2, environment: { name: 'b' } },
            { id: 1, environment: { name: 'b' } }
          ]
        }
      }
    ],
    result: [
      { id: 2, environment: { name: 'b' } },
      { id: 1, environment: { name: 'b' } },
      { id: 3, environment: { name: 'a' } },
      { id: 4 }
    ]
  },
  {
    title: 'sorts by ref itself, because not every release can',
    tool: 'list_deployments',
    args: { project_id: '1', order_by: 'ref' },
    exchanges: [
      {
        request: `GET ${searched}1`,
        reply: {
          body: [
            { id: 2, ref: 'z' },
            { id: 1, ref: 'a' }
          ]
        }
      }
    ],
    result: [
      { id: 1, ref: 'a' },
      { id: 2, ref: 'z' }
    ]
  },
  {
    title: 'stops after ten pages of the latest ones and says so',
    tool: 'list_deployments',
    args: { project_id: '1', ref: 'main' },
    exchanges: tooMany,
    result: [],
    notices: [
      'The forge does not filter deployments by ref or sha: 0 of the 10 read match. Only the latest were read: for older ones narrow with environment, status or updated_before.'
    ]
  },
  {
    title: 'says that an answer that is no list is none',
    tool: 'list_deployments',
    args: { project_id: '1', ref: 'main' },
    exchanges: [{ request: `GET ${searched}1`, reply: { body: { message: 'x' } } }],
    error: 'The forge gave no list, but said: "x".'
  },
  {
    title: 'reads one deployment',
    tool: 'get_deployment',
    args: { project_id: '1', deployment_id: 5 },
    exchanges: [{ request: 'GET /projects/1/deployments/5', reply: { body: { id: 5 } } }],
    result: { id: 5 }
  },
  {
    title: 'refuses an id that would change the request',
    tool: 'get_deployment',
    args: { project_id: '1', deployment_id: '5?x=1' },
    error: 'deployment_id must be a number, as list_deployments gives it, not "5?x=1".'
  },
  {
    title: 'finds environments by name',
    tool: 'list_environments',
    args: { project_id: '1', name: 'production', states: 'available' },
    exchanges: [
      { request: 'GET /projects/1/environments?name=production&states=available', reply: { body: [] } },
      { request: 'GET /projects/1/environments?per_page=100', reply: { body: [{ name: 'production' }] } }
    ],
    result: []
  },
  {
    title: 'searches environments',
    tool: 'list_environments',
    args: { project_id: '1', search: 'prod', page: 1, per_page: 2 },
    exchanges: [
      { request: 'GET /projects/1/environments?search=prod&page=1&per_page=2', reply: { body: [] } }
    ]
  },
  {
    title: 'refuses both name and search before anything is sent',
    tool: 'list_environments',
    args: { project_id: '1', name: 'a', search: 'abc' },
    error: "Only one of 'name' or 'search' can be provided, not both."
  },
  {
    title: 'reads one environment',
    tool: 'get_environment',
    args: { project_id: 'acme/rocket', environment_id: '3' },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/environments/3',
        reply: { body: { id: 3, last_deployment: { id: 1 } } }
      }
    ],
    result: { id: 3, last_deployment: { id: 1 } }
  },
  {
    title: 'says what to do about an environment that is not there',
    tool: 'get_environment',
    args: { project_id: '1', environment_id: '3' },
    exchanges: [{ request: 'GET /projects/1/environments/3', reply: { status: 404, body: {} } }],
    error:
      /^The forge answered 404 Not Found.* Check the project, and that environment_id is the id, as list_environments has it\./
  }
])
