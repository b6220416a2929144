import { toolsets } from '../../../tools/index.ts'
import { issues } from '../../../tools/issues/index.ts'
import { mergeRequests } from '../../../tools/merge-requests/index.ts'
import { pipelines } from '../../../tools/pipelines/index.ts'
import { projects } from '../../../tools/projects/index.ts'
import { repository } from '../../../tools/repository/index.ts'
import { workItems } from '../../../tools/work-items/index.ts'
import { story } from '../../support/sandbox-tools.ts'
import { type Case, runTable } from '../../support/tool-table.ts'

/* Labels, milestones, people, branches and environments by names that nothing has: the forge leaves labels out, or finds nothing, without a word. */

const list = (body: unknown, query = 'per_page=100') => ({
  request: `GET /projects/1/labels?${query}`,
  reply: { body }
})
const labels = (...names: string[]) => names.map(name => ({ name }))
const many = labels(...Array.from({ length: 100 }, (_, at) => `l${at}`))
const make = (labels: string[], reply: object) => ({
  request: 'POST /projects/1/issues',
  body: { title: 'Leak', labels },
  reply: { status: 201, body: reply }
})
const create = (...labels: string[]) => ({ project_id: '1', title: 'Leak', labels })

const cases: Case[] = [
  {
    title: 'makes an issue with labels by one request, as a write asks nothing that was not asked for',
    tool: 'create_issue',
    args: create('bug', ' Docs'),
    exchanges: [make(['bug', ' Docs'], { iid: 8, labels: ['bug', 'docs'] })],
    notices: []
  },
  {
    title: 'asks of a label that was added whether it is one that is there, mistyped',
    tool: 'update_issue',
    args: { project_id: '1', issue_iid: '7', add_labels: ['bugg', 'P2', 'front', 'fronts'] },
    exchanges: [
      {
        request: 'PUT /projects/1/issues/7',
        body: { add_labels: ['bugg', 'P2', 'front', 'fronts'] },
        reply: { body: { iid: 7, labels: ['P1', 'P2', 'bug', 'bugg', 'front', 'fronts'] } }
      }
    ],
    notices: ['It has "bugg" and "bug" now: if one is meant, remove_labels takes the other off.']
  },
  {
    title: 'says that a label is there in another case, too',
    tool: 'update_issue',
    args: { project_id: '1', issue_iid: '7', add_labels: ['Bug', 'ui'] },
    exchanges: [
      {
        request: 'PUT /projects/1/issues/7',
        body: { add_labels: ['Bug', 'ui'] },
        reply: { body: { iid: 7, labels: ['Bug', 'bug', 'ui'] } }
      }
    ],
    notices: ['It has "Bug" and "bug" now: these are two labels. remove_labels takes one off.']
  },
  {
    title: 'says that a label is there that looks the same',
    tool: 'update_issue',
    args: { project_id: '1', issue_iid: '7', add_labels: ['Priority : high', 'Ger\u00e4t', 'ui'] },
    exchanges: [
      {
        request: 'PUT /projects/1/issues/7',
        body: { add_labels: ['Priority : high', 'Ger\u00e4t', 'ui'] },
        reply: {
          body: {
            iid: 7,
            labels: ['Priority\u00a0: high', 'Priority : high', 'Gera\u0308t', 'Ger\u00e4t', 'ui']
          }
        }
      }
    ],
    notices: [
      'It has "Priority : high" and "Priority\\u00a0: high" now: these are two labels. remove_labels takes one off.',
      'It has "Ger\\u00e4t" and "Gera\\u0308t" now: these are two labels. remove_labels takes one off.'
    ]
  },
  ...[
    'bug;hardware',
    'Bug | hardware',
    'bug，hardware',
    'bug、hardware',
    'bug； hardware',
    'bug، hardware'
  ].map(name => ({
    title: `says of ${name} that it is the names of two labels in one`,
    tool: 'create_issue',
    args: create(name, 'ui'),
    exchanges: [
      make([name, 'ui'], { iid: 8, labels: [name, 'ui'] }),
      {
        request: 'GET /projects/1/labels?per_page=100',
        reply: { body: [{ name: 'bug' }, { name: 'hardware' }, { name }] }
      }
    ],
    notices: [
      `It has one label "${name}" now, and there are "bug" and "hardware": if these are meant, give each as a name of its own, and take the one off by remove_labels.`
    ]
  })),
  {
    title: 'asks for nothing where a name has what is between words',
    tool: 'create_issue',
    args: create('R&D', 'search and replace'),
    exchanges: [make(['R&D', 'search and replace'], { iid: 8, labels: ['R&D', 'search and replace'] })],
    notices: []
  },
  {
    title: 'says nothing of a name with such a sign where no labels are called by its parts',
    tool: 'create_issue',
    args: create('research; development'),
    exchanges: [
      make(['research; development'], { iid: 8, labels: ['research; development'] }),
      { request: 'GET /projects/1/labels?per_page=100', reply: { body: [{ name: 'research' }] } }
    ],
    notices: []
  },
  {
    title: 'says that a label is not set where the caller may make none',
    tool: 'create_issue',
    args: create('bug', 'urgent'),
    exchanges: [make(['bug', 'urgent'], { iid: 8, labels: ['bug'] })],
    notices: [
      'The forge did not set label "urgent": perhaps your role is too low to set one, or there is none and you may make none. list_labels has those there are.'
    ]
  },
  {
    title: 'says of a label of a scope that another may stand for it',
    tool: 'create_issue',
    args: create('rank::1', 'rank::2'),
    exchanges: [make(['rank::1', 'rank::2'], { iid: 8, labels: ['rank::2'] })],
    notices: [
      'The forge did not set label "rank::1": another of its scope may stand for it, or perhaps your role is too low to set one, or there is none and you may make none. list_labels has those there are.'
    ]
  },
  {
    title: 'says nothing of a label that the same call takes away, nor of a number with zeros before it',
    tool: 'update_issue',
    args: { project_id: '1', issue_iid: '7', add_labels: ['bug'], remove_labels: ['bug'], weight: '03' },
    exchanges: [
      {
        request: 'PUT /projects/1/issues/7',
        body: { add_labels: ['bug'], remove_labels: ['bug'], weight: 3 },
        reply: { body: { iid: 7, labels: [], weight: 3 } }
      }
    ],
    notices: []
  },
  {
    title: 'says that a label to take away is still there in another case',
    tool: 'update_issue',
    args: { project_id: '1', issue_iid: '7', remove_labels: ['BUG', 'ui'] },
    exchanges: [
      {
        request: 'PUT /projects/1/issues/7',
        body: { remove_labels: ['BUG', 'ui'] },
        reply: { body: { iid: 7, labels: ['bug', 'docs'] } }
      }
    ],
    notices: ['It still has "bug", which is another label than "BUG": the case of letters counts.']
  },
  {
    title: 'asks whether a label that is left was meant by one to take away that is spelt nearly like it',
    tool: 'update_issue',
    args: { project_id: '1', issue_iid: '7', remove_labels: ['bgu', 'P1', 'ui', 'docs'] },
    exchanges: [
      {
        request: 'PUT /projects/1/issues/7',
        body: { remove_labels: ['bgu', 'P1', 'ui', 'docs'] },
        reply: { body: { iid: 7, labels: ['bug', 'P2', 'ux', 'frontend'] } }
      }
    ],
    notices: ['It still has "bug": was that meant by "bgu"?']
  },
  {
    title: 'says nothing of a label taken away where the same call adds it in another case',
    tool: 'update_issue',
    args: { project_id: '1', issue_iid: '7', add_labels: ['bug'], remove_labels: ['Bug'] },
    exchanges: [
      {
        request: 'PUT /projects/1/issues/7',
        body: { add_labels: ['bug'], remove_labels: ['Bug'] },
        reply: { body: { iid: 7, labels: ['bug'] } }
      }
    ],
    notices: []
  },
  {
    title: 'says what else of it the forge did not take',
    tool: 'update_issue',
    args: {
      project_id: '1',
      issue_iid: '7',
      milestone_id: '3',
      due_date: '2026-12-24',
      confidential: true,
      weight: '2',
      remove_labels: ['bug']
    },
    exchanges: [
      {
        request: 'PUT /projects/1/issues/7',
        body: {
          milestone_id: 3,
          due_date: '2026-12-24',
          confidential: true,
          weight: 2,
          remove_labels: ['bug']
        },
        reply: { body: { iid: 7, labels: ['bug'], milestone: null, due_date: null, confidential: true } }
      }
    ],
    notices: [
      'The forge did not take milestone_id, due_date, weight, remove_labels: your role in the project may be too low, or there is no milestone of that id here, and weight takes the Premium edition.'
    ]
  },
  {
    title: 'says nothing of what is taken away as it was to be',
    tool: 'update_issue',
    args: { project_id: '1', issue_iid: '7', milestone_id: '0', due_date: '', discussion_locked: false },
    exchanges: [
      {
        request: 'PUT /projects/1/issues/7',
        body: { milestone_id: 0, due_date: '', discussion_locked: false },
        reply: { body: { iid: 7, milestone: null, due_date: null, discussion_locked: null } }
      }
    ],
    notices: []
  },
  {
    title: 'says nothing of labels where the record does not tell its own',
    tool: 'create_issue',
    args: create('urgent'),
    exchanges: [make(['urgent'], { iid: 8 })],
    notices: []
  },
  {
    title: 'changes labels by one request',
    tool: 'update_issue',
    args: { project_id: '1', issue_iid: '7', add_labels: ['bug'], remove_labels: ['bugg'] },
    exchanges: [
      {
        request: 'PUT /projects/1/issues/7',
        body: { add_labels: ['bug'], remove_labels: ['bugg'] },
        reply: { body: { iid: 7, labels: ['bug'] } }
      }
    ],
    notices: []
  },
  {
    title: 'looks for a label by its name where there are very many',
    tool: 'list_issues',
    args: { project_id: '1', scope: 'all', labels: ['urgent'] },
    exchanges: [
      { request: 'GET /projects/1/issues?scope=all&labels=urgent', reply: { body: [] } },
      list(many),
      list(labels('urgent', 'urgently'), 'search=urgent&per_page=100')
    ],
    result: [],
    notices: []
  },
  {
    title: 'says nothing where labels may not be read',
    tool: 'list_issues',
    args: { project_id: '1', scope: 'all', labels: ['urgent'] },
    exchanges: [
      { request: 'GET /projects/1/issues?scope=all&labels=urgent', reply: { body: [] } },
      { ...list([]), reply: { status: 403, body: {} } }
    ],
    result: [],
    notices: []
  },
  {
    title: 'says of an empty list that its filter names no label',
    tool: 'list_issues',
    args: { project_id: '1', scope: 'all', labels: ['bugg', 'docs'] },
    exchanges: [
      { request: 'GET /projects/1/issues?scope=all&labels=bugg%2Cdocs', reply: { body: [] } },
      list(labels('bug', 'docs'))
    ],
    result: [],
    notices: ['There is no label "bugg": did you mean "bug"? labels=None lists what has no label.']
  },
  {
    title: 'says of an empty list that its filter is the names of two labels in one',
    tool: 'list_issues',
    args: { project_id: '1', scope: 'all', labels: ['Bug、docs'] },
    exchanges: [
      {
        request: `GET /projects/1/issues?scope=all&labels=${encodeURIComponent('Bug、docs')}`,
        reply: { body: [] }
      },
      list(labels('bug', 'docs'))
    ],
    result: [],
    notices: [
      'There is no label "Bug、docs": there are "bug" and "docs": if these are meant, give each as a name of its own. labels=None lists what has no label.'
    ]
  },
  {
    title: 'names a milestone and a person of an empty list that there are not',
    tool: 'list_issues',
    args: { project_id: '1', scope: 'all', milestone: '1.6', assignee_username: ['Grace Hopper', 'ada'] },
    exchanges: [
      {
        request:
          'GET /projects/1/issues?scope=all&milestone=1.6&assignee_username%5B%5D=Grace+Hopper&assignee_username%5B%5D=ada',
        reply: { body: [] }
      },
      { request: 'GET /users?username=ada', reply: { body: [{ id: 2, username: 'ada' }] } },
      {
        request: 'GET /projects/1/milestones?include_ancestors=true&per_page=100',
        reply: { body: [{ title: '1.5' }, { title: 'Autumn' }] }
      },
      {
        request: 'GET /projects/1/users?search=Grace+Hopper&per_page=3',
        reply: { body: [{ username: 'grace', name: 'Grace Hopper' }] }
      }
    ],
    result: [],
    notices: [
      'Only what is assigned to all of these people is listed, and without Premium a forge assigns one: list for each alone.',
      'There is no user "Grace Hopper": did you mean "grace" ("Grace Hopper")?',
      'There is no milestone "1.6": did you mean "1.5"? milestone=None lists what has no milestone.'
    ]
  },
  {
    title: 'says of a group that a milestone is none of the group, as one of a project may be meant',
    tool: 'my_issues',
    args: { group_id: 'acme', state: 'all', milestone: '1.4' },
    exchanges: [
      {
        request: 'GET /groups/acme/issues?scope=assigned_to_me&state=all&milestone=1.4',
        reply: { body: [] }
      },
      {
        request: 'GET /groups/acme/milestones?include_ancestors=true&include_descendants=true&per_page=100',
        reply: { body: [] }
      }
    ],
    result: [],
    notices: [
      'There is no milestone "1.4" of the group: list_milestones has those there are. milestone=None lists what has no milestone.'
    ]
  },
  {
    title: 'asks nothing more of a list that has something, of None, or of a later page',
    tool: 'list_issues',
    args: { project_id: '1', scope: 'all', labels: ['None'] },
    exchanges: [{ request: 'GET /projects/1/issues?scope=all&labels=None', reply: { body: [] } }],
    result: [],
    notices: []
  },
  {
    title: 'asks nothing more where no project or group is named, whose labels they would be',
    tool: 'list_issues',
    args: { scope: 'all', labels: ['bugg'] },
    exchanges: [{ request: 'GET /issues?scope=all&labels=bugg', reply: { body: [] } }],
    result: [],
    notices: []
  }
]

