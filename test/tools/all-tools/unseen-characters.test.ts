import { toolsets } from '../../../tools/index.ts'
import { story } from '../../support/sandbox-tools.ts'
import { type Case, runTable } from '../../support/tool-table.ts'

/* Names with characters that nobody sees: none is made, and what is there under one can be found. */

const project_id = 'acme/rocket'
const main = { project_id, ref: 'main' }
const files = { project_id, branch: 'main', commit_message: 'c' }

const made: readonly (readonly [tool: string, args: Record<string, unknown>, says: string])[] = [
  ['create_branch', { ...main, branch: 'b\u200bx' }, 'branch has U+200B after "b"'],
  ['create_tag', { ...main, tag_name: 't\u200bx' }, 'tag_name has U+200B after "t"'],
  ['create_release', { ...main, tag_name: 'r\u2060x' }, 'tag_name has U+2060 after "r"'],
  ['create_label', { project_id, name: '\ufeffbom', color: '#112233' }, 'name has U+FEFF at its beginning'],
  ['update_label', { project_id, label: 'bug', new_name: 'co\u00adop' }, 'new_name has U+00AD after "co"'],
  ['create_milestone', { project_id, title: 'M1\u200e' }, 'title has U+200E after "M1"'],
  ['create_wiki_page', { project_id, title: 'W\u200bx', content: 'c' }, 'title has U+200B after "W"'],
  [
    'commit_files',
    { ...files, actions: [{ action: 'create', file_path: 'a\u200b.md', content: 'x' }] },
    'actions.0.file_path has U+200B after "a"'
  ],
  [
    'commit_files',
    {
      ...files,
      branch: 'n\u200bew',
      start_branch: 'main',
      actions: [{ action: 'create', file_path: 'a.md', content: 'x' }]
    },
    'branch has U+200B after "n"'
  ],
  [
    'set_variable',
    { project_id, key: 'K3', value: 'x', environment_scope: 'prod\u200buction' },
    'environment_scope has U+200B after "prod"'
  ],
  [
    'create_commit_status',
    { project_id, sha: 'abcdef1', state: 'success', name: 'c\u200bi' },
    'name has U+200B'
  ]
]

story('nothing is made under a name with a character that nobody sees', toolsets, async (t, as) => {
  const call = as('ada')
  for (const [tool, args, says] of made) {
    const { error = '' } = await call(tool, args)
    t.ok(error.includes(says), `${tool}: ${error}`)
    t.match(error, /which nobody sees: give the name without it\.$/)
  }
})

story('names in which such characters are needed are made and found', toolsets, async (t, as) => {
  const call = as('ada')
  for (const name of ['\u26a0\ufe0f risk', '\u{1f469}\u200d\u{1f4bb} dev', 'in\u00a0progress'])
    t.equal((await call('create_label', { project_id, name, color: '#112233' })).value.name, name)
})

/** Things that the forge has under names with such characters, made by another way than the tools: [path, body]. */
const stored = [
  ['labels', { name: 'Donau\u00addampf', color: '#112233' }],
  ['milestones', { title: 'Lot\u200b1' }],
  ['wikis', { title: 'a\u2060b', content: 'c' }],
  [
    'repository/commits',
    {
      branch: 'main',
      commit_message: 'c',
      actions: [{ action: 'create', file_path: 'a\u2060b', content: 'x' }]
    }
  ]
] as const

/** What is renamed, and the request that has its new name. */
const renamed = [
  [
    'update_label',
    { project_id, label: 'Donau\u00addampf', new_name: 'Donau\u00addampfer' },
    { new_name: 'Donau\u00addampfer' }
  ],
  [
    'update_milestone',
    { project_id, milestone_id: 'Lot\u200b1', title: 'Lot\u200b2' },
    { title: 'Lot\u200b2' }
  ],
  ['update_wiki_page', { project_id, slug: 'a\u2060b', title: 'b\u2060c' }, { title: 'b\u2060c' }],
  [
    'commit_files',
    { ...files, actions: [{ action: 'move', previous_path: 'a\u2060b', file_path: 'c\u2060d' }] },
    { actions: [{ action: 'move', previous_path: 'a\u2060b', file_path: 'c\u2060d' }] }
  ]
] as const

