import { issues } from '../../../tools/issues/index.ts'
import { mergeRequests } from '../../../tools/merge-requests/index.ts'
import { releases } from '../../../tools/releases/index.ts'
import { repository } from '../../../tools/repository/index.ts'
import { snippets } from '../../../tools/snippets/index.ts'
import { workItems } from '../../../tools/work-items/index.ts'
import { story } from '../../support/sandbox-tools.ts'

/* Null, and values that are empty, which models fill in for arguments that they mean to leave out. */

const rocket = { project_id: 'acme/rocket' }
const all = [issues, mergeRequests, releases, repository, snippets, workItems]

story('what null would take away elsewhere stays, and the result says so', all, async (t, as) => {
  const said = async (tool: string, args: object) => {
    const { error, value, notices } = await as('ada')(tool, { ...rocket, ...args })
    t.equal(error, undefined, `${tool} ${JSON.stringify(args)}`)
    return { value, said: notices }
  }
  const kept = (name: string, none: string) =>
    `${name} is as it was: null counts as not given, ${none} is for none.`
  const set = { milestone_id: 1, due_date: '2027-01-02', assignee_ids: ['ada'], description: 'As it was.' }
  await said('update_issue', { issue_iid: 2, ...set })
  const nulls = { milestone: null, due_date: null, assignee_ids: null, description: null, add_labels: ['x'] }
  const issue = await said('update_issue', { issue_iid: 2, ...nulls, title: null, remove_labels: null })
  t.match(issue.value, { due_date: '2027-01-02', milestone: { iid: 1 } })
  const all = [
    kept('milestone_id', '0'),
    kept('due_date', '""'),
    kept('assignee_ids', '[]'),
    kept('description', '""')
  ]
  t.same(issue.said, all)
  const several = await said('update_issues', { issues: [{ issue_iid: 2, ...nulls }] })
  t.same(
    several.said,
    all.map(one => `issues.0: ${one}`)
  )
  const item = { iid: 2, title: 'T', parent_id: null, health_status: null, weight: null, color: null }
  t.same((await said('update_work_item', item)).said, [
    kept('parent_id', '0'),
    kept('health_status', 'none'),
    kept('weight', '""')
  ])
  t.same((await said('update_issue', { issue_iid: 2, milestone: null, milestone_id: 1 })).said, [])
  const made = await said('create_issue', { title: 'T', milestone_id: null, due_date: null })
  t.same(made.said, [], 'of what is new nothing is taken away')
})

story('what is empty and can mean nothing else counts as not given', all, async (t, as) => {
  const call = async (tool: string, args: object, who = 'ada') => {
    const { error, value, notices } = await as(who)(tool, { ...rocket, ...args })
    t.equal(error, undefined, `${tool} ${JSON.stringify(args)}`)
    return { value, notices }
  }
  const filled = { previous_path: '', encoding: '', execute_filemode: '', last_commit_id: '', edits: [] }
  const start = { start_branch: '', start_sha: '', start_project: '', author_name: '', author_email: '' }
  const commit = (...actions: object[]) =>
    call('commit_files', { branch: 'empties', ...start, commit_message: 'm', actions })
  const textOf = async (path: string) =>
    (await call('get_file_contents', { path, ref: 'empties', start_line: 0, end_line: 0 })).value
  await call('create_branch', { branch: 'empties', ref: 'main' })
  await commit({ ...filled, action: 'create', file_path: 'a.txt', content: 'one' })
  await commit({ ...filled, action: 'update', file_path: 'a.txt', content: 'two' })
  const edits = [{ find: 'two', replace: 'three' }]
  await commit({ ...filled, action: 'edit', file_path: 'a.txt', content: '', edits })
  t.equal(await textOf('a.txt'), 'three')
  await commit({
    action: 'update',
    file_path: 'a.txt',
    content: '',
    edits: [{ find: 'three', replace: 'four' }]
  })
  t.equal(await textOf('a.txt'), 'four')
  await commit({ ...filled, action: 'move', file_path: 'b.txt', previous_path: 'a.txt', content: '' })
  t.equal(await textOf('b.txt'), 'four', 'a move without content leaves the text')
  const emptied = await commit({ ...filled, action: 'update', file_path: 'b.txt', content: '' })
  t.match(emptied.notices.join(' '), 'which empties the file: "b.txt"')
  await commit({ ...filled, action: 'delete', file_path: 'b.txt', content: '' })

  const request = { source_branch: 'empties', target_branch: 'main', title: 'Empties' }
  const none = { assignee_ids: [''], reviewer_ids: [''], labels: [''], milestone_id: '' }
  const { iid: merge_request_iid } = (await call('create_merge_request', { ...request, ...none })).value
  const whole = { merge_request_iid, body: 'Well.', path: '', line: 0, old_line: 0, end_line: 0 }
  await call('create_merge_request_thread', { ...whole, created_at: '' })
  const release = { tag_name: 'v9', ref: 'main', milestones: [''], released_at: '' }
  await call('create_release', {
    ...release,
    links: [{ name: 'a', url: 'https://a.example', direct_asset_path: '' }]
  })
  await call('create_work_item', { type: 'issue', title: 'T', assignee_ids: [''], label_ids: [''] })
})

story('a snippet whose file is moved keeps its text', all, async (t, as) => {
  const call = as('ada')
  const { value } = await call('create_snippet', {
    title: 'S',
    files: [{ file_path: 'a.txt', content: 'one' }]
  })
  const move = { action: 'move', previous_path: 'a.txt', file_path: 'b.txt', content: '' }
  t.equal((await call('update_snippet', { snippet_id: value.id, files: [move] })).error, undefined)
  t.equal((await call('get_snippet', { snippet_id: value.id })).value, 'one')
})

story('what is empty and may be meant is refused, and told to be left out', all, async (t, as) => {
  for (const [tool, args, said] of [
    ['update_issue', { issue_iid: 2, assignee_ids: [''] }, 'an empty list is for nobody; left out, it stays'],
    ['update_issue', { issue_iid: 2, labels: [''] }, 'labels.0 must name a label: left out, they stay'],
    [
      'submit_review',
      { merge_request_iid: 3, sha: '', summary: 'Well.' },
      'sha must be the sha of the head you reviewed, and is empty: left out, any head will do'
    ]
  ] as const)
    t.match((await as('ada')(tool, { ...rocket, ...args })).error, said, tool)
})
