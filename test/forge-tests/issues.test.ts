import t from 'tap'
import { sandbox } from './client.ts'

const P = '/projects/acme%2Frocket'

t.test('issues are filtered as asked', async t => {
  const { forge, as } = await sandbox(t)
  const iids = async (who: string, query: string) =>
    ((await as(who)('GET', `${P}/issues?sort=asc&per_page=100&${query}`)).data as { iid: number }[]).map(
      ({ iid }) => iid
    )
  t.strictSame(await iids('ada', 'labels=bug'), [1, 2])
  t.strictSame(await iids('ada', 'state=closed'), [3])
  t.strictSame(await iids('ada', 'due_date=overdue'), [1])
  t.strictSame(await iids('ada', 'due_date=today'), [2])
  t.strictSame(await iids('ada', 'due_date=week'), [2, 6])
  t.strictSame(await iids('ada', 'issue_type=incident'), [5])
  t.strictSame(await iids('ada', 'confidential=true'), [4])
  t.strictSame(await iids('ada', 'assignee_username[]=ada&state=opened'), [2, 4, 5])
  t.strictSame(await iids('ada', 'search=gauge'), [2])
  t.strictSame(await iids('ada', 'search=values+gauge'), [2], 'all words, in any order')
  t.strictSame(await iids('ada', 'search=values+drifts'), [])
  t.strictSame(await iids('ada', 'search=%22values+gauge%22'), [], 'what is quoted, as it is')
  t.strictSame(await iids('ada', 'scope=created_by_me&labels=bug'), [2])
  t.equal(
    (await as('ada')('GET', '/issues?scope=assigned_to_me&state=opened')).data.length,
    4,
    'both projects'
  )
  await as('ada')('PUT', `${P}/issues/6`, { assignee_ids: [2, 3] })
  const both = 'assignee_username[]=ada&assignee_username[]=linus'
  t.strictSame(await iids('ada', both), [6], 'all of them')
  const free = await sandbox(t, { edition: 'ce' })
  t.equal((await free.as('ada')('GET', `${P}/issues?${both}`)).status, 400, 'an issue has one there')
  t.strictSame(forge.violations, [])
})

t.test('issues are ordered as asked, those without a value last in both directions', async t => {
  const { forge, as } = await sandbox(t)
  const first = async (query: string, count: number) =>
    ((await as('ada')('GET', `${P}/issues?per_page=${count}&${query}`)).data as { iid: number }[]).map(
      ({ iid }) => iid
    )
  await as('ada')('PUT', `${P}/issues/6`, { weight: 1 })
  await as('ada')('PUT', `${P}/milestones/1`, { due_date: '2027-01-01' })
  await as('ada')('PUT', `${P}/labels/security`, { priority: 1 })
  await as('ada')('PUT', `${P}/labels/bug`, { priority: 2 })
  t.strictSame(await first('order_by=due_date&sort=asc', 3), [1, 2, 6])
  t.strictSame(await first('order_by=due_date', 3), [6, 2, 1])
  t.strictSame(await first('order_by=weight&sort=asc', 2), [6, 1])
  t.strictSame(await first('order_by=weight', 2), [1, 6])
  t.strictSame(await first('order_by=label_priority&sort=asc', 3), [4, 1, 2])
  t.strictSame(await first('order_by=milestone_due&sort=asc', 2), [1, 2])
  t.strictSame(
    await first('order_by=priority&sort=asc', 3),
    [1, 2, 4],
    'the milestone counts before the label'
  )
  t.strictSame(await first('order_by=relative_position&sort=asc', 3), [1, 2, 3])
  t.strictSame(await first('order_by=popularity', 1), [1])
  t.strictSame(forge.violations, [])
})

t.test('an order that a list has not is refused', async t => {
  const { as } = await sandbox(t, { edition: 'ce' })
  const refused = { status: 400, data: { error: 'order_by does not have a valid value' } }
  t.match(await as('ada')('GET', `${P}/issues?order_by=weight`), refused, 'weights are paid for')
  t.match(await as('ada')('GET', '/projects?order_by=stars'), refused)
  t.match(await as('ada')('GET', '/groups?order_by=created_at'), refused)
})

