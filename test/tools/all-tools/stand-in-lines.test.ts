import { issues } from '../../../tools/issues/index.ts'
import { workItems } from '../../../tools/work-items/index.ts'
import { story } from '../../support/sandbox-tools.ts'

const rocket = { project_id: 'acme/rocket' }
const line = 'Fuel\n\n[rest of description unchanged]'
const hasLine = /description has the line "\[rest of description unchanged\]"/

story(
  'a line that seems to stand for others is kept where it is stored',
  [issues, workItems],
  async (t, as) => {
    const ada = as('ada')
    const { iid } = (await ada('create_issue', { ...rocket, title: 'Fuel', description: line })).value
    const one = { ...rocket, issue_iid: iid }
    t.equal((await ada('update_issue', { ...one, description: `${line}\na` })).error, undefined)
    const item = { ...rocket, iid: String(iid) }
    t.equal((await ada('update_work_item', { ...item, description: `${line}\nb` })).error, undefined)
    const note = (await ada('create_issue_note', { ...one, body: line })).value
    const [thread] = (await ada('list_issue_discussions', one)).value
    const edited = { ...one, discussion_id: thread.id, note_id: note.id, body: `${line}\nc` }
    t.equal((await ada('update_issue_note', edited)).error, undefined)
  }
)

story('of several issues those are changed whose texts stand for nothing else', [issues], async (t, as) => {
  const changes = [
    { issue_iid: '1', description: line },
    { issue_iid: '2', description: 'Fuel' }
  ]
  const { value, notices } = await as('ada')('update_issues', { ...rocket, issues: changes })
  t.match(value[0], { issue_iid: '1', problem: hasLine })
  t.match(value[1], { iid: 2 })
  t.match(notices, ['1 of 2 were not done.'])
})

story('a work item loses nothing to such a line, either', [workItems], async (t, as) => {
  t.match((await as('ada')('update_work_item', { ...rocket, iid: '1', description: line })).error, hasLine)
})
