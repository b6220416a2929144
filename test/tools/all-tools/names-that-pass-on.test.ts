import { issues } from '../../../tools/issues/index.ts'
import { planning } from '../../../tools/planning/index.ts'
import { projects } from '../../../tools/projects/index.ts'
import { workItems } from '../../../tools/work-items/index.ts'
import { type Call, story } from '../../support/sandbox-tools.ts'

/* A name goes to something else: by whoever used it before, or by somebody at another replica. */

const rocket = { project_id: 'acme/rocket' }

/** @returns the record @throws what the tool says of a failure */
async function done(call: Call, tool: string, args: object) {
  const { value, error } = await call(tool, { ...rocket, ...args })
  if (error !== undefined) throw new Error(`${tool}: ${error}`)
  return value
}

for (const [who, other] of [
  ['ada', 'ada'],
  ['ada', 'margaret']
] as const)
  story(
    `a milestone that has the name now is set, changed and deleted, where ${who === other ? 'the caller' : 'somebody else'} renamed the one before`,
    [issues, planning],
    async (t, as) => {
      const [mine, theirs] = [as(who), as(other)]
      const before = await done(mine, 'create_milestone', { title: 'Q1' })
      const first = await done(mine, 'create_issue', { title: 'One', milestone_id: 'Q1' })
      t.equal(first.milestone.id, before.id)
      await done(mine, 'update_milestone', { milestone_id: 'Q1', description: 'The first quarter' })
      await done(theirs, 'update_milestone', { milestone_id: 'Q1', title: 'Q1 (2025)' })
      const now = await done(theirs, 'create_milestone', { title: 'Q1' })
      const idOf = ({ milestone }: { milestone: { id: number } }) => milestone.id
      t.equal(idOf(await done(mine, 'create_issue', { title: 'Two', milestone_id: 'Q1' })), now.id)
      const change = { issue_iid: String(first.iid), milestone_id: 'Q1' }
      t.equal(idOf(await done(mine, 'update_issue', change)), now.id)
      const closed = await done(mine, 'update_milestone', { milestone_id: 'Q1', state_event: 'close' })
      t.equal(closed.id, now.id)
      await done(mine, 'delete_milestone', { milestone_id: 'Q1', confirm: 'Q1' })
      const left = (await mine('list_milestones', { ...rocket, state: 'active' })).value
      t.ok(left.some(({ id }: { id: number }) => id === before.id))
      const again = await done(theirs, 'create_milestone', { title: 'Q1' })
      t.equal(
        idOf(await done(mine, 'update_issue', change)),
        again.id,
        'and where it was deleted and made anew'
      )
    }
  )

story('a work item gets the label that has the name now', [planning, projects, workItems], async (t, as) => {
  const ada = as('ada')
  const item = { type: 'task', title: 'T', label_ids: ['bug'] }
  const { iid } = await done(ada, 'create_work_item', item)
  await done(as('margaret'), 'update_label', { label: 'bug', new_name: 'defect' })
  await done(as('margaret'), 'create_label', { name: 'bug', color: 'red' })
  t.same((await done(ada, 'create_work_item', item)).labels, ['bug'])
  t.same((await done(ada, 'update_work_item', { iid, add_label_ids: ['bug'] })).labels.sort(), [
    'bug',
    'defect'
  ])
})

const gamma = { project_id: 'acme/gamma' }
const made = { name: 'Gamma', path: 'gamma', namespace: 'acme', initialize_with_readme: true }

/** Gives the path of a project to another one. @returns the numbers of both */
async function pathTaken(call: Call, before: { id: number }) {
  await done(call, 'update_project', { project_id: String(before.id), path: 'gamma-old' })
  const now = await done(call, 'create_project', { ...made, project_id: undefined })
  return { before: String(before.id), now: String(now.id) }
}

story('an issue moves to the project that has the path now', [issues, planning, projects], async (t, as) => {
  const margaret = as('margaret')
  const before = await done(margaret, 'create_project', { ...made, project_id: undefined })
  const moved = async () => {
    const { iid } = await done(margaret, 'create_issue', { title: 'Move me', confidential: true })
    return done(margaret, 'move_issue', { issue_iid: String(iid), to_project: 'acme/gamma' })
  }
  t.equal((await moved()).project_id, before.id)
  const { now } = await pathTaken(margaret, before)
  t.equal(String((await moved()).project_id), now)
})

for (const other of ['margaret', 'ada'])
  story(
    `a work item of a project's number is of that project, when ${other === 'margaret' ? 'the caller' : 'somebody else'} gave its path to another one`,
    [issues, planning, projects, workItems],
    async (t, as) => {
      const [margaret, mover] = [as('margaret'), as(other)]
      const before = await done(mover, 'create_project', { ...made, project_id: undefined })
      await done(mover, 'set_member', { ...gamma, user_id: 'margaret', role: 'maintainer' }).catch(() => {})
      await done(margaret, 'create_issue', { ...gamma, title: 'The old one' })
      const number = { project_id: String(before.id), iid: '1' }
      t.equal((await done(margaret, 'get_work_item', number)).title, 'The old one')
      const { now } = await pathTaken(mover, before)
      await done(mover, 'create_issue', { ...gamma, title: 'The new one' })
      const closed = await done(margaret, 'update_work_item', { ...number, state_event: 'close' })
      t.equal(closed.title, 'The old one')
      t.equal((await done(margaret, 'get_work_item', number)).title, 'The old one')
      const stays = await done(mover, 'get_issue', { project_id: now, issue_iid: '1' })
      t.equal(stays.state, 'opened')
    }
  )

story(
  'the work items of a project are read by its number after somebody else has renamed it',
  [issues, projects, workItems],
  async (t, as) => {
    const [ada, margaret] = [as('ada'), as('margaret')]
    const number = { project_id: '41' }
    const { work_items: before } = await done(ada, 'list_work_items', number)
    await done(margaret, 'update_project', { project_id: '41', path: 'rocket-2' })
    const { work_items: after } = await done(ada, 'list_work_items', number)
    t.equal(after.length, before.length)
    t.match((await ada('list_work_items', { project_id: '4711' })).error, /There is no project|404/)
  }
)

story(
  'what a list is narrowed by is looked at again: a milestone at an address, a label that is gone',
  [issues, planning],
  async (t, as) => {
    const [ada, margaret] = [as('ada'), as('margaret')]
    const [{ web_url }] = (await ada('list_milestones', rocket)).value
    await done(ada, 'update_issue', { issue_iid: '1', milestone_id: web_url })
    const ofMilestone = { milestone: web_url, scope: 'all' }
    const count = (await done(ada, 'list_issues', ofMilestone)).length
    t.ok(count > 0)
    await done(margaret, 'update_milestone', { milestone_id: web_url, title: '1.5 final' })
    t.equal((await done(ada, 'list_issues', ofMilestone)).length, count)

    await done(margaret, 'create_label', { name: 'fuel', color: 'red' })
    const ofLabel = { ...rocket, labels: ['fuel'], scope: 'all' }
    t.same((await ada('list_issues', ofLabel)).notices, [])
    await done(margaret, 'delete_label', { label: 'fuel' })
    t.match((await ada('list_issues', ofLabel)).notices.join(' '), /There is no label "fuel"/)
  }
)
