import t from 'tap'
import { idOfPath, isProjectOf } from '../../../src/engine/facts/id-of-path.ts'
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
  const known = new KnownFacts().of('ada')
  const call = () => ({ forge, known, names: new Names(known, true) }) as never
  return { asked, known, call, context: call() }
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

t.test('the id of a path that is only compared is kept, also by calls that change things', async t => {
  const { asked, known, call } = callOf({ id: 7 })
  for (const project_id of ['team/app', 'team/app', 'team%2FApp']) {
    t.ok(await isProjectOf({ project_id }, 7, call()))
    known.changed()
  }
  t.same(asked, ['/projects/team%2Fapp'])
})

t.test('the forge is asked again before one is refused by what was kept', async t => {
  const project = { id: 7 }
  const { asked, call } = callOf(project)
  const args = { project_id: 'team/app' }
  t.notOk(await isProjectOf(args, 8, call()), 'it had just been asked')
  t.equal(asked.length, 1)
  project.id = 8
  t.ok(await isProjectOf(args, 8, call()))
  t.equal(asked.length, 2)
  t.notOk(await isProjectOf({ project_id: '9' }, 8, call()))
  t.notOk(await isProjectOf({ project_id: '9' }, undefined, call()))
  t.ok(await isProjectOf({ project_id: '9' }, 9, call()))
  t.equal(asked.length, 2)
})
