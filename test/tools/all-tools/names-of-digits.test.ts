import { issues } from '../../../tools/issues/index.ts'
import { mergeRequests } from '../../../tools/merge-requests/index.ts'
import { planning } from '../../../tools/planning/index.ts'
import { workItems } from '../../../tools/work-items/index.ts'
import { type As, story } from '../../support/sandbox-tools.ts'

/* Names that consist of digits, such as the milestone 2027: what else has such a number for its id is not meant. */

const rocket = { project_id: 'acme/rocket' }

/** A milestone whose title is the id of another one, and one whose title is nobody's id. */
async function withNumbered(as: As): Promise<{ id: string; other: string }> {
  const ada = as('ada')
  const [{ id, title }] = (await ada('list_milestones', { ...rocket, include_ancestors: true })).value
  for (const name of [String(id), '2027']) await ada('create_milestone', { ...rocket, title: name })
  return { id: String(id), other: title }
}

story(
  'a milestone under the name of its title is the one of that title, also where another has it for its id',
  [issues, mergeRequests, planning, workItems],
  async (t, as) => {
    const ada = as('ada')
    const { id } = await withNumbered(as)
    const item = { ...rocket, type: 'issue', title: 'W' }
    const calls = [
      ['create_issue', { title: 'I' }],
      ['update_issue', { issue_iid: '1' }],
      ['update_merge_request', { merge_request_iid: '5' }]
    ] as const
    for (const title of [id, '2027']) {
      for (const [tool, more] of calls) {
        for (const [name, value] of [
          ['milestone', title],
          ['milestone', Number(title)],
          ['milestone_title', title],
          ['milestoneTitle', title],
          ['milestone_id', `"${title}"`],
          ['milestone_id', `%"${title}"`]
        ] as const) {
          const { value: made, error } = await ada(tool, { ...rocket, ...more, [name]: value })
          t.equal(made?.milestone?.title, title, `${tool} ${name}=${JSON.stringify(value)} ${error}`)
        }
      }
      t.equal((await ada('create_work_item', { ...item, milestone: title })).value?.milestone, title)
      const several = await ada('update_issues', {
        ...rocket,
        issues: [{ issue_iid: '2', milestone: Number(title) }]
      })
      t.match(several.value, [{ milestone: { title } }])
    }
  }
)

story('a milestone is taken off by 0 under each of its names', [issues], async (t, as) => {
  const ada = as('ada')
  const issue = { ...rocket, issue_iid: '1' }
  for (const none of ['0', 0]) {
    await ada('update_issue', { ...issue, milestone: 'Autumn' })
    t.equal((await ada('update_issue', { ...issue, milestone: none })).value?.milestone, undefined)
  }
})

story(
  'digits as the id of a milestone are the id, and a title where there is no such id',
  [issues, planning, workItems],
  async (t, as) => {
    const ada = as('ada')
    const { id, other } = await withNumbered(as)
    const titleOf = async (milestone_id: string) =>
      (await ada('create_issue', { ...rocket, title: 'I', milestone_id })).value?.milestone?.title
    t.equal(await titleOf(id), other)
    t.equal(await titleOf('2027'), '2027')
    const due = { due_date: '2027-01-01' }
    t.match(
      (await ada('update_milestone', { ...rocket, milestone_id: '2027', ...due })).error,
      /404.+where 2027 is the title of a milestone, write %"2027"\./,
      'what changes one itself is not tried again'
    )
    t.match(
      (await ada('create_issue', { ...rocket, title: 'I', milestone_id: '2028' })).error,
      /milestone_id: is invalid/
    )
    const found = await ada('update_issue', { ...rocket, issue_iid: '1', milestone: '2028' })
    t.match(found.error, /names "2028", and no milestone of the project has that title/)
    const item = await ada('create_work_item', { ...rocket, type: 'issue', title: 'W', milestone_id: '2028' })
    t.match(item.notices, [
      /^Of milestone_id the forge left out 2028: there is no milestone of that id here; .+ it is written %"2028"\.$/
    ])
  }
)