runTable(issues, cases)
runTable(pipelines, [
  {
    title: 'says of a branch that only a fork has where it is',
    tool: 'list_pipelines',
    args: { project_id: '1', ref: 'dev' },
    exchanges: [
      { request: 'GET /projects/1/pipelines?ref=dev', reply: { body: [] } },
      { request: 'GET /projects/1/repository/commits/dev', reply: { status: 404, body: {} } },
      { request: 'GET /projects/1/repository/branches?per_page=100', reply: { body: [{ name: 'main' }] } },
      { request: 'GET /projects/1/repository/tags?per_page=100', reply: { body: [] } },
      {
        request: 'GET /projects/1/merge_requests?source_branch=dev&state=opened&per_page=100',
        reply: {
          body: [{ iid: 8, sha: '7777777', source_branch: 'dev', source_project_id: 7, target_project_id: 1 }]
        }
      }
    ],
    notices: [
      'There is no branch or tag "dev": list_branches and list_tags have those there are. "dev" is the source branch of !8 in the fork with project_id=7, whose files are read here by ref=7777777, if that is meant: a branch of that name here would be another one.'
    ]
  },
  {
    title: 'says of an empty list that there is no such branch, which a forge takes for one without any',
    tool: 'list_pipelines',
    args: { project_id: '1', ref: 'refs/heads/relase' },
    exchanges: [
      { request: 'GET /projects/1/pipelines?ref=relase', reply: { body: [] } },
      { request: 'GET /projects/1/repository/commits/relase', reply: { status: 404, body: {} } },
      {
        request: 'GET /projects/1/repository/branches?per_page=100',
        reply: { body: [{ name: 'main' }, { name: 'release' }] }
      },
      { request: 'GET /projects/1/repository/tags?per_page=100', reply: { body: [] } }
    ],
    result: [],
    notices: ['There is no branch or tag "relase": did you mean "release"?']
  }
])
runTable(repository, [
  {
    title: 'takes a commit for what it is',
    tool: 'search_code',
    args: { project_id: '1', query: 'gauge', ref: 'ac3599bba7ab' },
    exchanges: [
      { request: 'GET /projects/1/-/search?scope=blobs&ref=ac3599bba7ab&search=gauge', reply: { body: [] } }
    ],
    result: [],
    notices: []
  }
])

