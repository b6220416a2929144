import t from 'tap'
import type { ToolContext } from '../../../src/engine/context.ts'
import { sinceGreen } from '../../../tools/pipelines/diagnosis/since-green.ts'
import { readerOf } from '../../../tools/pipelines/latest.ts'

const red = { id: 1210, ref: 'main', sha: 'bad', status: 'failed', created_at: '2026-11-20T10:00:00.000Z' }
interface Told {
  readonly pipeline: object
  readonly commits: readonly { readonly id: string }[]
  readonly changed_files: readonly string[]
  readonly left_out?: readonly string[]
}

const many = <Made>(length: number, make: (at: number) => Made) => Array.from({ length }, (_, at) => make(at))

/**
 * What has happened since the last success, at a forge with these pipelines that passed, newest first.
 * @param filters whether the forge knows created_before
 */
async function since(greens: readonly number[], { filters = true, compared = {} } = {}) {
  const asked: string[] = []
  const forge = {
    async send({ path }: { path: string }) {
      asked.push(path)
      const url = new URL(path, 'http://forge.example')
      if (url.pathname.endsWith('/compare')) return { value: compared, headers: {}, size: 9 }
      const isFiltered = filters && url.searchParams.get('created_before') === red.created_at
      const found = greens.filter(id => !isFiltered || id <= red.id).map(id => ({ id, sha: `c${id}` }))
      const [page, per] = ['page', 'per_page'].map(name => Number(url.searchParams.get(name))) as [
        number,
        number
      ]
      const isMore = found.length > page * per
      const headers = { 'x-next-page': isMore ? String(page + 1) : '' }
      return { value: found.slice((page - 1) * per, page * per), headers, size: 9 }
    }
  } as unknown as ToolContext['forge']
  const context = { forge, checkShown: () => {} } as unknown as ToolContext
  return { told: (await sinceGreen(1, red, readerOf(forge), context)) as Told & string, asked }
}

const newer = (count: number) => many(count, at => 9000 - at)

t.test('the last success before an older pipeline is found, however many came after', async t => {
  const { told, asked } = await since([...newer(300), 1209])
  t.same(told.pipeline, { id: 1209, sha: 'c1209' })
  t.equal(asked.length, 2)
})

t.test('it is found page by page at a forge that does not know created_before', async t => {
  t.same((await since([...newer(50), 1209], { filters: false })).told.pipeline, { id: 1209, sha: 'c1209' })
})

t.test('a search that ends before the list says how far it got', async t => {
  const { told, asked } = await since([...newer(300), 1209], { filters: false })
  t.match(told, /^The newest 200 pipelines of this ref that passed are newer than this one/)
  t.equal(asked.length, 10)
})

t.test('no earlier success is said to be none where the list was read to its end', async t => {
  t.equal((await since(newer(30), { filters: false })).told, 'No earlier pipeline of this ref passed.')
})

t.test('commits and files that are not shown are counted', async t => {
  const commits = many(25, at => ({ id: `k${at}`, title: 't', author_name: 'Ada' }))
  const diffs = many(103, at => ({ new_path: `f${at}` }))
  const { told } = await since([1209], { compared: { commits, diffs } })
  t.equal(told.commits.length, 20)
  t.equal(told.commits[0]?.id, 'k24')
  t.equal(told.changed_files.length, 100)
  t.same(told.left_out, [
    '5 older commits: list_commits has them, with ref=c1209..bad.',
    '3 changed files: get_branch_diffs has them, with the same two commits.'
  ])
})

t.test('nothing is said to be left out where nothing is', async t => {
  t.notOk('left_out' in (await since([1209], { compared: { commits: [{ id: 'k' }], diffs: [] } })).told)
})
