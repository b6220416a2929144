import t from 'tap'
import { ci } from '../../../tools/ci/index.ts'
import { notTaken } from '../../../tools/families/items/not-taken.ts'
import { issues } from '../../../tools/issues/index.ts'
import { mergeRequests } from '../../../tools/merge-requests/index.ts'
import { planning } from '../../../tools/planning/index.ts'
import { projects } from '../../../tools/projects/index.ts'
import { repository } from '../../../tools/repository/index.ts'
import { snippets } from '../../../tools/snippets/index.ts'
import { story } from '../../support/sandbox-tools.ts'
import { runTable } from '../../support/tool-table.ts'

/* Changes that came out otherwise than asked for: they are refused or told. */

const project_id = 'acme/rocket'

story('labels with a sign are no labels to set', [issues, mergeRequests, planning], async (t, as) => {
  const call = as('ada')
  const has = async () =>
    (await call('get_issue', { project_id, issue_iid: 1 })).value.labels as readonly string[]
  const before = await has()
  const refused = (argument: string, name: string) =>
    `${argument} has "${name}", and there is no label of that name: add_labels adds and remove_labels takes off, each by names without a sign. Nothing was changed`
  for (const [argument, value, name] of [
    ['labels', '+bug,-hardware', '+bug'],
    ['labels', ['-bug'], '-bug'],
    ['add_labels', ['-defect'], '-defect']
  ] as const) {
    const change = { project_id, [argument]: value }
    t.match((await call('update_issue', { ...change, issue_iid: 1 })).error, refused(argument, name))
    t.match(
      (await call('update_merge_request', { ...change, merge_request_iid: 3 })).error,
      refused(argument, name)
    )
  }
  t.same(await has(), before)
  await call('create_label', { project_id, name: '-draft' })
  const taken = await call('update_issue', { project_id, issue_iid: 1, add_labels: ['-draft'] })
  t.equal(taken.error, undefined)
  for (const argument of ['labels', 'add_labels'])
    t.match(
      (await call('update_issue', { project_id, issue_iid: 1, [argument]: ['-draft', '-bug'] })).error,
      refused(argument, '-bug'),
      'each of several is looked up'
    )
  t.same(new Set(await has()), new Set([...before, '-draft']), 'a label may be called so')
})

story(
  'pieces of a list are no labels, unless some are called so',
  [issues, mergeRequests, planning],
  async (t, as) => {
    const call = as('ada')
    const labels = async () => (await call('list_labels', { project_id, per_page: 100 })).value.length
    const before = await labels()
    const refused = (argument: string, name: string) =>
      `${argument} has ${JSON.stringify(name)}, and there is no label of that name: give a list of names, as ["bug","ui"]${argument === 'remove_labels' ? '' : '; create_label makes one that is called so'}. Nothing was changed`
    for (const [argument, value, piece] of [
      ['labels', '[bug', '[bug'],
      ['labels', ['bug', '[bug]'], '[bug]'],
      ['labels', "(bug, don't)", '(bug'],
      ['labels', ['bug', 'telemetry)'], 'telemetry)'],
      ['labels', '[,]', '['],
      ['labels', "['bug', telemetry]", "['bug'"],
      ['add_labels', ['"bug"'], '"bug"'],
      ['add_labels', "'bug'", "'bug'"],
      ['add_labels', ['telemetry]'], 'telemetry]'],
      ['remove_labels', '[bug]', '[bug]']
    ] as const)
      t.match(
        (await call('update_issue', { project_id, issue_iid: 1, [argument]: value })).error,
        refused(argument, piece)
      )
    t.equal(await labels(), before)
    for (const name of ['[WIP]', '"quoted"']) {
      await call('create_label', { project_id, name })
      t.equal((await call('update_issue', { project_id, issue_iid: 1, add_labels: name })).error, undefined)
      const taken = await call('update_issue', { project_id, issue_iid: 1, remove_labels: [name] })
      t.notOk(taken.value.labels.includes(name))
    }
    const honest = ['[Type] bug', "'90s", '24"', 'area (web)', 'size [S]']
    const made = await call('create_issue', { project_id, title: 'Honest names', labels: honest })
    t.same(new Set(made.value.labels), new Set(honest))
  }
)

const signs = Array.from({ length: 10 }, (_, at) => `+sign${at}`)
const search = (label: string) => `GET /projects/1/labels?search=${encodeURIComponent(label)}&per_page=100`
const adds = { project_id: '1', issue_iid: '7', add_labels: signs }

const noLabels = { body: [] }

