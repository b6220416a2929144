import { issues } from '../../../tools/issues/index.ts'
import { planning } from '../../../tools/planning/index.ts'
import { projects } from '../../../tools/projects/index.ts'
import { workItems } from '../../../tools/work-items/index.ts'
import { story } from '../../support/sandbox-tools.ts'

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

story(
  'a milestone is named by its address wherever it is by id or title',
  [issues, planning, workItems],
  async (t, as) => {
    const ada = as('ada')
    const milestonesOf = async (place: Record<string, unknown>) => (await ada('list_milestones', place)).value
    const [own] = await milestonesOf(rocket)
    const [above] = await milestonesOf({ group_id: 'acme' })
    const issue = { ...rocket, issue_iid: '1' }
    const titleOf = ({ value, error }: Awaited<ReturnType<typeof ada>>) => error ?? value.milestone?.title
    for (const { web_url, title } of [own, above]) {
      t.equal(titleOf(await ada('update_issue', { ...issue, milestone_id: web_url })), title)
      t.equal(titleOf(await ada('create_issue', { ...rocket, title: 'I', milestone_id: web_url })), title)
      const listed = await ada('list_issues', { ...rocket, milestone: web_url, scope: 'all' })
      t.equal(listed.value?.[0]?.milestone?.title, title)
      const items = await ada('list_work_items', { ...rocket, milestone_titles: [web_url] })
      t.ok(JSON.stringify(items.value).includes(title))
    }
    const set = { issues: [{ issue_iid: '1', milestone_id: own.web_url }] }
    t.equal((await ada('update_issues', { ...rocket, ...set })).error, undefined)
    const change = { description: 'D' }
    for (const place of [
      { project_id: own.web_url },
      { ...rocket, milestone_id: own.web_url },
      { group_id: above.web_url }
    ]) {
      const changed = await ada('update_milestone', { ...place, ...change })
      t.equal(changed.value?.description, 'D')
      t.same(changed.notices, [])
    }
    t.match(
      (await ada('list_milestones', { ...rocket, iids: [own.web_url] })).error,
      new RegExp(`is not: give ${own.iid}, the number in the address`)
    )
  }
)

story(
  'an address names no milestone that is not there or of another place',
  [issues, planning],
  async (t, as) => {
    const ada = as('ada')
    const [own] = (await ada('list_milestones', rocket)).value
    const [above] = (await ada('list_milestones', { group_id: 'acme' })).value
    const errorOf = async (tool: string, args: object) => (await ada(tool, { ...rocket, ...args })).error
    const set = (milestone_id: string) => errorOf('update_issue', { issue_iid: '1', milestone_id })
    t.match(
      await set(`${own.web_url}999`),
      /milestone_id is the address of no milestone, or of none that may be seen/
    )
    t.match(
      await set(own.web_url.replace('milestones', 'issues')),
      /milestone_id is the address of an issue, which get_issue shows: give that of a milestone/
    )
    t.match(
      await errorOf('update_issue', {
        project_id: 'acme/website',
        issue_iid: '1',
        milestone_id: own.web_url
      }),
      /is the address of a milestone of "acme\/rocket": give that as project_id/
    )
    t.match(
      await errorOf('update_milestone', { milestone_id: above.web_url, description: 'D' }),
      /is the address of a milestone of "acme": give that as group_id, and no other place/
    )
  }
)
