import t from 'tap'
import { sandbox } from './client.ts'

const P = '/projects/acme%2Frocket'
const M = `${P}/merge_requests/3`
const I = `${P}/issues/1`

t.test('notes are written, read, changed and deleted by their author or a maintainer', async t => {
  const { as } = await sandbox(t)
  const note = await as('grace')('POST', `${M}/notes`, { body: 'Hello' })
  t.match(note, {
    status: 201,
    data: { type: null, body: 'Hello', noteable_type: 'MergeRequest', noteable_iid: 3, resolvable: false }
  })
  const path = `${M}/notes/${note.data.id}`
  t.equal((await as('linus')('PUT', path, { body: 'x' })).status, 403)
  t.equal((await as('ada')('PUT', path, { body: 'Hello!' })).data.body, 'Hello!')
  t.match(await as('grace')('DELETE', path), { status: 204, data: '' })
  t.equal((await as('grace')('GET', path)).data.message, '404 Note Not Found')
  t.match((await as('grace')('POST', `${M}/notes`, { body: ' ' })).data.message, /^400 Bad request - Note/)
  const bodies = (
    (await as('ada')('GET', `${M}/notes?sort=asc&order_by=updated_at`)).data as { id: number }[]
  ).map(({ id }) => id)
  t.strictSame(
    bodies,
    [...bodies].sort((a, b) => a - b)
  )
})

t.test('a note of commands only is carried out and leaves no note', async t => {
  const { as } = await sandbox(t)
  const done = await as('ada')('POST', `${I}/notes`, { body: '/close\n/label ~"bug" ~security' })
  t.match(done, {
    status: 202,
    data: { commands_changes: { state_event: 'close' }, summary: ['Closed this issue.', /label/] }
  })
  t.match((await as('ada')('GET', I)).data, { state: 'closed', labels: ['bug', 'guidance', 'security'] })
})

t.test('an edited note is carried out as a new one, and deleted where it has commands only', async t => {
  const { as } = await sandbox(t)
  const { id } = (await as('ada')('POST', `${I}/notes`, { body: 'Hello' })).data
  const edit = (body: string) => as('ada')('PUT', `${I}/notes/${id}`, { body })
  t.match(await edit('Done.\n/close'), {
    status: 200,
    data: { id, body: 'Done.', commands_changes: { state_event: 'close' } }
  })
  t.equal((await as('ada')('GET', I)).data.state, 'closed')
  t.match(await edit('/reopen'), {
    status: 202,
    data: { commands_changes: { state_event: 'reopen' }, summary: ['Reopened this issue.'] }
  })
  t.equal((await as('ada')('GET', I)).data.state, 'opened')
  t.equal((await as('ada')('GET', `${I}/notes/${id}`)).status, 404)
})

t.test('so is one whose commands come to nothing, though the forge refuses that', async t => {
  const { as } = await sandbox(t)
  const { id } = (await as('ada')('POST', `${I}/notes`, { body: 'Hello' })).data
  t.match(await as('ada')('PUT', `${I}/notes/${id}`, { body: '/label ~nolabel' }), {
    status: 400,
    data: { message: `400 Bad request - Note {:note=>["can't be blank"]}` }
  })
  t.equal((await as('ada')('GET', `${I}/notes/${id}`)).status, 404)
})

t.test('time is spent, and a duplicate closed and linked, by a command', async t => {
  const { as } = await sandbox(t)
  const run = async (body: string) => (await as('ada')('POST', `${I}/notes`, { body })).data.summary
  t.strictSame(await run('/spend 1h30m 2026-11-20'), ['Added 1h 30m spent time.'])
  t.strictSame(await run('/spend -30m'), ['Subtracted 30m spent time.'])
  t.equal((await as('ada')('GET', I)).data.time_stats.total_time_spent, 3600)
  t.match(await run('/duplicate #999'), [/referenced issue was not found/])
  t.match(await run('/duplicate #2'), ['Closed this issue. Marked as related to, and a duplicate of, #2.'])
  t.equal((await as('ada')('GET', I)).data.state, 'closed')
  t.match((await as('ada')('GET', `${I}/links`)).data, [{ iid: 2, link_type: 'relates_to' }])
})

