import t from 'tap'
import { calling } from '../../support/answered-calls.ts'

const tooMany = { message: /^The addresses in this call have more than 8192 characters together/ }
const threeOf = (address: string): string[] =>
  Array(3).fill(`https://forge.example/${address}?${'x'.repeat(4_000)}`)

const listed = async (args: object, answers = {}) => calling('list_work_items', args, answers)()

t.test('the addresses of parents that are looked up are counted together', async t => {
  const parent_ids = threeOf('acme/rocket/-/issues/1')
  await t.rejects(listed({ group_id: 'acme', parent_ids }), tooMany)
})

t.test('so are those of milestones', async t => {
  const milestone_titles = threeOf('acme/rocket/-/milestones/1')
  const answers = { '/milestones': [{ id: 1, iid: 1, title: 'a' }] }
  await t.rejects(listed({ project_id: 'acme/rocket', milestone_titles }, answers), tooMany)
})