t.test('issues are opened, changed, closed and, by owners, deleted', async t => {
  const { as } = await sandbox(t)
  const made = await as('ada')('POST', `${P}/issues`, {
    title: 'New',
    description: '- [ ] one',
    labels: 'a,b',
    assignee_ids: [3],
    milestone_id: 1,
    weight: 2,
    issue_type: 'task'
  })
  t.match(made, {
    status: 201,
    data: {
      iid: 31,
      labels: ['a', 'b'],
      assignee: { username: 'linus' },
      weight: 2,
      issue_type: 'task',
      milestone: { title: '1.5' },
      has_tasks: true
    }
  })
  const path = `${P}/issues/31`
  t.match(
    (
      await as('ada')('PUT', path, {
        due_date: '2026-12-01',
        labels: [],
        assignee_ids: [],
        confidential: true
      })
    ).data,
    {
      due_date: '2026-12-01',
      labels: [],
      assignees: [],
      confidential: true
    }
  )
  t.match((await as('ada')('PUT', path, { state_event: 'close' })).data, {
    state: 'closed',
    closed_by: { username: 'ada' }
  })
  t.strictSame((await as('ada')('POST', `${P}/issues`, { title: '' })).data, {
    message: { title: ["can't be blank"] }
  })
  t.equal((await as('ada')('DELETE', path)).status, 403)
  t.equal((await as('margaret')('DELETE', path)).status, 204)
  t.equal((await as('ada')('GET', path)).data.message, '404 Not found')
})

t.test('what is closed already keeps when and by whom it was closed', async t => {
  let now = Date.parse('2026-11-20T12:00:00Z')
  const { as } = await sandbox(t, { now: () => now })
  const close = (who: string) => as(who)('PUT', `${P}/issues/1`, { state_event: 'close' })
  const { closed_at: at } = (await close('ada')).data
  now += 60_000
  t.match((await close('linus')).data, { closed_at: at, closed_by: { username: 'ada' } })
  t.match((await as('linus')('POST', `${P}/issues/1/notes`, { body: '/close' })).status, 202)
  t.match((await as('ada')('GET', `${P}/issues/1`)).data, { closed_at: at, closed_by: { username: 'ada' } })
  const notes = (await as('ada')('GET', `${P}/issues/1/notes`)).data as { body: string }[]
  t.equal(notes.filter(({ body }) => body === 'closed').length, 1)
})

t.test('links read from either end, are made once, and answer 200 with themselves when deleted', async t => {
  const { forge, as } = await sandbox(t)
  t.match((await as('ada')('GET', `${P}/issues/2/links`)).data, [
    { iid: 1, issue_link_id: 1, link_type: 'relates_to' }
  ])
  const link = { target_project_id: 'acme/rocket', target_issue_iid: 5, link_type: 'blocks' }
  const made = await as('ada')('POST', `${P}/issues/2/links`, link)
  t.match(made, {
    status: 201,
    data: { source_issue: { iid: 2 }, target_issue: { iid: 5 }, link_type: 'blocks' }
  })
  t.match((await as('ada')('GET', `${P}/issues/5/links`)).data, [{ iid: 2, link_type: 'is_blocked_by' }])
  t.equal((await as('ada')('POST', `${P}/issues/2/links`, link)).status, 409)
  t.match(
    await as('ada')('POST', `${P}/issues/5/links`, link),
    { status: 422, data: { message: '#5 cannot be added: cannot be related to itself' } },
    'no issue is linked to itself'
  )
  t.match(await as('ada')('DELETE', `${P}/issues/2/links/${made.data.id}`), {
    status: 200,
    data: { id: made.data.id }
  })
  t.equal((await as('ada')('GET', `${P}/issues/2/links/${made.data.id}`)).status, 404)
  t.strictSame(forge.violations, [])
})

