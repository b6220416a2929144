import { issues } from '../../../tools/issues/index.ts'
import { mergeRequests } from '../../../tools/merge-requests/index.ts'
import { pipelines } from '../../../tools/pipelines/index.ts'
import { projects } from '../../../tools/projects/index.ts'
import { repository } from '../../../tools/repository/index.ts'
import { workItems } from '../../../tools/work-items/index.ts'
import { story } from '../../support/sandbox-tools.ts'
import { type Case, runTable } from '../../support/tool-table.ts'

/* Things that are named by their web address, or as people refer to them. */

const home = 'https://forge.example'
const project_id = 'acme/rocket'
const one = `${home}/acme/rocket/-/merge_requests/7`
const seven = {
  request: 'GET /projects/acme%2Frocket/merge_requests/7?include_diverged_commits_count=true',
  reply: { body: { iid: 7 } }
}
const result = { iid: 7 }

const named: Case[] = [
  ['by its address', { project_id, merge_request_iid: one }],
  [
    'by the address of a part of it, beside an encoded project',
    { project_id: 'acme%2Frocket', merge_request_iid: `${one}/diffs?x=1#note_3` }
  ],
  ['as people refer to it', { project_id, merge_request_iid: 'acme/rocket!7' }],
  ['by an address that no argument is for', { project_id, url: one }],
  ['by an address under the name of one', { project_id, merge_request_url: one }],
  [
    'beside the address of its project in the API, which has its path as one segment',
    { project_id: `${home}/api/v4/projects/acme%2Frocket`, merge_request_iid: 7 }
  ],
  ['by an address where the project is meant', { project_id: one }],
  [
    'by an older address where the project is meant',
    { project_id: `${home}/acme/rocket/merge_requests/7/diffs` }
  ],
  ['by the address under a name of other tools', { project_id, mr_iid: one }]
].map(([how, args]) => ({
  title: `finds a merge request ${how}`,
  tool: 'get_merge_request',
  args: args as Record<string, unknown>,
  exchanges: [seven],
  result
}))

const ofGroups: Case[] = [
  ['acme&7', 'issue_iid is the reference of an epic, which get_work_item shows.'],
  ['acme#7', 'issue_iid is the reference of a work item, which get_work_item shows.'],
  [`${home}/groups/acme/-/work_items/7`, /^issue_iid is the address of a work item/]
].map(([issue_iid, error]) => ({
  title: `does not take ${issue_iid}, which is of a group, for an issue of the project`,
  tool: 'get_issue',
  args: { project_id, issue_iid },
  error: error as string | RegExp
}))

const refused: Case[] = [
  [
    { project_id: 'acme/lander', merge_request_iid: one },
    'merge_request_iid is of "acme/rocket": give that as project_id, or the number alone.'
  ],
  [
    { project_id: '41', merge_request_iid: 'acme/rocket!7' },
    'merge_request_iid is of "acme/rocket": give that as project_id, or the number alone.'
  ],
  [
    { merge_request_iid: one },
    'merge_request_iid is of "acme/rocket": give that, or the whole address, as project_id.'
  ],
  [{ url: one }, 'url is of "acme/rocket": give that, or the whole address, as project_id.'],
  [
    { merge_request_iid: `${home}/acme/rocket/merge_requests/7` },
    'merge_request_iid is of "acme/rocket": give that, or the whole address, as project_id.'
  ],
  [{ merge_request_iid: 'acme/rocket!7' }, 'merge_request_iid is of "acme/rocket": give that as project_id.'],
  [
    { project_id: { toString: 1, valueOf: 1 }, merge_request_iid: one },
    'merge_request_iid is of "acme/rocket": give that, or the whole address, as project_id.'
  ],
  [
    { project_id, merge_request_iid: `${home}/acme/rocket/-/issues/7` },
    'merge_request_iid is the address of an issue, which get_issue shows.'
  ],
  [
    { project_id, merge_request_iid: 'https://other.example/acme/rocket/-/merge_requests/7' },
    /^merge_request_iid is not of this forge, which is https:/
  ]
].map(([args, error], at) => ({
  title: `asks nothing for an address of something else (${at + 1})`,
  tool: 'get_merge_request',
  args: args as Record<string, unknown>,
  error: error as string | RegExp
}))

runTable(mergeRequests, [...named, ...refused])