story('an empty list says which of its labels does not exist', [issues, mergeRequests], async (t, as) => {
  const notices = async (tool: string, args: object) =>
    (await as('ada')(tool, { project_id: 'acme/rocket', ...args })).notices
  const all = { scope: 'all' }
  t.match(await notices('list_issues', { ...all, labels: ['bugs'] }), [
    /no label "bugs": did you mean "bug"\?/
  ])
  t.match(await notices('list_merge_requests', { ...all, labels: 'No label' }), [
    /no label "No label": list_labels has those there are\. labels=None/
  ])
  t.match(await notices('my_issues', { labels: ['zebra'] }), [/state=all/, /no label "zebra"/])
  t.same(await notices('list_issues', { ...all, labels: ['security', 'hardware'] }), [], 'both exist')
  const none = await as('ada')('list_issues', { project_id: 'acme/rocket', ...all, labels: 'none' })
  t.same(none.notices, [])
  t.ok(none.value.length > 0, 'none is no label')
  t.match((await as('ada')('list_issues', { group_id: 'acme', ...all, labels: 'customers' })).notices, [
    /no label "customers": did you mean "customer"/
  ])
  t.match((await as('ada')('list_issues', { group_id: 'acme', ...all, labels: 'telemetri' })).notices, [
    /no label "telemetri": did you mean "telemetry"/
  ])
})

