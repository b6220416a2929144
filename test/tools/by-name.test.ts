import { issues } from '../../tools/issues/index.ts'
import { planning } from '../../tools/planning/index.ts'
import { projects } from '../../tools/projects/index.ts'
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
