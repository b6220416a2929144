import t from 'tap'
import { Type } from 'typebox'
import { leftActionsStep } from '../../../src/engine/arguments/left-actions.ts'
import { markdown } from '../../../src/engine/rows/fields.ts'

const step = leftActionsStep(Type.Object({ body: markdown() }))
/** What is said of a text that a forge stored as it was. */
const saidOf = (body: string) => step?.({ body }, { body }) ?? []

t.test(
  'a line that is nearly a quick action, and was stored, is told with what was perhaps meant',
  async t => {
    t.same(saidOf('Thanks!\n/assing @linus\nBye'), [
      '"/assing" stayed text: the forge has no such quick action, but perhaps "/assign".'
    ])
    t.same(saidOf('/milestones %"1.5"'), [
      '"/milestones" stayed text: the forge has no such quick action, but perhaps "/milestone".'
    ])
  }
)

t.test('a quick action that this forge does not have is told as such', async t => {
  t.same(saidOf('/weight 3\r\n'), ['"/weight" stayed text: the forge has no such quick action here.'])
})

t.test('what is no quick action, or no line of its own, is passed over', async t => {
  for (const body of [
    ...['/etc/hosts', '/etc', '/usr/bin/env node', '/label.html', 'see /label ~bug', '> /label ~bug'],
    ...['- /label ~bug', '/deploy production', '/pages', '/ label', '/due2', '//label'],
    ...['```\n/label ~bug\n```', '~~~sh\n/assing @linus\n~~~', '/users returns 500']
  ])
    t.same(saidOf(body), [], body)
})

t.test('a line that the forge has taken out was carried out', async t => {
  t.same(step?.({ body: 'Thanks!\n/label ~bug' }, { body: 'Thanks!' }), [])
  t.same(step?.({ body: '/label ~bug' }, undefined), [])
})

t.test('a line that was carried out is not told for another place of its text that was stored', async t => {
  for (const [before, line] of [
    ['Fixed, so I /close this.', '/close'],
    ['```\n/reopen\n```', '/reopen'],
    ['> /label ~security', '/label ~security'],
    ['>>>\n/label ~security\n>>>', '/label ~security'],
    ['Use `/due tomorrow` to set it.', '/due tomorrow']
  ] as const)
    t.same(step?.({ body: `${before}\n${line}` }, { body: before }), [], before)
})

t.test('a line that was stored is told although the same is also in a code block', async t => {
  t.match(saidOf('```\n/weight 3\n```\n/weight 3'), [/"\/weight" stayed text/])
})

t.test('a thread is read by its notes', async t => {
  const body = '/lable ~bug'
  t.match(step?.({ body }, { id: 'x', notes: [{ body: 'Before' }, { body }] }), [/stayed text/])
})

t.test('of very many such lines a few are told', async t => {
  const body = ['assing', 'labell', 'mileston', 'weigth', 'reopne'].map(word => `/${word} x`).join('\n')
  t.equal(saidOf(body).length, 3)
})

t.test('of what is too long to be looked through nothing is told, wherever it stands', async t => {
  const line = '/assing @linus'
  const long = `${'x'.repeat(100_000)}\n${line}`
  t.same(saidOf(long), [])
  t.same(step?.({ body: line }, { body: long }), [])
  const notes = Array.from({ length: 501 }, () => ({ body: line }))
  t.same(step?.({ body: line }, { notes }), [])
  t.equal(step?.({ body: line }, { notes: notes.slice(1) }).length, 1)
})

t.test('a tool whose texts a forge does not act on says nothing', async t => {
  t.equal(leftActionsStep(Type.Object({ body: Type.String() })), undefined)
})