story(
  'what is renamed keeps the characters that its name has, and gets no others',
  toolsets,
  async (t, as, forge) => {
    for (const [path, body] of stored) {
      const { status } = await fetch(`${forge.apiUrl}/projects/acme%2Frocket/${path}`, {
        method: 'POST',
        headers: { 'private-token': forge.tokens.ada!, 'content-type': 'application/json' },
        body: JSON.stringify(body)
      })
      t.equal(status, 201, path)
    }
    const call = as('ada')
    for (const [tool, args, sent] of renamed) {
      const other = JSON.parse(
        JSON.stringify(args).replace(/(?<=\w)[\u00ad\u200b\u2060](?=[^"]*"\}?\]?\}$)/, '\u200e')
      )
      t.match((await call(tool, other)).error, /has U\+200E after .* give the name without it/, tool)
      t.equal((await call(tool, args)).error, undefined, tool)
      t.match(forge.requests.findLast(({ method }) => method !== 'GET')?.body, sent, tool)
    }
  }
)

story('texts keep what nobody sees', toolsets, async (t, as) => {
  const title = 'Z\u200bW'
  t.equal((await as('ada')('create_issue', { project_id, title, description: title })).error, undefined)
})

story('labels to set are looked up if they have such a character or a sign', toolsets, async (t, as) => {
  const call = as('ada')
  const issue = { project_id, title: 'Labels' }
  for (const [label, says] of [
    [
      'bug\u200b',
      'labels has "bug\\u200b", and there is no label of that name: it has U+200B after "bug", which nobody sees.'
    ],
    ['\ufeffbug', 'labels has "\\ufeffbug", and there is no label of that name'],
    ['+new', 'labels has "+new", and there is no label of that name: labels are given by their names alone'],
    ['-bug', 'labels has "-bug", and there is no label of that name: labels are given by their names alone']
  ] as const) {
    const { error = '' } = await call('create_issue', { ...issue, labels: ['bug', label] })
    t.ok(error.includes(says), error)
    const request = {
      project_id,
      title: 'Labels',
      source_branch: 'feature/fuel-gauge',
      target_branch: 'main'
    }
    t.match((await call('create_merge_request', { ...request, labels: [label] })).error, says)
    const added = await call('update_issue', { project_id, issue_iid: 1, add_labels: [label] })
    t.match(added.error, /there is no label of that name/)
  }
  await call('create_label', { project_id, name: '-draft', color: '#112233' })
  t.equal((await call('create_issue', { ...issue, labels: ['-draft'] })).error, undefined)
})

const base = 'GET /projects/1'
const branches = (...names: string[]) => ({
  request: `${base}/repository/branches?per_page=100`,
  reply: { body: names.map(name => ({ name, default: name === 'main' })) }
})
const labels = (search: string, ...names: string[]) => ({
  request: `${base}/labels?${search}`,
  reply: { body: names.map((name, at) => ({ id: at + 1, name })) }
})
const gone = (request: string, message: string) => ({ request, reply: { status: 404, body: { message } } })
const there = (after: string) =>
  `The one there has U\\+200B after "${after}", which nobody sees: name it with JSON's escape, \\\\u200b\\.`