story(
  'an empty list says how what has no assignee or reviewer is listed',
  [issues, mergeRequests],
  async (t, as) => {
    const list = async (tool: string, args: object) =>
      as('ada')(tool, { project_id: 'acme/rocket', scope: 'all', ...args })
    const unassigned = await list('list_issues', { assignee_username: 'none' })
    t.same(unassigned.value, [])
    t.match(unassigned.notices, [/no user "none": .* assignee_id=None lists what nobody is assigned to\.$/])
    const unreviewed = await list('list_merge_requests', { reviewer_username: 'None' })
    t.match(unreviewed.notices, [/no user "None": .* reviewer_id=None lists what nobody is to review\.$/])
    const unapproved = await list('list_merge_requests', { approved_by_usernames: 'None', state: 'merged' })
    t.notMatch(unapproved.notices, [/no user/], 'a word of this filter')
  }
)

story('a list of work items names what it is filtered by and is not there', [workItems], async (t, as) => {
  const list = async (args: object) =>
    (await as('ada')('list_work_items', { project_id: 'acme/rocket', ...args })).notices
  t.same(await list({ label_names: ['bugs'] }), ['There is no label "bugs": did you mean "bug"?'])
  t.same(await list({ milestone_titles: '1.6' }), ['There is no milestone "1.6": did you mean "1.5"?'])
  t.match(await list({ author_username: 'Ada Lovelace' }), [/no user "Ada Lovelace": did you mean "ada"/])
  t.match(await list({ author_username: 'adda' }), [/no user "adda": find_users finds people by name/])
  t.same(await list({ label_names: ['bug'], author_username: 'edsger' }), [], 'both are there')
})

