import t from 'tap'
import { Type } from 'typebox'
import { markdown } from '../../../src/engine/rows/fields.ts'
import { leftActionsStep } from '../../../src/engine/texts/left-actions.ts'

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

t.test('a line that the forge has taken out of a note is told where it names no change by it', async t => {
  const said = (commands_changes?: object) =>
    step?.({ body: 'Thanks!\n/assign @nobody\n/label ~bug' }, { body: 'Thanks!', commands_changes })
  const taken = (word: string) =>
    `"/${word}" was taken as a quick action: the forge does not say whether it worked.`
  t.same(said({ add_label_ids: [7] }), [taken('assign')])
  t.same(said({ add_label_ids: [7], assignee_ids: [1] }), [])
  for (const none of [{}, undefined]) t.same(said(none), [taken('assign'), taken('label')])
  const thread = { notes: [{ body: 'Thanks!', commands_changes: { state_event: 'close' } }] }
  t.same(step?.({ body: 'Thanks!\n/close\n/weight 3' }, thread), [taken('weight')])
})

t.test('nothing is told of what was taken out where no note was stored', async t => {
  t.same(step?.({ body: '/label ~bug' }, undefined), [])
  t.same(step?.({ body: '/label ~bug' }, { commands_changes: {}, summary: ['No such label.'] }), [])
  t.same(step?.({ body: 'x\n/label ~bug' }, { description: 'x', labels: ['bug'] }), [])
})

t.test('what a draft holds is carried out when it is published, or stays text then', async t => {
  const draft = leftActionsStep(Type.Object({ body: markdown() }), 'published')
  t.same(draft?.({ body: 'x\n/close\n/clsoe' }, { note: 'x\n/close\n/clsoe' }), [
    '"/close" is carried out once the draft is published, which does not say whether it worked.',
    '"/clsoe" stays text: the forge has no such quick action, but perhaps "/close".'
  ])
})

t.test('of texts that an answer does not show, it is told which are quick actions', async t => {
  const review = leftActionsStep(Type.Object({ summary: markdown() }), 'unseen')
  t.same(review?.({ summary: 'fine\n/clsoe\n/close' }, { published: 1 }), [
    '"/clsoe" stayed text: the forge has no such quick action, but perhaps "/close".',
    '"/close" was given to the forge as a quick action, which does not say whether it worked.'
  ])
})

t.test('a line that was carried out is not told for another place of its text that was stored', async t => {
  const changes = { state_event: 'close', add_label_ids: [7], due_date: '2026-12-01' }
  for (const [before, line] of [
    ['Fixed, so I /close this.', '/close'],
    ['```\n/reopen\n```', '/reopen'],
    ['> /label ~security', '/label ~security'],
    ['>>>\n/label ~security\n>>>', '/label ~security'],
    ['Use `/due tomorrow` to set it.', '/due tomorrow']
  ] as const)
    t.same(step?.({ body: `${before}\n${line}` }, { body: before, commands_changes: changes }), [], before)
})

t.test('a line that the forge reports as carried out is not told where the same was stored', async t => {
  const stored = { body: 'text\n<!--\n/close\n-->\n/weight 3', commands_changes: { state_event: 'close' } }
  t.same(step?.({ body: `  /close\n${stored.body}` }, stored), [
    '"/weight" stayed text: the forge has no such quick action here.'
  ])
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