const cases: Case[] = [
  {
    title: 'a branch that looks like the one that was asked for is told by its escape',
    tool: 'get_branch',
    args: { project_id: '1', branch_name: 'bx' },
    exchanges: [
      gone(`${base}/repository/branches/bx`, '404 Branch Not Found'),
      gone(`${base}/repository/commits/bx`, '404 Commit Not Found'),
      branches('bx/long', 'b\u200bx', 'main'),
      {
        request: 'GET /projects/1/merge_requests?source_branch=bx&state=opened&per_page=100',
        reply: { body: [] }
      }
    ],
    error: new RegExp(`There is no "bx": did you mean "b\\\\u200bx"\\? ${there('b')}`)
  },
  {
    title: 'a branch is asked for as it is given, and if it is not there it is said what nobody sees of it',
    tool: 'get_branch',
    args: { project_id: '1', branch_name: 'b\u200bx' },
    exchanges: [
      gone(`${base}/repository/branches/b%E2%80%8Bx`, '404 Branch Not Found'),
      gone(`${base}/repository/commits/b%E2%80%8Bx`, '404 Commit Not Found'),
      branches('bx', 'main'),
      {
        request: 'GET /projects/1/merge_requests?source_branch=b%E2%80%8Bx&state=opened&per_page=100',
        reply: { body: [] }
      }
    ],
    error:
      /There is no "b\\u200bx": did you mean "bx"\? branch_name has U\+200B after "b", which nobody sees\./
  },
  {
    title: 'what is to be deleted and only looks like what is there is not deleted, and told',
    tool: 'delete_label',
    args: { project_id: '1', label: 'bug', confirm: 'bug' },
    exchanges: [
      gone('DELETE /projects/1/labels/bug', '404 Label Not Found'),
      labels('per_page=100&search=bug', 'bu\u200bg')
    ],
    error: new RegExp(`It is there as "bu\\\\u200bg", and was not deleted: .* ${there('bu')}`)
  },
  {
    title: 'what is to be deleted is found where it is composed otherwise, and told as it is',
    tool: 'delete_label',
    args: { project_id: '1', label: 'Ger\u00e4t', confirm: 'Ger\u00e4t' },
    exchanges: [
      gone('DELETE /projects/1/labels/Ger%C3%A4t', '404 Label Not Found'),
      labels('per_page=100&search=Ger', 'German', 'Gera\u0308t')
    ],
    error:
      /It is there as "Gera\\u0308t", and was not deleted: .* letters composed otherwise, .*: name it with JSON's escape, a\\u0308\./
  },
  {
    title: 'a name that has another blank is told when it is confirmed',
    tool: 'delete_milestone',
    args: { project_id: '1', milestone_id: '7', confirm: 'Lot 9' },
    exchanges: [{ request: `${base}/milestones/7`, reply: { body: { id: 7, title: 'Lot\u00a09' } } }],
    error:
      /^confirm is not the title of this milestone\. .* The one there has a no-break space, .* JSON's escape, \\u00a0\./
  },
  {
    title: 'a name that was confirmed as it was shown is told to have more in it',
    tool: 'delete_milestone',
    args: { project_id: '1', milestone_id: '7', confirm: 'M1' },
    exchanges: [{ request: `${base}/milestones/7`, reply: { body: { id: 7, title: 'M\u200b1' } } }],
    error: new RegExp(`^confirm is not the title of this milestone\\. .* ${there('M')}`)
  },
  {
    title: 'a number with such a character is told',
    tool: 'get_issue',
    args: { project_id: '1', issue_iid: '6\u200b' },
    error: /issue_iid has U\+200B after "6", which nobody sees\./
  },
  {
    title: 'a milestone that looks like the title given is told by its escape',
    tool: 'update_issue',
    args: { project_id: '1', issue_iid: '6', milestone_id: 'M1' },
    exchanges: [
      { request: `${base}/milestones?title=M1&include_ancestors=true`, reply: { body: [] } },
      {
        request: `${base}/milestones?include_ancestors=true&per_page=100`,
        reply: { body: [{ id: 3, title: 'M\u200b1' }] }
      }
    ],
    error: new RegExp(`names "M1", and no milestone .*did you mean "M\\\\u200b1"\\? ${there('M')}`)
  },
  {
    title: 'a label that filters and looks like one that is there is told by its escape',
    tool: 'list_issues',
    args: { project_id: '1', scope: 'all', labels: ['bug'] },
    exchanges: [
      { request: `${base}/issues?scope=all&labels=bug`, reply: { body: [] } },
      labels('per_page=100', 'bu\u200bg')
    ],
    result: [],
    notices: [
      'There is no label "bug": did you mean "bu\\u200bg"? The one there has U+200B after "bu", which nobody sees: name it with JSON\'s escape, \\u200b. labels=None lists what has no label.'
    ]
  },
  {
    title: 'a label that is called so is set as it is given',
    tool: 'create_issue',
    args: { project_id: '1', title: 'Valve', labels: ['bu\u200bg'] },
    exchanges: [
      labels('search=bu%E2%80%8Bg&per_page=100', 'bu\u200bg'),
      { request: 'POST /projects/1/issues', body: { title: 'Valve', labels: ['bu\u200bg'] } }
    ]
  }
]

for (const toolset of toolsets)
  runTable(
    toolset,
    cases.filter(({ tool }) => toolset.rows.some(({ name }) => name === tool))
  )
