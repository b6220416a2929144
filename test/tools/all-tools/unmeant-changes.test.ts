import { toolsets } from '../../../tools/index.ts'
import { story } from '../../support/sandbox-tools.ts'

/* Calls that would do what was not meant, or nothing: they are refused or told. */

const rocket = { project_id: 'acme/rocket' }
story('a new group is not given the one above with its name or path', toolsets, async (t, as) => {
  for (const argument of ['name', 'path'])
    t.equal(
      (await as('ada')('create_group', { name: 'moon', path: 'moon', [argument]: 'acme/moon' })).error,
      `${argument} must have no slash: the group above goes in parent.`
    )
})

story('a project that gets another name or path is not given a group with it', toolsets, async (t, as) => {
  for (const argument of ['name', 'path']) {
    const wanted = { ...rocket, [argument]: 'acme/lander' }
    t.equal(
      (await as('ada')('update_project', wanted)).error,
      `${argument} must have no slash: no tool moves a project to another group.`
    )
    t.equal(
      (await as('ada')('fork_project', wanted)).error,
      `${argument} must have no slash: the group goes in namespace.`
    )
  }
})

story('what is blank where a text is needed is refused', toolsets, async (t, as) => {
  const release = { tag_name: 'v9', ref: 'main' }
  const link = { name: ' ', url: 'https://example.com/a' }
  for (const [tool, args, said] of [
    ['create_label', { ...rocket, name: '' }, 'name must not be empty'],
    ['create_wiki_page', { ...rocket, title: 'Launch', content: ' ' }, 'content must not be empty'],
    ['create_wiki_page', { ...rocket, title: '', content: 'Go.' }, 'title must not be empty'],
    ['create_release_link', { ...rocket, tag_name: 'v9', ...link }, 'name must not be empty'],
    ['create_release', { ...rocket, ...release, links: [link] }, 'links.0.name must not be empty']
  ] as const)
    t.match((await as('ada')(tool, args)).error, said, tool)
})

story('a review of nothing is refused', toolsets, async (t, as) => {
  t.equal(
    (
      await as('ada')('submit_review', {
        ...rocket,
        merge_request_iid: 1,
        comments: [],
        replies: [],
        summary: ''
      })
    ).error,
    "At least one of 'comments', 'replies', 'summary', 'verdict' must be provided."
  )
})

story(
  'qualifiers in the search of any list of issues that finds nothing are told',
  toolsets,
  async (t, as) => {
    for (const tool of ['my_issues', 'list_work_items'])
      t.match(
        (await as('ada')(tool, { ...rocket, search: 'author:me is:open' })).notices.join(' '),
        '"author:me" is searched for as text, and filters nothing',
        tool
      )
    t.notMatch(
      (await as('ada')('list_work_items', { ...rocket, search: 'unheard of' })).notices.join(' '),
      'is searched for as text'
    )
  }
)

story('a comment that is to answer another one is told how', toolsets, async (t, as) => {
  const body = 'Yes.'
  for (const [tool, args, said] of [
    [
      'create_merge_request_note',
      { merge_request_iid: 1, in_reply_to: 5 },
      'create_merge_request_discussion_note answers in a thread'
    ],
    ['create_issue_note', { issue_iid: 1, note_id: 5 }, 'discussion_id is the thread to answer in'],
    [
      'create_note',
      { noteable_type: 'issue', noteable_iid: 1, discussion_id: 'abc' },
      'create_issue_note and create_merge_request_discussion_note answer'
    ],
    [
      'create_issue_note',
      { issue_iid: 1, discussion_id: 'https://forge.example/a/b/-/issues/1#note_5' },
      'the address of a note has only its own number'
    ]
  ] as const)
    t.match((await as('ada')(tool, { ...rocket, body, ...args })).error, said, tool)
})

story('to take off all labels is no label, and told how it is done', toolsets, async (t, as) => {
  const said = 'must name a label: labels=[] takes all of them off'
  for (const remove_labels of ['all', ['All'], ['*'], 'any']) {
    t.match((await as('ada')('update_issue', { ...rocket, issue_iid: 1, remove_labels })).error, said)
    t.match(
      (await as('ada')('update_merge_request', { ...rocket, merge_request_iid: 6, remove_labels })).error,
      said
    )
  }
  t.equal(
    (await as('ada')('update_issue', { ...rocket, issue_iid: 1, remove_labels: ['overall'] })).error,
    undefined,
    'a label may have the word in its name'
  )
})

story('the owner of a schedule is told, and is no part of the name of a project', toolsets, async (t, as) => {
  const given = { ...rocket, owner: 'me' }
  for (const [tool, args, said] of [
    ['list_pipeline_schedules', given, 'each in the list has its owner'],
    [
      'update_pipeline_schedule',
      { ...given, schedule_id: 1 },
      'who takes it over does so on its page on the forge'
    ],
    [
      'create_pipeline_schedule',
      { ...given, description: 'D', ref: 'main', cron: '0 4 * * *' },
      'you own what you create'
    ]
  ] as const)
    t.equal((await as('ada')(tool, args)).error, `Invalid arguments: unknown argument "owner", ${said}.`)
})

story('who names no project is told what names one', toolsets, async (t, as) => {
  t.equal(
    (await as('ada')('get_issue', { issue_iid: 1 })).error,
    'Invalid arguments: project_id is required (its id, path or web address, as list_projects has it).'
  )
})