runTable(issues, [
  {
    title: 'a label with a sign is set where a forge that has no labels shows nothing against it, and told',
    tool: 'create_issue',
    args: { project_id: '1', title: 'Valve', labels: ['+1', 'bug', '-todo.'] },
    exchanges: [
      { request: search('+1'), reply: noLabels },
      { request: 'GET /projects/1/labels?per_page=1', reply: noLabels },
      { request: search('-todo.'), reply: noLabels },
      {
        request: 'POST /projects/1/issues',
        body: { title: 'Valve', labels: ['+1', 'bug', '-todo.'] },
        reply: { status: 201, body: { iid: 7, labels: ['+1', 'bug', '-todo.'] } }
      }
    ],
    notices: [
      'The forge lists no labels at all, so these were taken as names: "+1", "-todo.". If that was not meant: labels are given by their names alone, without a sign; create_label makes one that is called so.'
    ]
  },
  {
    title: 'a label with a sign is refused where others are listed',
    tool: 'create_issue',
    args: { project_id: '1', title: 'Valve', labels: ['+1'] },
    exchanges: [
      { request: search('+1'), reply: noLabels },
      { request: 'GET /projects/1/labels?per_page=1', reply: { body: [{ id: 1, name: 'bug' }] } }
    ],
    error: /there is no label of that name: labels are given by their names alone/
  },
  ...[
    { status: 500, body: { message: '500 Internal Server Error' } },
    { status: 403, body: { message: '403 Forbidden' } },
    { body: { labels: [] } }
  ].map(reply => ({
    title: `a label with a sign is refused where nothing says that there are no labels: ${reply.status ?? 'no list'}`,
    tool: 'update_issue',
    args: { project_id: '1', issue_iid: '7', labels: ['-bug'] },
    exchanges: [
      { request: search('-bug'), reply: noLabels },
      { request: 'GET /projects/1/labels?per_page=1', reply }
    ],
    error: /labels has "-bug", and there is no label of that name: add_labels adds .+ Nothing was changed/
  })),
  {
    title: 'a label with a sign is not set where the credential is refused once its name was looked for',
    tool: 'update_issue',
    args: { project_id: '1', issue_iid: '7', labels: ['-bug'] },
    exchanges: [
      { request: search('-bug'), reply: noLabels },
      {
        request: 'GET /projects/1/labels?per_page=1',
        reply: { status: 401, body: { message: '401 Unauthorized' } }
      }
    ],
    error: /^The forge answered 401/
  },
  {
    title: 'labels with a sign are looked for no more where the credential is refused',
    tool: 'update_issue',
    args: { ...adds, add_labels: signs.slice(0, 2) },
    exchanges: [{ request: search('+sign0'), reply: { status: 401, body: { message: '401 Unauthorized' } } }],
    error: /^The forge answered 401/
  },
  {
    title: 'labels with a sign are sent after one request where the caller is given no list of labels',
    tool: 'update_issue',
    args: adds,
    exchanges: [
      { request: search('+sign0'), reply: { status: 403, body: { message: '403 Forbidden' } } },
      { request: 'PUT /projects/1/issues/7', body: { add_labels: signs } }
    ]
  },
  {
    title: 'more labels with a sign than anyone means are refused unasked',
    tool: 'update_issue',
    args: { ...adds, add_labels: [...signs, '+more', 'bug'] },
    error:
      'add_labels has 11 names such as "+sign0", and no more than 10 that begin with a sign or have characters that nobody sees are looked for: give labels by their plain names, or fewer of these. Nothing was sent.'
  }
])

t.test('a state that was asked for and is not there afterwards is told', async t => {
  const said = 'The forge did not take state_event: your role in the project may be too low.'
  t.equal(notTaken({ state: 'opened' }, { state_event: 'close' }), said)
  t.equal(notTaken({ state: 'locked' }, { state_event: 'reopen' }), said)
  t.equal(notTaken({ state: 'closed' }, { state_event: 'close' }), undefined)
  t.equal(notTaken({ state: 'opened' }, { state_event: 'reopen' }), undefined)
})

story('what is merged says of itself that it is not opened or closed', [mergeRequests], async (t, as) => {
  for (const state_event of ['close', 'reopen'])
    t.same(
      (await as('ada')('update_merge_request', { project_id, merge_request_iid: 1, state_event })).notices,
      ['It is merged and stays so, neither closed nor reopened: revert_commit undoes what it changed.']
    )
})

const P = '/projects/1'
const M = `${P}/merge_requests/7`
const alone =
  'The text was taken as quick actions alone: no comment was made, and the forge does not say what came of them.'