runTable(issues, [
  ...ofGroups,
  {
    title: 'lists what the address of a list shows, and says what it reads in it',
    tool: 'list_issues',
    args: { project_id: `${home}/acme/rocket/-/issues/?label_name[]=bug&state=closed&weight=3` },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/issues?scope=all&state=closed&labels=bug',
        reply: { body: [{ iid: 7, labels: ['bug'] }] }
      }
    ],
    result: [{ iid: 7, labels: ['bug'] }],
    notices: [
      'The address says scope="all", state="closed", labels="bug"; arguments given besides count before it.',
      'Filters in the address that are not read: "weight".'
    ]
  },
  {
    title: 'goes by what is given beside the address of a list',
    tool: 'list_issues',
    args: { project_id: `${home}/acme/rocket/-/issues?state=closed`, state: 'all', scope: 'assigned_to_me' },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/issues?state=all&scope=assigned_to_me',
        reply: { body: [{ iid: 7 }] }
      }
    ],
    result: [{ iid: 7 }],
    notices: ['The address says scope="all", state="closed"; arguments given besides count before it.']
  },
  {
    title: 'takes no filter from the address of a list of other things, and says so',
    tool: 'my_issues',
    args: { project_id: `${home}/acme/rocket/-/merge_requests?state=closed&search=x` },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/issues?scope=assigned_to_me&state=opened',
        reply: { body: [{ iid: 7 }] }
      }
    ],
    result: [{ iid: 7 }],
    notices: ['Filters in the address that are not read: "state", "search".']
  },
  {
    title: 'takes the filters of a board, whose page shows what is closed, too',
    tool: 'list_issues',
    args: { project_id: `${home}/acme/rocket/-/boards/5?label_name[]=bug&assignee_username=ada` },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/issues?scope=all&labels=bug&assignee_username%5B%5D=ada',
        reply: { body: [{ iid: 7 }] }
      }
    ],
    result: [{ iid: 7 }],
    notices: [
      'The address says scope="all", labels="bug", assignee_username="ada"; arguments given besides count before it.'
    ]
  },
  {
    title: 'lists what a board shows that is given by its address',
    tool: 'list_issues',
    args: { project_id, board_id: `${home}/acme/rocket/-/boards/5?label_name[]=bug` },
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/issues?scope=all&labels=bug',
        reply: { body: [{ iid: 7 }] }
      }
    ],
    result: [{ iid: 7 }]
  },
  {
    title: 'says of the number of a board what lists its issues',
    tool: 'list_issues',
    args: { project_id, board_id: 5 },
    error:
      'Invalid arguments: unknown argument "board_id", as no tool reads boards: a list of one is the issues with its label, which labels takes.'
  },
  {
    title: 'says that of the address of a thing that it cannot narrow a list to only the project is used',
    tool: 'list_issues',
    args: { project_id: `${home}/acme/rocket/-/merge_requests/7`, scope: 'all' },
    exchanges: [{ request: 'GET /projects/acme%2Frocket/issues?scope=all', reply: { body: [{ iid: 7 }] } }],
    result: [{ iid: 7 }],
    notices: [
      'project_id is the address of a merge request, which get_merge_request shows: only its project is used here.'
    ]
  },
  {
    title: 'refuses an address whose number is not the one that is given besides',
    tool: 'update_issue',
    args: { project_id: `${home}/acme/rocket/-/issues/2`, issue_iid: 28, title: 'New' },
    error: 'project_id is the address of issue_iid 2, and issue_iid is "28": give the one that is meant.'
  },
  ...['#2', `${home}/acme/rocket/-/issues/2`].map(issue_iid => ({
    title: `says nothing of an address whose issue is also given as ${issue_iid}`,
    tool: 'update_issue',
    args: { project_id: `${home}/acme/rocket/-/issues/2`, issue_iid, title: 'New' },
    exchanges: [
      { request: 'PUT /projects/acme%2Frocket/issues/2', body: { title: 'New' }, reply: { body: { iid: 7 } } }
    ],
    result,
    notices: []
  })),
  {
    title: 'says of an address that no argument is for that it is not used',
    tool: 'list_issues',
    args: { project_id, url: `${home}/acme/rocket/-/commits/main`, scope: 'all' },
    exchanges: [{ request: 'GET /projects/acme%2Frocket/issues?scope=all', reply: { body: [{ iid: 7 }] } }],
    result: [{ iid: 7 }],
    notices: ['url is the address of a list of commits, which list_commits shows: it is not used here.']
  },
  {
    title: 'names the tool for what the address is of, where that is why a number is missing',
    tool: 'get_issue',
    args: { project_id: one },
    error:
      'Invalid arguments: issue_iid is required. project_id is the address of a merge request, which get_merge_request shows: only its project is used here.'
  },
  {
    title: 'takes a project by its address although it is called as a list is',
    tool: 'list_issues',
    args: { project_id: `${home}/acme/tools/issues`, scope: 'all' },
    exchanges: [
      { request: 'GET /projects/acme%2Ftools%2Fissues/issues?scope=all', reply: { body: [{ iid: 7 }] } }
    ],
    result: [{ iid: 7 }],
    notices: []
  },
  {
    title: 'finds an issue by the address of the work item that it is',
    tool: 'get_issue',
    args: { project_id, issue_iid: `${home}/acme/rocket/-/work_items/7` },
    exchanges: [{ request: 'GET /projects/acme%2Frocket/issues/7', reply: { body: { iid: 7 } } }],
    result
  },
  {
    title: 'leaves addresses in texts as they are',
    tool: 'create_issue',
    args: { project_id, title: one, description: `${home}/acme/rocket/-/issues/7` },
    exchanges: [
      {
        request: 'POST /projects/acme%2Frocket/issues',
        body: { title: one, description: `${home}/acme/rocket/-/issues/7` },
        reply: { body: { iid: 7 } }
      }
    ],
    result
  }
])