story('work items that nobody is assigned to, and the others', [workItems], async (t, as) => {
  const list = async (more: object = {}) =>
    (await as('ada')('list_work_items', { project_id: 'acme/rocket', first: 100, ...more })).value.work_items
  const isAssigned = ({ assignees }: { assignees?: unknown }) => assignees !== undefined
  const [all, none, any] = [
    await list(),
    await list({ assignee_usernames: 'None' }),
    await list({ assignee_usernames: ['any'] })
  ]
  t.ok(none.length > 0 && any.length > 0)
  t.same([none.some(isAssigned), any.every(isAssigned)], [false, true])
  t.equal(none.length + any.length, all.length)
})

story('work items that have no label or milestone, and the others', [workItems], async (t, as) => {
  const list = async (more: object = {}) =>
    (await as('ada')('list_work_items', { project_id: 'acme/rocket', first: 100, ...more })).value.work_items
  const all = await list()
  for (const argument of ['label_names', 'milestone_titles']) {
    const [none, any] = [await list({ [argument]: 'none' }), await list({ [argument]: ['Any'] })]
    t.ok(none.length > 0 && any.length > 0, argument)
    t.equal(none.length + any.length, all.length, argument)
  }
})

story(
  'what is of a milestone that has begun or comes next',
  [issues, mergeRequests, workItems],
  async (t, as) => {
    const ada = as('ada')
    const project_id = 'acme/rocket'
    await ada('update_issue', { project_id, issue_iid: 6, milestone_id: 'Autumn' })
    await ada('update_merge_request', { project_id, merge_request_iid: 3, milestone_id: 'Autumn' })
    const numbers = (list: { iid: number }[]) => list.map(({ iid }) => iid)
    for (const word of ['started', 'Upcoming']) {
      const of = { project_id, milestone: word, scope: 'all' }
      t.same(numbers((await ada('list_issues', of)).value), [6], word)
      t.same(numbers((await ada('list_merge_requests', of)).value), [3], word)
      const items = await ada('list_work_items', { project_id, milestone_titles: word })
      t.same(numbers(items.value.work_items), [6], word)
    }
  }
)