story('words and arguments of other servers are told what they are here', toolsets, async (t, as) => {
  for (const [tool, args, said] of [
    ['list_vulnerabilities', { ...rocket, state: ['open'] }, 'what is open is detected or confirmed'],
    [
      'list_packages',
      { ...rocket, package_type: 'docker' },
      'list_registry_repositories lists container images'
    ],
    ['list_wiki_pages', { ...rocket, search: 'launch' }, 'search with scope=wiki_blobs finds text in pages'],
    [
      'create_snippet',
      { title: 'T', file_name: 'a', content: 'x' },
      'files has file_path and content of each'
    ]
  ] as const)
    t.match((await as('ada')(tool, args)).error, said, tool)
})

story('who asks for the release of the tag latest is told how the latest is got', toolsets, async (t, as) => {
  t.match(
    (await as('ada')('get_release', { ...rocket, tag_name: 'latest' })).error,
    'see list_releases. Without tag_name it is the latest.'
  )
})

story('a remark does not replace a description under the name of a comment', toolsets, async (t, as) => {
  const call = (tool: string, args: object) => as('ada')(tool, { ...rocket, ...args })
  const description = 'Step 1: fill the tank.\nStep 2: light it.'
  const { iid } = (await call('create_issue', { title: 'Steps', body: description })).value
  const closing = { state: 'closed', body: 'Closing as duplicate of #1' }
  const said = (by: string) =>
    `Invalid arguments: unknown argument "body", description replaces the whole text; ${by} comments.`
  t.equal((await call('update_issue', { issue_iid: iid, ...closing })).error, said('create_issue_note'))
  t.equal((await call('update_work_item', { iid, ...closing })).error, said('create_work_item_note'))
  t.equal(
    (await call('update_merge_request', { merge_request_iid: 3, ...closing })).error,
    said('create_merge_request_note')
  )
  t.match(
    (await call('update_issues', { issues: [{ issue_iid: iid, ...closing }] })).error,
    'unknown argument "issues.0.body", description replaces the whole text; create_issue_note comments.'
  )
  for (const name of ['comment', 'note', 'message', 'text', 'content'])
    t.match(
      (await call('update_issue', { issue_iid: iid, [name]: 'Done' })).error,
      'create_issue_note comments'
    )
  t.match((await call('get_issue', { issue_iid: iid })).value, { state: 'opened', description })
})

story('a word of programs for no value is no text, title or name', toolsets, async (t, as) => {
  const call = as('ada')
  const problem = async (tool: string, args: object) =>
    (await call(tool, { project_id: 'acme/rocket', ...args })).error
  const issue = { issue_iid: 1 }
  for (const [tool, args, said] of [
    ['update_release', { tag_name: 'v1.4.0', description: 'None' }, /^description .+ "" is for none\.$/],
    [
      'update_release',
      { tag_name: 'v1.4.0', name: 'null' },
      /^name would be replaced .+ left out, it stays\.$/
    ],
    ['update_wiki_page', { slug: 'home', content: 'undefined' }, /^content .+ left out, it stays\.$/],
    ['update_milestone', { milestone_id: '1.5', description: 'none' }, /^description .+ "" is for none\.$/],
    ['update_issue', { ...issue, title: 'null' }, /^title .+ left out, it stays\.$/],
    ['update_label', { label: 'bug', new_name: 'NULL' }, /^new_name .+ left out, it stays\.$/],
    [
      'create_issue',
      { title: 'undefined' },
      /^title would be that word alone: give the one that is meant\.$/
    ],
    ['update_project', { path: 'undefined' }, /^path .+ left out, it stays\.$/],
    ['create_branch', { branch: 'undefined', ref: 'main' }, /^branch would be .+ the one that is meant\.$/],
    ['create_tag', { tag_name: 'null', ref: 'main' }, /^tag_name would be .+ the one that is meant\.$/],
    [
      'commit_files',
      { branch: 'main', commit_message: 'null', actions: [{ action: 'delete', file_path: 'a' }] },
      /^commit_message would be .+ the one that is meant\.$/
    ],
    [
      'merge_merge_request',
      { merge_request_iid: 3, merge_commit_message: 'undefined' },
      /^merge_commit_message would be that word alone/
    ],
    [
      'create_issue_note',
      { ...issue, body: ' null\n' },
      /^body would be that word alone: .+ in `backticks`\.$/
    ],
    [
      'submit_review',
      { merge_request_iid: 3, comments: [{ path: 'a', line: 1, body: 'null' }] },
      /^comments\.0\.body would/
    ]
  ] as const)
    t.match(await problem(tool, args), said, `${tool} ${JSON.stringify(args)}`)
  for (const [tool, args] of [
    ['create_issue', { title: 'None' }],
    ['create_issue_note', { ...issue, body: 'None' }],
    ['create_issue_note', { ...issue, body: '`null`' }],
    ['create_issue_note', { ...issue, body: 'It is null' }]
  ] as const)
    t.equal(await problem(tool, args), undefined, JSON.stringify(args))
})

story('small misunderstandings are told in one call', toolsets, async (t, as) => {
  const call = as('ada')
  const at = { project_id: 'acme/rocket' }
  const problem = async (tool: string, args: object) => (await call(tool, { ...at, ...args })).error
  for (const [tool, args, said] of [
    ['cherry_pick_commit', { merge_request_iid: 1, branch: 'main' }, /sha takes the merge_commit_sha of/],
    ['update_draft_note', { merge_request_iid: 3, draft_note_id: 1, line: 31 }, /^line needs path/]
  ] as const)
    t.match(await problem(tool, args), said, tool)
  t.equal(await problem('update_label', { label: '~bug', description: 'A fault' }), undefined)
  for (const [tool, search, reads] of [
    ['list_issues', '#5', 'get_issue'],
    ['list_merge_requests', '!3', 'get_merge_request']
  ] as const)
    t.match(
      (await call(tool, { ...at, search, scope: 'all' })).notices.join(' '),
      `${search} is searched for as text: ${reads} reads it by its number.`
    )
})
