import t from 'tap'
import { numberOfGid } from '../../../src/engine/requests/gid.ts'
import { leftOut } from '../../../tools/families/people/people-left-out.ts'
import { isOf, newestCommit } from '../../../tools/pipelines/latest.ts'

/* A list is not made into a text: of a hundred thousand numbers that takes as long as many calls. */

t.test('a list in place of a global id stays what it is', async t => {
  const list = ['gid://gitlab/Issue/7']
  t.equal(numberOfGid(list), list)
})

t.test('a list in place of the id of a person is nobody’s', async t => {
  t.same(
    leftOut('assignee_ids', ['7'], [{ id: ['7'] }], () => 'why'),
    ['Of assignee_ids the forge left out 7: why.']
  )
})

t.test('a list in place of a ref names no merge request', async t => {
  t.notOk(isOf({ ref: ['refs/merge-requests/1/merge'] }, { sha: 'abc' }))
})

t.test('a commit is found by no id that is longer than any', async t => {
  const read = async () => ({ id: 'a'.repeat(5_000), sha: 'a'.repeat(5_000) })
  await t.rejects(newestCommit({ project_id: '1', ref: 'main' }, read), { message: /more than 4096/ })
  await t.rejects(newestCommit({ project_id: '1', merge_request_iid: '2' }, read), {
    message: /more than 4096/
  })
})
