import { issues } from '../../../tools/issues/index.ts'
import { projects } from '../../../tools/projects/index.ts'
import { workItems } from '../../../tools/work-items/index.ts'
import { type Case, runTable } from '../../support/tool-table.ts'

/* Addresses of pages on which an issue, work item or epic is open beside what they are of. */

const home = 'https://forge.example'
const project_id = 'acme/rocket'
const at = `${home}/acme/rocket/-`
/** What pages of the forge put into an address for the item that is open. */
const show = (full_path = 'acme/rocket', iid: unknown = '2') =>
  `show=${encodeURIComponent(Buffer.from(JSON.stringify({ iid, full_path, id: 102 })).toString('base64'))}`
const two = { request: 'GET /projects/acme%2Frocket/issues/2', reply: { body: { iid: 2 } } }

const unread = [
  'show=102',
  'show=%5B%5D',
  `show=${'A'.repeat(2_052)}`,
  show('../x'),
  show('acme/rocket', 'x'),
  'show=eyJpaWQiOiIyIn0'
]
const notRead =
  'has ?show= for an item that is open on its page, and is not read here: give the number of that item, or leave it out.'

const pages: Case[] = ['issues', 'issues/1', 'boards/5', 'work_items', 'work_items/1'].flatMap(page =>
  [
    { project_id: `${at}/${page}?${show()}` },
    { project_id, issue_iid: `${at}/${page}?sort=updated&${show()}` },
    { project_id, url: `${at}/${page}?${show()}` }
  ].map((args, way) => ({
    title: `shows the issue that is open on the page ${page} (${way + 1})`,
    tool: 'get_issue',
    args,
    exchanges: [two],
    result: { iid: 2 }
  }))
)

runTable(issues, [
  ...pages,
  {
    title: 'closes the issue that is open, and not the one whose page it is on',
    tool: 'update_issue',
    args: { project_id: `${at}/issues/1?${show()}`, state_event: 'close' },
    exchanges: [
      {
        request: 'PUT /projects/acme%2Frocket/issues/2',
        body: { state_event: 'close' },
        reply: { body: { iid: 2 } }
      }
    ],
    result: { iid: 2 }
  },
  {
    title: 'finds the issue that is open on the page of a group beside its project',
    tool: 'get_issue',
    args: { project_id, issue_iid: `${home}/groups/acme/-/issues?${show()}` },
    exchanges: [two],
    result: { iid: 2 }
  },
  ...[`groups/acme/-/issues?${show()}`, `acme/tools/-/issues/1?${show()}`, `dashboard/issues?${show()}`].map(
    page => ({
      title: `does not take the project of what is open from ${page}, as gateways go by the address`,
      tool: 'update_issue',
      args: { project_id: `${home}/${page}`, state_event: 'close' },
      error: /issue 2 of "acme\/rocket": give that as project_id|^Invalid arguments/
    })
  ),
  {
    title: 'lists what the page behind an open item lists',
    tool: 'list_issues',
    args: { project_id: `${at}/issues?state=closed&${show()}` },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/issues?scope=all&state=closed',
        reply: { body: [{ iid: 7 }] }
      }
    ],
    result: [{ iid: 7 }]
  },
  ...unread.flatMap(query => [
    {
      title: `changes nothing where it is not read what is open: ${query.slice(0, 40)}`,
      tool: 'update_issue',
      args: { project_id: `${at}/issues/1?${query}`, add_labels: ['bug'] },
      error: `project_id ${notRead}`
    },
    {
      title: `shows what the page is of, and says that it is not read what is open: ${query.slice(0, 40)}`,
      tool: 'get_issue',
      args: { project_id, issue_iid: `${at}/issues/2?${query}` },
      exchanges: [two],
      result: { iid: 2 },
      notices: [`issue_iid ${notRead}`]
    }
  ])
])

runTable(workItems, [
  {
    title: 'takes no parent from the page of another item where it is not read which is open',
    tool: 'update_work_item',
    args: { project_id, iid: '3', parent_id: `${at}/work_items/1?show=102` },
    error: `parent_id ${notRead}`
  }
])

const means: readonly (readonly [page: string, means: Readonly<Record<string, unknown>>])[] = [
  [`acme/rocket/-/issues/1?${show()}`, { kind: 'issue', project_path: 'acme/rocket', issue_iid: '2' }],
  [`acme/rocket/-/work_items?${show()}`, { kind: 'work_item', project_path: 'acme/rocket', iid: '2' }],
  [
    `acme/rocket/-/boards/5?${show('acme')}`,
    { kind: 'work_item', group_path: 'acme', iid: '2', guessed: true }
  ],
  [`groups/acme/-/epics?${show('acme')}`, { kind: 'work_item', group_path: 'acme', iid: '2' }],
  [
    `groups/acme/-/epics?${show('acme/crew')}`,
    { kind: 'work_item', group_path: 'acme/crew', iid: '2', guessed: true }
  ],
  [
    `groups/acme/-/issues?${show()}`,
    { kind: 'issue', project_path: 'acme/rocket', issue_iid: '2', guessed: true }
  ]
]

runTable(
  projects,
  means.map(([page, means]) => ({
    title: `tells what is open on ${page.replace(/show=.*/, 'show=…')}`,
    tool: 'resolve_url',
    args: { url: `${home}/${page}` },
    result: {
      ...means,
      use:
        means.kind === 'issue'
          ? { tool: 'get_issue', arguments: { project_id, issue_iid: '2' } }
          : {
              tool: 'get_work_item',
              arguments: {
                ...('project_path' in means ? { project_id } : { group_id: means.group_path }),
                iid: '2'
              }
            }
    }
  }))
)