runTable(pipelines, [
  {
    title: 'finds a pipeline by its address, and by a number after #',
    tool: 'get_pipeline',
    args: { project_id, pipeline_id: '#9' },
    exchanges: [{ request: 'GET /projects/acme%2Frocket/pipelines/9', reply: { body: { id: 9 } } }],
    result: { id: 9 }
  },
  {
    title: 'lists the pipelines that the address of their list shows',
    tool: 'list_pipelines',
    args: { project_id: `${home}/acme/rocket/-/pipelines?status=failed` },
    exchanges: [
      { request: 'GET /projects/acme%2Frocket/pipelines?status=failed', reply: { body: [{ id: 9 }] } }
    ],
    result: [{ id: 9 }],
    notices: ['The address says status="failed"; arguments given besides count before it.']
  },
  {
    title: 'lists the jobs of the pipeline whose address is given for the project',
    tool: 'list_pipeline_jobs',
    args: { project_id: `${home}/acme/rocket/-/pipelines/9` },
    exchanges: [{ request: 'GET /projects/acme%2Frocket/pipelines/9/jobs', reply: { body: [{ id: 5 }] } }],
    result: [{ id: 5 }],
    notices: []
  },
  {
    title: 'says that deployments are not narrowed down to the environment of an address',
    tool: 'list_deployments',
    args: { project_id: `${home}/acme/rocket/-/environments/3` },
    exchanges: [{ request: 'GET /projects/acme%2Frocket/deployments', reply: { body: [{ id: 5 }] } }],
    notices: [
      'project_id is the address of an environment, which get_environment shows: only its project is used here.'
    ]
  },
  {
    title: 'finds a job by its address',
    tool: 'play_pipeline_job',
    args: { project_id, job_id: `${home}/acme/rocket/-/jobs/5` },
    exchanges: [
      { request: 'POST /projects/acme%2Frocket/jobs/5/play', body: {}, reply: { body: { id: 5 } } }
    ],
    result: { id: 5 }
  }
])

const file = (path: string, ref: string) => ({
  request: `GET /projects/acme%2Frocket/repository/files/${path}/raw?ref=${ref}`,
  reply: { headers: { 'content-type': 'text/plain' }, body: 'one\ntwo\nthree\n' }
})

runTable(repository, [
  {
    title: 'reads the lines of a file that its address names',
    tool: 'get_file_contents',
    args: { project_id, path: `${home}/acme/rocket/-/blob/main/src/engine.ts#L2-3` },
    exchanges: [file('src%2Fengine%2Ets', 'main')],
    text: 'two\nthree'
  },
  {
    title: 'takes a ref with slashes from an address by the ref beside it',
    tool: 'get_file_contents',
    args: { project_id, path: `${home}/acme/rocket/-/blob/fix/drift/src/a.ts`, ref: 'fix/drift' },
    exchanges: [file('src%2Fa%2Ets', 'fix%2Fdrift')],
    text: 'one\ntwo\nthree\n'
  },
  {
    title: 'asks for no number in place of the address of a file, which has none',
    tool: 'get_file_contents',
    args: { project_id: 'acme/lander', path: `${home}/acme/rocket/-/blob/main/src/a.ts` },
    error: 'path is of "acme/rocket": give that as project_id.'
  },
  {
    title: 'gives a change no more of an address than the id that it lacks',
    tool: 'create_branch',
    args: { project_id: `${home}/acme/rocket/-/tree/old`, branch: 'new' },
    error:
      'Invalid arguments: ref is required. project_id is the address of a directory, which get_repository_tree shows: only its project is used here.'
  }
])