story('deployments of an environment that is not there', [pipelines], async (t, as) => {
  const of = async (environment: string) =>
    (await as('ada')('list_deployments', { project_id: 'acme/rocket', environment })).notices
  t.same(await of('productoin'), ['There is no environment "productoin": did you mean "production"?'])
  t.same(await of('prod'), ['There is no environment "prod": did you mean "production"?'])
  t.same(await of('production'), [])
})

story('commits that changed a path that is not there', [repository], async (t, as) => {
  const of = async (path: string, more: object = {}) =>
    (await as('ada')('list_commits', { project_id: 'acme/rocket', path, ...more })).notices
  t.same(await of('src/engin.ts'), ['There is no path "src/engin.ts": did you mean "src/engine.ts"?'])
  t.same(await of('scr/'), ['There is no path "scr/": did you mean "src"?'])
  t.same(await of('engine.ts'), ['There is no path "engine.ts": perhaps "src/engine.ts" is meant.'])
  t.same(await of('src/engine.ts', { until: '2000-01-01T00:00:00Z' }), [], 'it is there')
  t.same(await of('src/', { until: '2000-01-01T00:00:00Z' }), [], 'and so is a directory')
  t.same(await of('src/engin.ts', { all: true }), [], 'of all branches nobody looks')
})

story('what a role or an edition may not set', [issues, projects], async (t, as) => {
  const project_id = 'acme/rocket'
  const issue = { project_id, title: 'Leak', milestone_id: '1.5', due_date: '2026-12-24', weight: 2 }
  t.same((await as('ada')('create_issue', issue)).notices, [], 'a developer’s issue is as it was to be')
  await as('margaret')('set_member', { project_id, username: 'edsger', role: 'guest' })
  t.same((await as('edsger')('create_issue', issue)).notices, [
    'The forge did not take milestone_id, due_date, weight: your role in the project may be too low, or there is no milestone of that id here, and weight takes the Premium edition.'
  ])
})

story(
  'a free forge takes no weight',
  [issues],
  async (t, as) => {
    const args = { project_id: 'acme/rocket', issue_iid: 1, weight: 3, due_date: '2026-12-24' }
    t.match((await as('ada')('update_issue', args)).notices, [/did not take weight:.* Premium edition/])
  },
  { edition: 'ce' }
)

