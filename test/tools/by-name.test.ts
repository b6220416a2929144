import { issues } from '../../tools/issues/index.ts'
import { planning } from '../../tools/planning/index.ts'
import { projects } from '../../tools/projects/index.ts'
import { workItems } from '../../tools/work-items/index.ts'
import { story } from '../support/sandbox-tools.ts'

const rocket = { project_id: 'acme/rocket' }

story('a person who was named before is known by the same name again', [issues, projects], async (t, as) => {
  const ada = as('ada')
  const member = await ada('set_member', { ...rocket, username: 'edsger', role: 'developer' })
  t.equal(member.error, undefined)
  t.equal(
    (await ada('set_member', { ...rocket, user_id: '@edsger', role: 'reporter' })).value.role,
    'reporter'
  )
  t.match(
    (await ada('set_member', { ...rocket, user_id: 'nobody', role: 'reporter' })).error,
    /nobody has that/
  )
  const { value, error } = await ada('create_issue', { ...rocket, title: 'Hello', assignee_ids: ['edsger'] })
  t.equal(error, undefined)
  t.equal(value.assignees[0].username, 'edsger')
})

story('a milestone is changed by its title, in a project and in a group', [planning], async (t, as) => {
  const closed = await as('ada')('update_milestone', {
    ...rocket,
    milestone_id: '1.5',
    state_event: 'close'
  })
  t.equal(closed.value?.state, 'closed')
  const group = { group_id: 'acme', state_event: 'close' }
  const autumn = await as('ada')('update_milestone', { ...group, milestone_id: 'Autumn' })
  t.equal(autumn.value?.title, 'Autumn')
  const winter = await as('ada')('update_milestone', { ...group, milestone_id: 'Winter' })
  t.match(winter.error, /"Winter", and no milestone of the group has that title/)
})

story(
  'a milestone of a group above is not changed or deleted as one of the project',
  [issues, planning],
  async (t, as) => {
    const ada = as('ada')
    const used = await ada('create_issue', { ...rocket, title: 'Fuel', milestone_id: 'Autumn' })
    t.equal(used.error, undefined, 'its issues may have it')
    for (const [tool, more] of [
      ['update_milestone', { state_event: 'close' }],
      ['delete_milestone', { confirm: 'Autumn' }]
    ] as const) {
      const { error } = await ada(tool, { ...rocket, milestone_id: 'Autumn', ...more })
      t.match(error, /"Autumn", a milestone of a group above: give group_id=7 in place of project_id/)
    }
  }
)

story('a work item takes people, labels and a milestone by name', [workItems], async (t, as) => {
  const ada = as('ada')
  const made = await ada('create_work_item', {
    ...rocket,
    type: 'issue',
    title: 'Fuel the rocket',
    assignee_ids: ['edsger'],
    label_ids: ['bug'],
    milestone_id: '1.5'
  })
  t.equal(made.error, undefined)
  t.match(made.value, { assignees: ['edsger'], labels: ['bug'] }, 'and the answer has what was set')
  const change = { ...rocket, iid: made.value.iid }
  const { value: full } = await ada('get_work_item', change)
  t.match(full, { assignees: ['edsger'], labels: ['bug'] })
  t.type(full.milestone_id, 'number')
  await ada('update_work_item', { ...change, remove_label_ids: 'bug' })
  t.strictSame((await ada('get_work_item', change)).value.labels, [], 'and they are taken away by name')
  const unknown = await ada('update_work_item', { ...change, add_label_ids: ['bugs'] })
  t.match(
    unknown.error,
    /add_label_ids names "bugs", and no label of the project has that name \(did you mean "bug"\?\); list_labels/
  )
})

story(
  'of a milestone that is written nearly so, that of the group is named',
  [issues, planning],
  async (t, as) => {
    const issue = { project_id: 'acme/rocket', issue_iid: '1' }
    t.match(
      (await as('ada')('update_issue', { ...issue, milestone_id: 'autumn' })).error,
      /has that title \(did you mean "Autumn"\?\); list_milestones with include_ancestors=true has those there are/
    )
    t.notMatch(
      (
        await as('ada')('delete_milestone', {
          project_id: 'acme/rocket',
          milestone_id: '1.6',
          confirm: '1.6'
        })
      ).error,
      /did you mean/,
      'and no neighbour of what is to be deleted'
    )
  }
)
