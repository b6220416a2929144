import { issues } from '../../tools/issues/index.ts'
import { mergeRequests } from '../../tools/merge-requests/index.ts'
import { releases } from '../../tools/releases/index.ts'
import { repository } from '../../tools/repository/index.ts'
import { snippets } from '../../tools/snippets/index.ts'
import { workItems } from '../../tools/work-items/index.ts'
import { story } from '../support/sandbox-tools.ts'

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