story('of a milestone to be deleted the title that confirms it decides', [planning], async (t, as) => {
  const ada = as('ada')
  const { id } = await withNumbered(as)
  for (const title of [id, '2027'])
    t.equal(
      (await ada('delete_milestone', { ...rocket, milestone_id: title, confirm: title })).error,
      undefined
    )
  const left = (await ada('list_milestones', { ...rocket, include_ancestors: true })).value
  t.notOk(left.some(({ title }: { title: string }) => [id, '2027'].includes(title)))
  t.ok(left.some((milestone: { id: number }) => String(milestone.id) === id))
})

story(
  'a label whose name is the id of another one is deleted by its name, and changed as forges have it: the id is first',
  [planning],
  async (t, as) => {
    const ada = as('ada')
    const [{ id, name: other }] = (await ada('list_labels', rocket)).value
    const name = String(id)
    const names = async () =>
      (await ada('list_labels', { ...rocket, per_page: 100 })).value.map(
        (label: { name: string }) => label.name
      )
    await ada('create_label', { ...rocket, name, color: '#111111' })
    const changed = await ada('update_label', { ...rocket, label: name, color: '#222222' })
    t.equal(changed.value?.name, other)
    t.equal((await ada('delete_label', { ...rocket, label: name, confirm: name })).error, undefined)
    t.notOk((await names()).includes(name))
    t.equal((await ada('delete_label', { ...rocket, label: name, confirm: other })).error, undefined)
    t.notOk((await names()).includes(other))
  }
)

story('a label to be changed under a name of names is the one of that name', [planning], async (t, as) => {
  const ada = as('ada')
  const [{ id, name: other }] = (await ada('list_labels', rocket)).value
  const label = String(id)
  await ada('create_label', { ...rocket, name: label })
  for (const [named, value] of [
    ['name', label],
    ['name', id],
    ['label_name', label],
    ['label', `~"${label}"`]
  ] as const) {
    const { value: changed, error } = await ada('update_label', {
      ...rocket,
      [named]: value,
      color: '#222222'
    })
    t.equal(changed?.name, label, `${named}=${value} ${error}`)
  }
  const inTexts = await ada('update_label', { ...rocket, label: `~"${other}"`, description: 'Of old' })
  t.equal(inTexts.value?.name, other)
  const none = await ada('update_label', { ...rocket, name: '2028', color: '#222222' })
  t.match(none.error, /label names "2028", and no label of the project has that name; list_labels has/)
  const { error } = await ada('delete_label', { ...rocket, name: label, confirm: label })
  t.equal(error, undefined, 'what is to be deleted is named as it is')
})

story(
  'labels of a work item under the name of titles are those of these titles',
  [planning, workItems],
  async (t, as) => {
    const ada = as('ada')
    const [{ id, name: other }] = (await ada('list_labels', rocket)).value
    const name = String(id)
    await ada('create_label', { ...rocket, name })
    await ada('create_label', { ...rocket, name: '2027' })
    const item = { ...rocket, type: 'issue', title: 'W' }
    for (const labels of [[name, '2027'], [id, 2027], `${name}, 2027`])
      t.same((await ada('create_work_item', { ...item, labels })).value?.labels.sort(), [name, '2027'].sort())
    const made = await ada('create_work_item', { ...item, label_ids: [name, '~"2027"'] })
    t.same(made.value?.labels.sort(), [other, '2027'].sort(), 'and under the name of ids those of these ids')
  }
)

story(
  'somebody whose username is the id of another is assigned by the name of usernames',
  [issues],
  async (t, as) => {
    const issue = { ...rocket, issue_iid: '1' }
    const { error } = await as('ada')('update_issue', { ...issue, assignee_usernames: ['3'] })
    t.match(error, /assignee_ids names "@3", and nobody has that username/)
    t.equal((await as('ada')('update_issue', { ...issue, assignee_ids: ['3'] })).error, undefined)
  }
)