t.test(
  'a command that names what there is not changes nothing and says so as far as the forge does',
  async t => {
    const { as } = await sandbox(t)
    const shown = async () => {
      const { labels, assignees, milestone, due_date, updated_at } = (await as('ada')('GET', I)).data
      return { labels, assignees, milestone, due_date, updated_at }
    }
    const run = (body: string) => as('ada')('POST', `${I}/notes`, { body })
    const before = await shown()
    for (const [body, sentence] of [
      ['/assign @nobody-x', 'Failed to assign a user because no user was found.'],
      ['/due soon', 'Failed to set due date because the date format is invalid.'],
      ['/reopen', 'Could not apply reopen command.']
    ])
      t.match(await run(body!), { status: 202, data: { commands_changes: {}, summary: [sentence] } })
    for (const body of ['/label ~nolabel', '/unlabel ~nolabel', '/milestone %9.9', '/title'])
      t.match(await run(body), {
        status: 400,
        data: { message: '400 Bad request - Failed to apply commands.' }
      })
    t.strictSame(await shown(), before)
    await run('/label ~nolabel ~security\n/assign @nobody-x me\n/milestone %Autumn\n/due 2026-12-01')
    t.match(await shown(), {
      labels: ['bug', 'guidance', 'security'],
      assignees: [{ username: 'linus' }, { username: 'ada' }],
      milestone: { title: 'Autumn' },
      due_date: '2026-12-01'
    })
  }
)

t.test('a command in a code block is no command', async t => {
  const { as } = await sandbox(t)
  const body = 'Write\n```\n/close\n```'
  t.match(await as('ada')('POST', `${I}/notes`, { body }), { status: 201, data: { body } })
  t.equal((await as('ada')('GET', I)).data.state, 'opened')
})

t.test('created_at counts for owners only', async t => {
  const { as } = await sandbox(t)
  const at = '2020-01-01T00:00:00.000Z'
  const send = async (who: string) =>
    (await as(who)('POST', `${I}/notes`, { body: 'x', created_at: at })).data.created_at
  t.equal(await send('margaret'), at)
  t.not(await send('ada'), at)
})

t.test('threads are answered and resolved by those who may', async t => {
  const { as } = await sandbox(t)
  const [open] = (await as('ada')('GET', `${M}/discussions`)).data as {
    id: string
    notes: { id: number }[]
  }[]
  const thread = `${M}/discussions/${open!.id}`
  t.match(await as('linus')('POST', `${thread}/notes`, { body: 'Done' }), {
    status: 201,
    data: { type: 'DiffNote' }
  })
  t.equal((await as('grace')('PUT', thread, { resolved: true })).status, 403)
  t.match((await as('linus')('PUT', thread, { resolved: true })).data, {
    resolved: true,
    notes: [{ resolved_by: { username: 'linus' } }, {}, {}]
  })
  const first = `${thread}/notes/${open!.notes[0]!.id}`
  t.match((await as('linus')('PUT', first, { resolved: false })).data, { resolved: false })
  t.equal((await as('ada')('GET', M)).data.blocking_discussions_resolved, false)
  t.equal((await as('ada')('PUT', first, { body: 'Edited' })).data.body, 'Edited')
  t.equal((await as('ada')('DELETE', first)).status, 204)
  t.equal(
    (await as('ada')('GET', `${M}/discussions/${'0'.repeat(40)}`)).data.message,
    '404 Discussion Not Found'
  )
})

t.test('system notes take no answer, and single notes become threads by the first one', async t => {
  const { as } = await sandbox(t)
  await as('linus')('PUT', M, { state_event: 'close' })
  const rows = (await as('ada')('GET', `${M}/discussions?per_page=100`)).data as {
    id: string
    notes: { system: boolean }[]
  }[]
  const reply = (id: string) => as('ada')('POST', `${M}/discussions/${id}/notes`, { body: 'x' })
  t.equal((await reply(rows.at(-1)!.id)).status, 400)
  t.equal((await reply(rows[2]!.id)).data.type, 'DiscussionNote')
  t.match((await as('ada')('GET', `${M}/discussions/${rows[2]!.id}`)).data, {
    individual_note: false,
    notes: [{ type: 'DiscussionNote' }, {}]
  })
})

t.test('a diff thread needs a position that is in the diff', async t => {
  const { as } = await sandbox(t)
  const { diff_refs: refs } = (await as('ada')('GET', M)).data
  const post = (position: object) =>
    as('ada')('POST', `${M}/discussions`, {
      body: 'Look',
      position: { ...refs, position_type: 'text', ...position }
    })
  const path = { new_path: 'src/engine.ts', old_path: 'src/engine.ts' }
  const good = await post({ ...path, new_line: 14 })
  t.match(good, {
    status: 201,
    data: {
      notes: [
        {
          type: 'DiffNote',
          position: { new_line: 14, old_line: null, line_range: { start: { type: 'new' } } }
        }
      ]
    }
  })
  t.equal(
    (await post({ ...path, new_line: 18, old_line: 14 })).status,
    201,
    'an unchanged line has both numbers'
  )
  t.equal(
    (await post({ new_path: 'test/engine.test.ts', old_line: 3 })).status,
    201,
    'a removed line only the old'
  )
  const bad = /line_code=>\["can't be blank", "must be a valid line code"\]/
  t.match((await post({ ...path, new_line: 18 })).data.message, bad, 'an unchanged line with one number')
  t.match((await post({ ...path, new_line: 400 })).data.message, bad)
  t.match((await post({ new_path: 'README.md', new_line: 1 })).data.message, bad)
  t.match((await post({ ...path, new_line: 14, head_sha: 'a'.repeat(40) })).data.message, bad)
})

