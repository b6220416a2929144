import t from 'tap'
import type { Forge } from '../forge/index.ts'
import { sandbox } from './client.ts'

const mutate = async (forge: Forge, what: 'Create' | 'Update', input: object) => {
  const response = await fetch(`${forge.url}/api/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${forge.tokens.ada}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      query: `mutation($input: WorkItem${what}Input!) { change: workItem${what}(input: $input) { workItem { id } errors } }`,
      variables: { input }
    })
  })
  const { data } = (await response.json()) as { data: { change: unknown } }
  return data.change
}

t.test('a change of work items with a wrong parent or wrong dates is refused as a whole', async t => {
  const { forge, as } = await sandbox(t)
  const issues = () => forge.state.projects.find(({ path }) => path === 'rocket')!.issues
  const before = issues().length
  const change = (what: 'Create' | 'Update', input: object) => mutate(forge, what, input)
  const hierarchyWidget = { parentId: 'gid://gitlab/WorkItem/1' }
  const workItemTypeId = 'gid://gitlab/WorkItems::Type/5'
  const made = await change('Create', {
    namespacePath: 'acme/rocket',
    workItemTypeId,
    title: 'Fuel',
    hierarchyWidget
  })
  t.match(made, { workItem: null, errors: [/^No matching work item found/] })
  const [issue] = issues()
  const within = (typeId: number) =>
    change('Create', {
      namespacePath: 'acme/rocket',
      workItemTypeId: `gid://gitlab/WorkItems::Type/${typeId}`,
      title: 'Fuel',
      hierarchyWidget: { parentId: `gid://gitlab/WorkItem/${issue!.id}` }
    })
  t.match(await within(1), {
    errors: [/^#\d+ cannot be added: it's not allowed to add this type of parent item/]
  })
  t.equal(issues().length, before, 'nothing is made')
  t.match(await within(5), { errors: [] }, 'a task is a part of an issue')

  const { title } = issue!
  const id = `gid://gitlab/WorkItem/${issue!.id}`
  const changed = await change('Update', { id, title: 'Another', hierarchyWidget })
  t.match(changed, { workItem: null, errors: [/^No matching work item found/] })
  const startAndDueDateWidget = { startDate: '2026-12-02', dueDate: '2026-12-01' }
  t.match(await change('Update', { id, title: 'Another', startAndDueDateWidget }), {
    workItem: null,
    errors: ['Due date must be greater than or equal to start date']
  })
  t.equal(issue!.title, title)
  await change('Update', { id, startAndDueDateWidget: { startDate: '2026-12-02', dueDate: null } })
  t.match(await as('ada')('PUT', `/projects/41/issues/${issue!.iid}`, { due_date: '2026-12-01' }), {
    status: 400,
    data: { message: { due_date: ['must be greater than or equal to start date'] } }
  })
})

t.test('closing a work item and its status Done are one', async t => {
  const { forge } = await sandbox(t)
  const [issue] = forge.state.projects.find(({ path }) => path === 'rocket')!.issues
  const update = (input: object) =>
    mutate(forge, 'Update', { id: `gid://gitlab/WorkItem/${issue!.id}`, ...input })
  const shown = () => [issue!.state, issue!.planning.statusId]
  const status = (id: number) => ({
    statusWidget: { status: `gid://gitlab/WorkItems::Statuses::SystemDefined::Status/${id}` }
  })
  await update(status(3))
  t.strictSame(shown(), ['closed', 3])
  await update({ stateEvent: 'REOPEN' })
  t.strictSame(shown(), ['opened', 1])
  await update({ stateEvent: 'CLOSE' })
  t.strictSame(shown(), ['closed', 3])
  await update(status(2))
  t.strictSame(shown(), ['opened', 2])
  await update(status(5))
  t.strictSame(shown(), ['closed', 5], 'a duplicate')
})
