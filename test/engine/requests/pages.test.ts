import t from 'tap'
import { allPages, eachPage } from '../../../src/engine/requests/pages.ts'
import type { ForgeAnswer, ForgeClient } from '../../../src/upstream/client.ts'
import type { ForgeRequest } from '../../../src/upstream/request.ts'

/** A forge that answers the pages of one list, naming the next one as long as there is one. */
function listOf(pages: readonly unknown[], size = 100) {
  const asked: string[] = []
  const send = async ({ path }: ForgeRequest): Promise<ForgeAnswer> => {
    asked.push(path)
    const page = Number(new URL(path, 'http://x').searchParams.get('page'))
    const headers = { 'x-next-page': page < pages.length ? String(page + 1) : '' }
    return { status: 200, headers, value: pages[page - 1], size }
  }
  const forge: Partial<ForgeClient> = { send, keep: () => {} }
  return { forge: forge as ForgeClient, asked }
}

t.test('a list is read to its end, however short its pages', async t => {
  const { forge, asked } = listOf([[{ id: 1 }], [], [{ id: 2 }]])
  t.same(await allPages(forge, { path: '/x?a=1' }), { records: [{ id: 1 }, { id: 2 }], notices: [] })
  t.same(
    asked,
    [1, 2, 3].map(page => `/x?a=1&per_page=100&page=${page}`)
  )
})

t.test('the ceiling ends it, and the result says so', async t => {
  const { forge, asked } = listOf([[{ id: 1 }], [{ id: 2 }], [{ id: 3 }]])
  t.same(await allPages(forge, { path: '/x' }, { maxPages: 2, perPage: 1 }), {
    records: [{ id: 1 }, { id: 2 }],
    notices: ['Only the first 2 records were read; the forge has more.']
  })
  t.equal(asked.length, 2)
})

t.test('a ceiling that the list just reaches is not said to cut it', async t => {
  const { forge } = listOf([[{ id: 1 }], [{ id: 2 }]])
  t.same((await allPages(forge, { path: '/x' }, { maxPages: 2 })).notices, [])
})

t.test('pages with more records than were asked for count as what they are', async t => {
  const wide = Array.from({ length: 3 }, (_, id) => ({ id }))
  const { forge, asked } = listOf([wide, wide, wide, wide])
  const { records, notices } = await allPages(forge, { path: '/x' }, { maxPages: 4, perPage: 1 })
  t.same(
    records.map(({ id }) => id),
    [0, 1, 2, 0]
  )
  t.same(notices, ['Only the first 4 records were read; the forge has more.'])
  t.equal(asked.length, 2)
})

t.test('a list that comes whole is whole when it fits', async t => {
  const { forge } = listOf([[{ id: 1 }, { id: 2 }]])
  t.same((await allPages(forge, { path: '/x' }, { maxPages: 2, perPage: 1 })).notices, [])
})

t.test('no further page is asked for after very large ones', async t => {
  const { forge, asked } = listOf(
    Array.from({ length: 9 }, (_, id) => [{ id }]),
    10_000_000
  )
  const { records, notices } = await allPages(forge, { path: '/x' })
  t.equal(records.length, 2)
  t.same(notices, ['Only the first 2 records were read; the forge has more.'])
  t.equal(asked.length, 2)
})

t.test('a list whose next page has no number is said to go on', async t => {
  const headers = { link: '<https://forge.example/api/v4/x?cursor=abc>; rel="next"' }
  const send = async (): Promise<ForgeAnswer> => ({ status: 200, headers, value: [{ id: 1 }], size: 9 })
  const { notices } = await allPages({ send } as Partial<ForgeClient> as ForgeClient, { path: '/x' })
  t.same(notices, ['Only the first 1 records were read; the forge has more.'])
})

t.test('only what is picked of a record is kept', async t => {
  const { forge } = listOf([[{ id: 1, diff: 'long' }]])
  t.same((await allPages(forge, { path: '/x' }, { pick: ({ id }) => ({ id }) })).records, [{ id: 1 }])
})

t.test('a reader that has what it wants stops the reading', async t => {
  const { forge, asked } = listOf([[{ id: 1 }], [{ id: 2 }], [{ id: 3 }]])
  const more = await eachPage(forge, { path: '/x' }, records => (records[0]?.id === 2 ? 'stop' : undefined))
  t.equal(more, false)
  t.equal(asked.length, 2)
})

t.test('what is no record in a list is passed over, and what is no list is a problem', async t => {
  const { forge } = listOf([[null, 'x', { id: 1 }], { message: 'odd' }])
  const seen: unknown[] = []
  await t.rejects(
    eachPage(forge, { path: '/x' }, records => {
      seen.push(...records)
      return undefined
    }),
    { message: 'The forge answered with something that is not a list.' }
  )
  t.same(seen, [{ id: 1 }])
})