runTable(mergeRequests, [
  {
    title: 'shows what came of the quick actions that a thread was to begin with',
    tool: 'create_merge_request_thread',
    args: { project_id: '1', merge_request_iid: '7', body: '/close' },
    exchanges: [
      {
        request: `POST ${M}/discussions`,
        body: { body: '/close' },
        reply: {
          status: 202,
          body: { commands_changes: { state_event: 'close' }, summary: ['Closed this merge request.'] }
        }
      }
    ],
    result: { commands_changes: { state_event: 'close' }, summary: ['Closed this merge request.'] }
  },
  {
    title: 'says of quick actions of which the forge says nothing that they are no comment',
    tool: 'create_merge_request_thread',
    args: { project_id: '1', merge_request_iid: '7', body: '/close' },
    exchanges: [
      {
        request: `POST ${M}/discussions`,
        body: { body: '/close' },
        reply: { status: 202, body: { commands_changes: {}, summary: [] } }
      }
    ],
    notices: [alone]
  },
  {
    title: 'says of a text that is too long nothing of threads that cannot be resolved',
    tool: 'update_merge_request_discussion_note',
    args: { project_id: '1', merge_request_iid: '7', discussion_id: 'abc', note_id: '5', body: 'Long.' },
    exchanges: [
      {
        request: `PUT ${M}/discussions/abc/notes/5`,
        body: { body: 'Long.' },
        reply: { status: 400, body: { message: { note: ['is too long'] } } }
      }
    ],
    error: 'The forge answered 400 Bad Request: "note: is too long".'
  },
  {
    title: 'says of a comment that stands alone that it cannot be resolved',
    tool: 'update_merge_request_discussion_note',
    args: { project_id: '1', merge_request_iid: '7', discussion_id: 'abc', note_id: '5', resolved: true },
    exchanges: [
      { request: `PUT ${M}/discussions/abc/notes/5`, body: { resolved: true }, reply: { status: 400 } },
      { request: `GET ${M}/discussions/abc`, reply: { body: { id: 'abc', notes: [{ resolvable: false }] } } }
    ],
    error: /It is a comment that stands alone, and cannot be resolved/
  }
])

story('what is to be set and taken away at once is refused', [ci], async (t, as) => {
  const schedule = { project_id, description: 'Hourly', ref: 'main', cron: '0 * * * *' }
  const { id } = (await as('ada')('create_pipeline_schedule', schedule)).value
  const change = async (more: object) =>
    (await as('ada')('update_pipeline_schedule', { project_id, schedule_id: id, ...more })).error
  const refused = (what: string) =>
    `${what} with value and destroy: give value to set it, or destroy to take it away. Nothing was sent.`
  t.equal(
    await change({ variables: [{ key: 'A', value: 'x', destroy: true }] }),
    refused('variables has "A"')
  )
  t.equal(await change({ inputs: [{ name: 'b', value: 'x', destroy: true }] }), refused('inputs has "b"'))
  t.equal(await change({ variables: [{ key: 'A', value: 'x', destroy: false }] }), undefined)
  t.equal(await change({ variables: [{ key: 'A', value: '', destroy: true }] }), undefined, 'filled in')
})

story(
  'another path beside what is no move is refused, as the file would stay there',
  [repository],
  async (t, as) => {
    const commit = async (action: object) => {
      const actions = [{ file_path: 'README.md', ...action }]
      return (await as('ada')('commit_files', { project_id, branch: 'main', commit_message: 'm', actions }))
        .error
    }
    for (const action of ['create', 'update'])
      t.match(
        await commit({ action, content: 'x', previous_path: 'OLD.md' }),
        /^actions\.0 is an? \w+ and takes no previous_path: a move takes the file from there\.$/
      )
    t.equal(
      await commit({ action: 'update', content: 'x', previous_path: 'README.md' }),
      undefined,
      'the path that it has is filled in'
    )
  }
)