runTable(projects, [
  {
    title: 'knows a group by its number in the address of the API',
    tool: 'get_group',
    args: { group_id: `${home}/api/v4/groups/9` },
    exchanges: [{ request: 'GET /groups/9?with_projects=false', reply: { body: { id: 9 } } }],
    result: { id: 9 }
  },
  ...['projects/41', 'projects/41/', 'api/v4/projects/41', 'api/v4/projects/41?statistics=true'].map(
    path => ({
      title: `knows a project by its number in ${path}`,
      tool: 'get_project',
      args: { project_id: `${home}/${path}` },
      exchanges: [{ request: 'GET /projects/41?license=true', reply: { body: { id: 41 } } }],
      result: { id: 41, permissions: {} }
    })
  )
])

runTable(workItems, [
  {
    title: 'finds an epic by its address, of the group that it names',
    tool: 'get_work_item',
    args: { group_id: 'crew', iid: `${home}/groups/acme/-/epics/1` },
    error: 'iid is of "acme": give that as group_id, or the number alone.'
  }
])

story(
  'an address whose branch has a slash is read at the branch that it goes on with',
  [repository, projects],
  async (t, as) => {
    const ada = as('ada')
    const { value } = await ada('get_project', { project_id })
    const at = (page: string) => `${value.web_url}/-/${page}`
    const file = { ref: 'release/1.4', path: 'src/engine.ts' }
    const both = 'ref "release/1.4" and path "src/engine.ts"'
    const remark = `The address was read as ${both}: "release" was not found.`
    for (const [tool, path] of [
      ['get_file_contents', at('blob/release/1.4/src/engine.ts#L2')],
      ['get_file_blame', at('blame/release/1.4/src/engine.ts#L2')],
      ['list_commits', at('commits/release/1.4/src/engine.ts')]
    ] as const) {
      const read = await ada(tool, { project_id, path })
      t.equal(read.error, undefined, `${tool} reads it`)
      t.ok(read.notices.includes(remark), `${tool} says how: ${read.notices.join()}`)
      const lines = path.includes('#') ? { start_line: 2, end_line: 2 } : {}
      const told = await ada(tool, { project_id, ...file, ...lines })
      t.same(read.value, told.value, `${tool} reads that`)
    }
    const tree = await ada('get_repository_tree', { project_id: at('tree/release/1.4') })
    t.equal(tree.error, undefined, 'the top level of the branch has no path')
    const { error } = await ada('get_file_contents', { project_id, path: at('blob/nowhere/1/a.ts') })
    t.match(error, /That the ref is "nowhere", and the rest the path, is a guess\. resolve_url splits/)
    const lost = await ada('get_file_contents', { project_id, path: at('blob/release/1.4/src/engin.ts') })
    t.match(lost.error, /not found/i)
    t.notMatch(lost.error, /is a guess/, 'once the branch is known only the path is wrong')
    await ada('create_branch', { project_id, branch: 'fix/of/drift', ref: 'main' })
    const whole = await ada('get_file_contents', { project_id, path: at('blob/fix/of/drift') })
    t.match(whole.error, /^The forge answered 404/, 'where all is the branch there is no file to read')
  }
)

const blame = (path: string) => ({ project_id, path: `${home}/acme/rocket/-/blame/main/${path}` })
runTable(repository, [
  {
    title: 'takes the address of a file whose name has a backslash',
    tool: 'get_file_blame',
    args: blame('units/srv-my%5Cx2ddata'),
    exchanges: [
      {
        request: 'GET /projects/acme%2Frocket/repository/files/units%2Fsrv-my%5Cx2ddata/blame?ref=main',
        reply: { body: [] }
      }
    ]
  },
  {
    title: 'takes no address that climbs by backslashes',
    tool: 'get_file_blame',
    args: blame('units%5C..%5C..%5Cx'),
    error: /^path has an empty, "\." or "\.\." segment/
  }
])
