import t from 'tap'
import type { ToolRow } from '../../src/engine/rows/row.ts'
import { hidingOf } from '../../src/engine/shown-parts.ts'

const row = { shows: { 'notes.body': ['get_note', 'list_notes'], title: 'get_thing' } } as unknown as ToolRow
const isDenied = (name: string) => name === 'list_notes'
const why = 'notes.body is left out: list_notes, which shows that, is switched off on this server.'

t.test('nothing is looked through where no tool is denied that shows a part', async t => {
  t.equal(
    hidingOf(row, () => false),
    undefined
  )
  t.equal(hidingOf({} as ToolRow, isDenied), undefined)
})

t.test('a part is taken out of records, of those in a list and of those within', async t => {
  const hide = hidingOf(row, isDenied)!
  const one = { title: 'a', notes: [{ id: 1, body: 'b' }, { id: 2 }] }
  t.same(JSON.parse(JSON.stringify(hide({ value: [one, 'text', null], notices: ['x'] }))), {
    value: [{ title: 'a', notes: [{ id: 1 }, { id: 2 }] }, 'text', null],
    notices: ['x', why]
  })
})

t.test('nothing is said of a part that is not there, or is empty', async t => {
  const hide = hidingOf(row, isDenied)!
  for (const value of [
    undefined,
    'text',
    { notes: null },
    { notes: 5 },
    { notes: [{ body: '' }, { body: null }] }
  ])
    t.same(hide({ value }).notices, undefined)
})

t.test('records that are too many to be looked through are left out', async t => {
  const hide = hidingOf(row, isDenied)!
  const notes = Array.from({ length: 15_000 }, () => ({ body: 'b' }))
  const value = [{ notes }, { notes: [...notes] }]
  t.same(hide({ value }).notices, [why, 'Some records were left out unread: ask for a smaller page.'])
  t.same(
    value.map(({ notes }) => notes.length),
    [15_000, 4998]
  )
  t.notMatch(JSON.stringify(value), 'body')
})
