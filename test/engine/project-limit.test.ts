import t from 'tap'
import { ProjectLimit } from '../../src/engine/project-limit.ts'

const forge = 'https://forge.example'

t.test(
  'records of a very large answer that are not looked at are left out, not said to be of others',
  async t => {
    const limit = new ProjectLimit(['42'])
    /** @returns the notices, and how many packages and pipelines of the last are kept */
    const keep = (packages: number, pipelines: number) => {
      const value = Array.from({ length: packages }, () => ({
        project_id: 42,
        pipelines: Array.from({ length: pipelines }, (_, id) => ({ id, project_id: id === 0 ? 7 : 42 }))
      }))
      const { notices, value: kept } = limit.keep({ value }, 'shows', forge)
      const left = kept as typeof value
      return [left.length, left.at(-1)?.pipelines.length, ...(notices ?? [])]
    }
    t.same(keep(100, 0), [100, 0])
    t.same(keep(1, 30), [1, 29, 'Left out, as it is of a project that is not served here: 1 record.'])
    t.same(keep(100, 150), [
      100,
      149,
      'Left out, as they are of projects that are not served here: 100 records.'
    ])
    const foreign = 'Left out, as it is of a project that is not served here: 1 record.'
    t.same(keep(1, 20_001), [1, 19_998, foreign, '2 more were left out unread: ask for a smaller page.'])
    t.same(keep(1, 20_000), [1, 19_998, foreign, '1 more was left out unread: ask for a smaller page.'])
  }
)

t.test('an address is of a project by its path below that of the forge, and by no other', async t => {
  const limit = new ProjectLimit(['acme/rocket'])
  const isKept = (web_url: string, of: string) =>
    (limit.keep({ value: [{ project_id: 9, web_url }] }, 'shows', of).value as unknown[]).length === 1
  t.equal(isKept(`${forge}/acme/rocket/-/issues/1`, forge), true)
  t.equal(isKept(`${forge}/team/acme/rocket/-/issues/1`, `${forge}/team`), true)
  for (const path of ['/acme/rocket', '/evil/acme/rocket', '/team/team/acme/rocket', '/team/other'])
    t.equal(isKept(`${forge}${path}/-/issues/1`, `${forge}/team`), false, path)
})

t.test('of what a tool follows, a record of another project within it has all of it refused', async t => {
  const limit = new ProjectLimit(['42'])
  const own = { id: 1, project_id: 42 }
  t.same(limit.keep({ value: { ...own, pipeline: own } }, 'follows', forge).value, { ...own, pipeline: own })
  for (const value of [
    { ...own, project_id: 7 },
    { ...own, pipeline: { id: 2, project_id: 7 } }
  ])
    t.throws(() => limit.keep({ value }, 'follows', forge), {
      name: 'PolicyProblem',
      message: 'This is of a project that is not served here.'
    })
})