t.test('to-dos arise when people are assigned, asked for a review or named, once for each thing', async t => {
  const { as } = await sandbox(t)
  const todos = async (who: string) =>
    ((await as(who)('GET', '/todos')).data as Record<string, unknown>[]).map(
      ({ action_name: action, target, body }) => [action, (target as { iid: number }).iid, body]
    )
  for (const who of ['margaret', 'grace']) t.strictSame(await todos(who), [])
  const made = await as('ada')('POST', `${P}/issues`, {
    title: 'Ask',
    assignee_ids: [1],
    description: '@grace, and @edsger who may not see it; not `@ada`'
  })
  const { iid } = made.data
  t.strictSame(await todos('margaret'), [['assigned', iid, 'Ask']])
  t.strictSame(await todos('grace'), [['directly_addressed', iid, 'Ask']])
  await as('ada')('POST', `${P}/issues/${iid}/notes`, { body: 'Well, @grace and @margaret?' })
  t.equal((await todos('grace')).length, 1, 'one of that issue waits already')
  await as('linus')('PUT', `${P}/merge_requests/6`, { reviewer_ids: [1, 2] })
  await as('linus')('PUT', `${P}/merge_requests/6`, { reviewer_ids: [1, 2], title: 'Again' })
  t.match((await todos('margaret'))[0], ['review_requested', 6])
  t.equal((await todos('margaret')).length, 2)
  await as('linus')('POST', `${P}/issues/6/notes`, { body: 'As @Grace says' })
  t.strictSame((await todos('grace'))[0], ['mentioned', 6, 'As @Grace says'])
  await as('linus')('POST', `${P}/issues/5/notes`, { body: '/assign @grace' })
  t.match((await todos('grace'))[0], ['assigned', 5])
  t.strictSame(await todos('edsger'), [])
  const mine = (await as('ada')('POST', `${P}/issues`, { title: 'Mine', assignee_ids: [2] })).data
  t.strictSame((await todos('ada'))[0], ['assigned', mine.iid, 'Mine'], 'one’s own too, as the forge does')
})

t.test('what one does with an item ends one’s own to-dos there', async t => {
  const { as } = await sandbox(t)
  const left = async (who: string) => ((await as(who)('GET', '/todos')).data as unknown[]).length
  t.equal(await left('linus'), 3)
  await as('ada')('PUT', `${P}/issues/1`, { title: 'Countdown drifts' })
  t.equal(await left('ada'), 3, 'a title ends none')
  await as('ada')('POST', `${P}/issues/1/notes`, { body: 'I can, says @linus.' })
  t.equal(await left('ada'), 2)
  t.equal(await left('linus'), 3, 'and none of anybody else')
  await as('ada')('POST', `${P}/merge_requests/3/approve`)
  t.equal(await left('ada'), 1)
  await as('linus')('PUT', `${P}/issues/1`, { add_labels: 'bug' })
  t.equal(await left('linus'), 2)
})

t.test('to-dos are one’s own, pending unless asked otherwise', async t => {
  const { as } = await sandbox(t)
  const list = async (who: string, query = '') =>
    (await as(who)('GET', `/todos?${query}`)).data as { id: number; action_name: string }[]
  const mine = await list('ada')
  t.strictSame(
    mine.map(({ action_name: name }) => name),
    ['assigned', 'mentioned', 'review_requested']
  )
  t.equal((await list('ada', 'type=Issue')).length, 1)
  t.equal((await list('ada', 'project_id=42&action=assigned')).length, 1)
  const done = await as('ada')('POST', `/todos/${mine[0]!.id}/mark_as_done`)
  t.match(done, { status: 201, data: { state: 'done' } })
  t.equal((await as('linus')('POST', `/todos/${mine[1]!.id}/mark_as_done`)).status, 404)
  t.match(await as('ada')('POST', '/todos/mark_as_done'), { status: 204, data: '' })
  t.equal((await list('ada')).length, 0)
  t.equal((await list('ada', 'state=done')).length, 3)
  t.equal((await list('linus')).length, 3)
})

t.test('a milestone has a title that is more than blanks', async t => {
  const { as } = await sandbox(t)
  for (const [method, path] of [
    ['POST', `${P}/milestones`],
    ['PUT', `${P}/milestones/1`]
  ] as const)
    t.equal((await as('ada')(method, path, { title: ' ' })).status, 400, method)
})
