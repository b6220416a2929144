import t from 'tap'
import { idOfPath } from '../../../src/engine/facts/id-of-path.ts'
import { KnownFacts } from '../../../src/engine/facts/known.ts'
import { Names } from '../../../src/engine/facts/names.ts'

/** A call to a forge that answers everything with one record. */
function callOf(value: unknown) {
  const asked: string[] = []
  const forge = {
    send: async ({ path }: { path: string }) => {
      asked.push(path)
      return { value }
    }
  }
  return { asked, context: { forge, names: new Names(new KnownFacts().of('ada'), true) } as never }
}

t.test('a path is asked for once, however it is written, and the forge tells its id', async t => {
  const { asked, context } = callOf({ id: 7 })
  t.equal(await idOfPath('to_project', { to_project: 'team/App' }, context), 7)
  t.equal(await idOfPath('project_id', { project_id: 'team%2Fapp' }, context), 7)
  t.equal(await idOfPath('parent', { parent: 'team' }, context), 7)
  t.same(asked, ['/projects/team%2FApp', '/namespaces/team'])
})

t.test('an id needs no request, and digits that are too many for one are asked as a path', async t => {
  const { asked, context } = callOf({ id: 7 })
  t.equal(await idOfPath('group_id', { group_id: '123456789012345' }, context), 123_456_789_012_345)
  t.same(asked, [])
  t.equal(await idOfPath('group_id', { group_id: '9007199254740993' }, context), 7)
  t.same(asked, ['/groups/9007199254740993'])
})

t.test('a record without an id says which one to give', async t => {
  const { context } = callOf({ path: 'team' })
  await t.rejects(idOfPath('namespace', { namespace: 'team' }, context), {
    message: 'The forge did not say which namespace "team" is: give its id.'
  })
})
