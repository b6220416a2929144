import t from 'tap'
import { sandbox } from './client.ts'

t.test('a change of work items with a wrong parent is refused as a whole', async t => {
  const { forge } = await sandbox(t)
  const issues = () => forge.state.projects.find(({ path }) => path === 'rocket')!.issues
  const before = issues().length
  const hierarchyWidget = { parentId: 'gid://gitlab/WorkItem/1' }
  const workItemTypeId = 'gid://gitlab/WorkItems::Type/5'
  const made = await change('Create', {
    namespacePath: 'acme/rocket',
    workItemTypeId,
    title: 'Fuel',
    hierarchyWidget
  })
  t.match(made, { workItem: null, errors: [/^No matching work item found/] })
  t.equal(issues().length, before, 'nothing is made')

  const [issue] = issues()
  const { title } = issue!
  const id = `gid://gitlab/WorkItem/${issue!.id}`
  const changed = await change('Update', { id, title: 'Another', hierarchyWidget })
  t.match(changed, { workItem: null, errors: [/^No matching work item found/] })
  t.equal(issue!.title, title)

  async function change(what: 'Create' | 'Update', input: object) {
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
})