t.test(
  'drafts are their author’s alone; updating without a position wipes it; publishing makes notes',
  async t => {
    const { forge, as } = await sandbox(t)
    const { diff_refs: refs } = (await as('ada')('GET', M)).data
    const position = {
      ...refs,
      position_type: 'text',
      new_path: 'src/engine.ts',
      old_path: 'src/engine.ts',
      new_line: 14
    }
    const draft = await as('ada')('POST', `${M}/draft_notes`, { note: 'Hm', position })
    t.match(draft, {
      status: 201,
      data: { note: 'Hm', author_id: 2, position: { new_line: 14 }, line_code: /_0_14$/ }
    })
    const path = `${M}/draft_notes/${draft.data.id}`
    t.strictSame((await as('linus')('GET', `${M}/draft_notes`)).data, [])
    t.equal((await as('linus')('GET', path)).data.message, '404 Draft Note Not Found')
    t.match((await as('ada')('PUT', path, { position })).data.message, /Missing params to modify/)
    t.match((await as('ada')('PUT', path, { note: 'Hm!', position })).data, {
      note: 'Hm!',
      position: { new_line: 14 }
    })
    t.match((await as('ada')('PUT', path, { note: 'Hm?' })).data, {
      note: 'Hm?',
      position: { new_line: null },
      line_code: null
    })
    t.match(await as('ada')('PUT', `${path}/publish`), { status: 204, data: '' })
    t.match((await as('ada')('GET', `${M}/notes`)).data[0], { body: 'Hm?', type: null })

    const [open] = (await as('ada')('GET', `${M}/discussions`)).data as { id: string }[]
    await as('ada')('POST', `${M}/draft_notes`, {
      note: 'Fine now',
      in_reply_to_discussion_id: open!.id,
      resolve_discussion: true
    })
    await as('ada')('POST', `${M}/draft_notes`, { note: 'Here', position })
    t.equal((await as('ada')('POST', `${M}/draft_notes/bulk_publish`, {})).status, 204)
    t.match((await as('ada')('GET', `${M}/discussions/${open!.id}`)).data, {
      resolved: true,
      notes: [{}, {}, { body: 'Fine now' }]
    })
    t.match((await as('ada')('GET', `${M}/notes`)).data[0], { body: 'Here', type: 'DiffNote' })
    t.strictSame((await as('ada')('GET', `${M}/draft_notes`)).data, [])
    const thrown = await as('ada')('POST', `${M}/draft_notes`, { note: 'Away' })
    t.equal((await as('ada')('DELETE', `${M}/draft_notes/${thrown.data.id}`)).status, 204)
    t.strictSame(forge.violations, [])
  }
)

t.test('reactions: one of a kind for each person, taken back by their owner', async t => {
  const { forge, as } = await sandbox(t)
  const awards = `${M}/award_emoji`
  const award = await as('ada')('POST', awards, { name: '+1' })
  t.match(award, {
    status: 201,
    data: { name: 'thumbsup', awardable_type: 'MergeRequest', user: { username: 'ada' } }
  })
  t.match(await as('ada')('POST', awards, { name: 'thumbsup' }), {
    status: 404,
    data: { message: /already been taken/ }
  })
  t.equal((await as('ada')('POST', awards, { name: ':tada:' })).status, 404)
  t.equal((await as('ada')('GET', M)).data.upvotes, 1)
  t.equal((await as('linus')('DELETE', `${awards}/${award.data.id}`)).status, 401)
  t.equal((await as('ada')('DELETE', `${awards}/${award.data.id}`)).status, 204)
  t.equal((await as('ada')('DELETE', `${awards}/${award.data.id}`)).status, 404)
  const [thread] = (await as('ada')('GET', `${I}/discussions`)).data as { notes: { id: number }[] }[]
  const reply = `${I}/notes/${thread!.notes[1]!.id}/award_emoji`
  t.match(await as('ada')('POST', reply, { name: 'tada' }), { status: 201, data: { awardable_type: 'Note' } })
  t.equal((await as('ada')('GET', reply)).data.length, 1, 'replies are reached by the flat path')
  t.strictSame(forge.violations, [])
})