runTable(repository, [
  {
    title: 'leaves out of each action what it does not use, and says so',
    tool: 'commit_files',
    args: {
      ...{ project_id: '1', branch: 'b', commit_message: 'm' },
      actions: [
        { action: 'delete', file_path: 'old', content: 'not base64!', encoding: 'base64' },
        { action: 'chmod', file_path: 'run.sh', execute_filemode: true, content: 'x', last_commit_id: 'a0' },
        { action: 'create', file_path: 'new', content: 'c', last_commit_id: 'a0', execute_filemode: true }
      ]
    },
    exchanges: [
      {
        request: `POST ${P}/repository/commits`,
        body: {
          ...{ branch: 'b', commit_message: 'm', stats: false },
          actions: [
            { action: 'delete', file_path: 'old' },
            { action: 'chmod', file_path: 'run.sh', execute_filemode: true, last_commit_id: 'a0' },
            { action: 'create', file_path: 'new', content: 'c', execute_filemode: true }
          ]
        },
        reply: { body: { id: 'c0' } }
      }
    ],
    notices: [
      'Left out, as such an action does not use it: content and encoding of the delete of "old", content of the chmod of "run.sh", last_commit_id of the create of "new".'
    ]
  },
  {
    title: 'says nothing of what clients fill in',
    tool: 'commit_files',
    args: {
      ...{ project_id: '1', branch: 'b', commit_message: 'm' },
      actions: [
        {
          action: 'delete',
          file_path: 'old',
          previous_path: 'old',
          encoding: 'text',
          execute_filemode: false
        }
      ]
    },
    exchanges: [
      {
        request: `POST ${P}/repository/commits`,
        body: {
          ...{ branch: 'b', commit_message: 'm', stats: false },
          actions: [{ action: 'delete', file_path: 'old' }]
        },
        reply: { body: { id: 'c0' } }
      }
    ],
    notices: []
  }
])

runTable(snippets, [
  {
    title: 'leaves the same out of what is done to the files of a snippet',
    tool: 'update_snippet',
    args: { snippet_id: '5', files: [{ action: 'delete', file_path: 'old', content: 'x' }] },
    exchanges: [
      {
        request: 'PUT /snippets/5',
        body: { files: [{ action: 'delete', file_path: 'old' }] },
        reply: { body: { id: 5 } }
      }
    ],
    notices: ['Left out, as such an action does not use it: content of the delete of "old".']
  }
])

story('a list as text is read as topics, and no piece of one is a topic', [projects], async (t, as) => {
  const call = as('margaret')
  const topics = "['rockets', 'space']"
  t.same((await call('update_project', { project_id, topics })).value.topics, ['rockets', 'space'])
  for (const piece of ["['rockets'", '[space', '"space"'])
    t.match(
      (await call('update_project', { project_id, topics: [piece] })).error,
      'must name a topic, with no brackets or quotation marks around it: an empty list [] is for none, and more are given as ["rockets","space"]'
    )
})

story('a word for none is no topic, and who may archive is told', [projects], async (t, as) => {
  t.match(
    (await as('margaret')('update_project', { project_id, topics: 'none' })).error,
    'must name a topic, with no brackets or quotation marks around it: an empty list [] is for none'
  )
  t.match(
    (await as('ada')('update_project', { project_id, archived: true })).error,
    'archived the Owner role'
  )
})

runTable(mergeRequests, [
  {
    title: 'says of a review whose publication fails at the forge where its drafts are',
    tool: 'submit_review',
    args: { project_id: '1', merge_request_iid: '7', replies: [{ discussion_id: 'abc', body: 'Well.' }] },
    exchanges: [
      {
        request: `GET ${M}/discussions?per_page=100&page=1`,
        reply: { body: [{ id: 'abc', notes: [{ id: 1 }] }] }
      },
      { request: `GET ${M}/draft_notes`, reply: { body: [] } },
      {
        request: `POST ${M}/draft_notes`,
        body: { note: 'Well.', in_reply_to_discussion_id: 'abc' },
        reply: { status: 201, body: { id: 3 } }
      },
      { request: `POST ${M}/draft_notes/bulk_publish`, body: {}, reply: { status: 500 } }
    ],
    error: /what was not stays as drafts, which list_draft_notes shows/
  }
])

/* Only a list says that there is no label of a name: another answer is no reason to refuse what the specification gives. */
for (const [said, reply] of [
  ['refuses to list its labels', { status: 403, body: { message: '403 Forbidden' } }],
  ['does not list labels', { status: 404, body: { message: '404 Not Found' } }],
  ['gives no list of labels', { body: {} }]
] as const)
  runTable(issues, [
    {
      title: `sets a label with a sign where the forge ${said}`,
      tool: 'update_issue',
      args: { project_id: '1', issue_iid: '7', labels: ['+1'] },
      exchanges: [
        { request: `GET ${P}/labels?search=%2B1&per_page=100`, reply },
        {
          request: `PUT ${P}/issues/7`,
          body: { labels: ['+1'] },
          reply: { body: { iid: 7, labels: ['+1'] } }
        }
      ],
      result: { iid: 7, labels: ['+1'] }
    }
  ])