story('lists that are empty for another reason than that there is nothing', toolsets, async (t, as) => {
  const ask = async (tool: string, args: object) => as('ada')(tool, { project_id: 'acme/rocket', ...args })
  const said = async (tool: string, args: object) => (await ask(tool, args)).notices
  const error = async (tool: string, args: object) => (await ask(tool, args)).error
  t.match(await said('list_environments', { name: 'productoin' }), [/did you mean "production"/])
  t.same(await said('list_environments', { name: 'production', states: 'stopped' }), [], 'it is there')
  t.match(await said('list_milestones', { title: 'Autumn' }), [/include_ancestors=true also lists/])
  t.same(await said('list_milestones', { title: 'Autumn', include_ancestors: true }), [])
  t.match(await said('find_users', { username: 'Linus Pauling', project_id: null }), [/did you mean "linus"/])
  t.match(await said('search', { scope: 'commits', query: 'x', ref: 'mian' }), [/did you mean "main"/])
  const [{ sha }] = (await ask('list_pipelines', { ref: 'main' })).value
  const ids = async (args: object) =>
    (await ask('list_pipelines', args)).value.map(({ id }: { id: number }) => id)
  t.same(await ids({ sha: sha.slice(0, 8) }), await ids({ sha }), 'of a short SHA')
  t.same(await said('list_pipelines', { ref: 'v1.4.0' }), [], 'a tag without any is there')
  t.same(await said('list_pipelines', { ref: '1.4.0' }), [
    'There is no branch or tag "1.4.0": did you mean "v1.4.0"?'
  ])
  t.match(await said('list_merge_requests', { source_branch: 'v1.4.0' }), [/There is no branch "v1\.4\.0"/])
  t.match(await said('list_pipelines', { sha: 'deadbeef' }), [/no commit here begins with deadbeef/])
  t.notMatch(
    (await said('list_pipelines', { sha: sha.slice(0, 8) })).join(' '),
    /Perhaps/,
    'of one that has some'
  )
  const swapped = { created_after: '2026-12-01', created_before: '2026-11-01T00:00:00Z' }
  t.match(await error('list_issues', swapped), /created_after 2026-12-01 is later than created_before/)
  const inUtc = { created_after: '2026-11-20T01:00:00', created_before: '2026-11-20T02:00:00Z' }
  t.equal(await error('list_issues', inUtc), undefined)
  t.match(await error('list_commits', { since: '2026-12-01', until: '2026-11-01' }), /nothing lies between/)
  const tooEarly = { scope: 'all', created_before: '2001-01-01' }
  t.same(await said('list_issues', tooEarly), [
    'created_before 2001-01-01 is the first moment of that day (midnight UTC): to have the day, too, give 2001-01-02.'
  ])
  t.match(await said('list_commits', { until: '2001-01-01' }), [/^until 2001-01-01 is the first moment/])
  t.same(await said('list_issues', { ...tooEarly, created_before: '2001-01-01T00:00:00Z' }), [])
  const toCome = { scope: 'all', created_after: '2998-01-01', created_before: '2999-01-01' }
  t.same(await said('list_issues', toCome), [], 'a day that is to come leaves nothing out')
  const some = await said('list_issues', { scope: 'all', created_before: '2999-01-01' })
  t.notMatch(some.join(' '), /first moment/, 'of a list that has some')
  const sameDay = { created_after: '2026-11-30', created_before: '2026-11-30' }
  t.equal(
    await error('list_issues', sameDay),
    'created_after and created_before are both 2026-11-30, which means its first moment (midnight UTC): for the whole day give created_before 2026-12-01.'
  )
  t.match(
    await error('list_commits', { since: '2026-11-20', until: '2026-11-20' }),
    /give until 2026-11-21\.$/
  )
  const oneMoment = { created_after: '2026-11-30T02:00:00+02:00', created_before: '2026-11-30' }
  t.match(await error('list_issues', oneMoment), /are the same moment: nothing lies between them\.$/)
  const oneDay = { after: '2026-11-21', before: '2026-11-22' }
  t.match(await said('list_events', oneDay), [/^No day lies between after 2026-11-21 and before 2026-11-22/])
  t.same(await said('list_events', { ...oneDay, before: '2026-11-23' }), [])
  t.match(await said('list_events', { after: '2999-01-01' }), [
    /^No day has begun after 2999-01-01, which is /
  ])
  t.same(await said('list_events', { after: '2001-01-01', action: 'expired' }), [], 'there are days after it')
  const onRequests = { action: 'commented', target_type: 'merge_request' }
  t.match(await said('list_events', onRequests), [/^Comments have target_type note: leave it out/])
})
