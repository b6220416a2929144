import { writeFile } from 'node:fs/promises'
import t from 'tap'
import { answersOf, asking, keptForge, reply, send, session, yes } from '../../support/asked.ts'
import { secretOf } from '../../support/sealing.ts'
import { call, request, TOKEN } from '../../support/server.ts'

const soon = () => new Promise(resolve => setTimeout(resolve, 10))
const deleteIssue = { name: 'delete_issue', arguments: { project_id: 'acme/rocket', issue_iid: '7' } }
const deleted = ['DELETE /api/v4/projects/acme%2Frocket/issues/7']
const body = call(deleteIssue.name, deleteIssue.arguments)

/** A forge, a server that asks, and one session of a client that can be asked. */
async function scene(t: Parameters<typeof keptForge>[0], settings: Record<string, string> = {}) {
  const forge = await keptForge(t)
  const served = await asking(t, settings, forge)
  return { forge: forge.state, ...served, client: await session(served.url) }
}

t.test('a person is asked on the stream of the call: what, where, and whether it can be undone', async t => {
  const { forge, client, log, server } = await scene(t)
  const stream = answersOf(await client.send(body))
  const asked = (await stream.next()).value
  t.match(asked, {
    jsonrpc: '2.0',
    id: String,
    method: 'elicitation/create',
    params: {
      requestedSchema: { type: 'object', properties: { agree: { type: 'boolean' } }, required: ['agree'] }
    }
  })
  t.match(
    asked.params.message,
    /^Delete issue "Login fails"\?\nWhere: project "acme\/rocket" at http:\/\/127\.0\.0\.1:\d+\nTool: delete_issue\nissue_iid: "7"\nThis cannot be undone\.$/
  )
  t.same(forge.changes, [], 'nothing is sent before')
  t.equal((await client.send(reply(asked.id, yes))).status, 202)
  t.match((await stream.next()).value, { id: 1, result: { content: [{ text: /The issue is deleted/ }] } })
  t.equal((await stream.next()).done, true)
  t.same(forge.changes, deleted)
  t.match(log.lines('tool call'), [{ tool: 'delete_issue', outcome: 'ok', consent: 'confirmed' }])
  const metrics = await server.inject({ url: '/metrics?format=prometheus', headers: { host: 'localhost' } })
  t.match(metrics.body, /forge_mcp_confirmations_total\{outcome="confirmed"\} 1/)
  t.equal(server.mcp.questions.size, 0)
})

for (const [what, answer, consent, says] of [
  ['a no', { result: { action: 'decline' } }, 'declined', /said no\. Nothing was done/],
  ['a form that says no', { result: { action: 'accept', content: { agree: false } } }, 'declined', /said no/],
  ['a form that says nothing', { result: { action: 'accept' } }, 'unanswered', /without what a person chose/],
  [
    'a form with a word',
    { result: { action: 'accept', content: { agree: 'true' } } },
    'unanswered',
    /accept with content\.agree true or false/
  ],
  ['a closed form', { result: { action: 'cancel' } }, 'cancelled', /closed the question/],
  [
    'an error of the client',
    { error: { code: -1, message: 'no window' } },
    'unanswered',
    /did not ask: "no window"\. Nothing was done/
  ],
  ['a result that says nothing', { result: {} }, 'unanswered', /without what a person chose.* Nothing was/],
  ['no result at all', { result: 7 }, 'unanswered', /Nothing was done/]
] as const)
  t.test(`${what} ends the call, with nothing sent`, async t => {
    const { forge, client, log } = await scene(t)
    const stream = answersOf(await client.send(body))
    const asked = (await stream.next()).value
    await client.send({ jsonrpc: '2.0', id: asked.id, ...answer })
    let last = (await stream.next()).value
    if (last.method === 'notifications/cancelled') last = (await stream.next()).value
    t.match(last, { id: 1, result: { isError: true, content: [{ text: says }] } })
    t.same(forge.changes, [])
    t.match(log.lines('tool call'), [{ outcome: 'declined', consent }])
  })

t.test('an answer counts from the session that was asked alone, and once', async t => {
  const { forge, client, url } = await scene(t)
  const other = await session(url)
  const stream = answersOf(await client.send(body))
  const { id } = (await stream.next()).value
  for (const wrong of [reply('made-up', yes), reply(7, yes), reply(null, yes)]) await client.send(wrong)
  t.equal((await other.send(reply(id, yes))).status, 202)
  await soon()
  t.same(forge.changes, [])
  await client.send(reply(id, yes))
  await client.send(reply(id, yes))
  await stream.next()
  t.same(forge.changes, deleted)
})

t.test('a caller that hangs up or cancels leaves nothing behind, and nothing is sent', async t => {
  const { forge, client, server, log } = await scene(t)
  const gone = new AbortController()
  const left = answersOf(await client.send(body, { signal: gone.signal }))
  await left.next()
  gone.abort()
  while (server.mcp.questions.size > 0) await soon()
  const cancelled = answersOf(await client.send(call(deleteIssue.name, deleteIssue.arguments, 5)))
  const asked = (await cancelled.next()).value
  await client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } })
  t.match((await cancelled.next()).value, {
    method: 'notifications/cancelled',
    params: { requestId: asked.id }
  })
  t.equal((await cancelled.next()).done, true)
  t.same([forge.changes, server.mcp.questions.size], [[], 0])
  t.same(
    log.lines('tool call').map(({ outcome }) => outcome),
    ['cancelled', 'cancelled']
  )
})

const changed =
  /The policy of this server has changed since the call began, so this was not done: repeat it\.$/

for (const [policy, says] of [
  ['FORGE_READ_ONLY_MODE=true', /only reading is allowed here/],
  ['FORGE_DENIED_TOOLS_REGEX=^delete_issue$', /delete_issue is switched off on this server/],
  ['FORGE_ALLOWED_PROJECT_IDS=acme/website', changed]
] as const)
  t.test(`a call that waits for a person when ${policy} comes is refused after the yes`, async t => {
    const folder = t.testdir({ settings: 'FORGE_CONFIRM=destructive\n' })
    const path = `${folder}/settings`
    const forge = await keptForge(t)
    const { log, server, url } = await asking(t, { FORGE_SETTINGS_PATH: path, FORGE_CONFIRM: '' }, forge)
    const client = await session(url)
    const stream = answersOf(await client.send(body))
    const asked = (await stream.next()).value
    await writeFile(path, `FORGE_CONFIRM=destructive\n${policy}\n`)
    await server.readSettingsAgain()
    await client.send(reply(asked.id, yes))
    t.match((await stream.next()).value, { id: 1, result: { isError: true, content: [{ text: says }] } })
    t.same(forge.state.changes, [])
    t.match(log.lines('tool call'), [{ outcome: 'tool_error', consent: 'confirmed', reason: says }])
  })

t.test(
  'no label is made after the yes where create_label is denied meanwhile, be it of one of several',
  async t => {
    const path = `${t.testdir({ settings: 'FORGE_CONFIRM=writes\n' })}/settings`
    const forge = await keptForge(t)
    const { server, url } = await asking(t, { FORGE_SETTINGS_PATH: path, FORGE_CONFIRM: '' }, forge)
    const client = await session(url)
    const issue = { issue_iid: '7', add_labels: ['new'] }
    for (const [tool, args] of [
      ['update_issue', issue],
      ['update_issues', { issues: [issue] }]
    ] as const) {
      await writeFile(path, 'FORGE_CONFIRM=writes\n')
      await server.readSettingsAgain()
      const stream = answersOf(await client.send(call(tool, { project_id: 'acme/rocket', ...args })))
      const asked = (await stream.next()).value
      await writeFile(path, 'FORGE_CONFIRM=writes\nFORGE_DENIED_TOOLS_REGEX=^create_label$\n')
      await server.readSettingsAgain()
      await client.send(reply(asked.id, yes))
      t.match((await stream.next()).value, { result: { isError: true, content: [{ text: changed }] } }, tool)
      t.same(forge.state.changes, [], tool)
    }
  }
)

t.test('of the calls of a caller that wait, the oldest makes room', async t => {
  const { forge, client, server } = await scene(t)
  const ask = async (id: number) => {
    const stream = answersOf(await client.send(call(deleteIssue.name, deleteIssue.arguments, id)))
    await stream.next()
    return stream
  }
  const oldest = await ask(1)
  for (const id of [2, 3, 4, 5]) await ask(id)
  t.match((await oldest.next()).value, { method: 'notifications/cancelled' })
  t.match((await oldest.next()).value, {
    result: { isError: true, content: [{ text: /newer question took its place.*Nothing was done/ }] }
  })
  t.same([server.mcp.questions.size, forge.changes], [4, []])
})

t.test('when its session is ended, who waits is told so', async t => {
  const { forge, client, url } = await scene(t)
  const headers = { 'private-token': TOKEN, 'mcp-session-id': client.id }
  const stream = answersOf(await client.send(body))
  await stream.next()
  t.equal((await fetch(url, { method: 'DELETE', headers })).status, 204)
  t.match((await stream.next()).value, { method: 'notifications/cancelled' })
  t.match((await stream.next()).value, {
    result: { isError: true, content: [{ text: /session was ended/ }] }
  })
  t.same(forge.changes, [])
})

t.test('when the service leaves, who waits is told so', async t => {
  const { forge, client, server } = await scene(t)
  const stream = answersOf(await client.send(body))
  await stream.next()
  const closed = server.close()
  t.match((await stream.next()).value, { method: 'notifications/cancelled' })
  t.match((await stream.next()).value, { result: { isError: true, content: [{ text: /is shutting down/ }] } })
  await closed
  t.same(forge.changes, [])
})

t.test('where nobody can be asked, the argument confirm is: the record’s own name', async t => {
  const { forge, url } = await scene(t)
  const clients = [
    ['a client without elicitation', await session(url, {})],
    ['one that opens web pages only', await session(url, { elicitation: { url: {} } })],
    ['a revision without it', await session(url, { elicitation: {} }, '2025-03-26')]
  ] as const
  for (const [who, client] of clients) {
    const ask = async (args: object = {}) =>
      (await answersOf(await client.send(call('delete_issue', { ...deleteIssue.arguments, ...args }))).next())
        .value.result
    const says = (text: RegExp) => ({ isError: true, content: [{ text }] })
    forge.changes.length = 0
    t.match(await ask(), says(/wants delete_issue confirmed.*the title of the issue exactly/), who)
    t.match(await ask({ confirm: 'Something else' }), says(/confirm is not the title of this issue/), who)
    t.same(forge.changes, [])
    t.notOk((await ask({ confirm: 'Login fails' })).isError, who)
    t.same(forge.changes, deleted, 'and confirm is not sent on')
  }
  const stream = answersOf(await (await session(url)).send(body, { headers: { accept: 'application/json' } }))
  t.match((await stream.next()).value, { result: { content: [{ text: /wants delete_issue confirmed/ }] } })
})

t.test('of what has no record to name, confirm is the name of the tool', async t => {
  const { forge, url } = await scene(t)
  const client = await session(url, {})
  const branch = { project_id: '1', branch: 'main' }
  const ask = async (args: object) =>
    (await answersOf(await client.send(call('delete_branch', args))).next()).value.result
  t.match(await ask(branch), { isError: true, content: [{ text: /with confirm: "delete_branch"/ }] })
  t.match(await ask({ ...branch, confirm: 'main' }), { isError: true })
  t.match(await ask({ ...branch, confirm: true }), {
    content: [
      { text: /confirm must be the text that the refusal of a call without it asks for, not the boolean/ }
    ]
  })
  t.notOk((await ask({ ...branch, confirm: 'delete_branch' })).isError)
  t.same(forge.changes, ['DELETE /api/v4/projects/1/repository/branches/main'])
})

t.test('a client that can ask a person cannot answer for one by the argument', async t => {
  const { forge, client } = await scene(t)
  const named = call('delete_issue', { ...deleteIssue.arguments, confirm: 'Login fails' })
  const stream = answersOf(await client.send(named))
  const { id, method } = (await stream.next()).value
  t.equal(method, 'elicitation/create')
  await client.send(reply(id, { action: 'decline' }))
  t.match((await stream.next()).value, { result: { isError: true } })
  t.same(forge.changes, [])
})

t.test('a tool that takes confirm anyway is named first, then a person is asked', async t => {
  const { forge, client } = await scene(t)
  const milestone = (confirm: string) =>
    call('delete_milestone', { project_id: '1', milestone_id: '5', confirm })
  const wrong = answersOf(await client.send(milestone('v9')))
  t.match((await wrong.next()).value, { result: { content: [{ text: /confirm is not the title/ }] } })
  const stream = answersOf(await client.send(milestone('Login fails')))
  const { id, params } = (await stream.next()).value
  t.match(params.message, /^Delete milestone "Login fails"\?/)
  await client.send(reply(id, yes))
  await stream.next()
  t.same(forge.changes, ['DELETE /api/v4/projects/1/milestones/5'])
})

t.test('through call_destructive_tool it is the tool itself that is asked about', async t => {
  const { forge, client } = await scene(t, { FORGE_TOOL_SURFACE: 'search' })
  const stream = answersOf(await client.send(call('call_destructive_tool', deleteIssue)))
  const { id, params } = (await stream.next()).value
  t.match(params.message, /Tool: delete_issue\n/)
  await client.send(reply(id, yes))
  await stream.next()
  t.same(forge.changes, deleted)
})

t.test(
  'confirm counts beside the arguments of a calling tool, which lists it as its own, and in them',
  async t => {
    const update = { name: 'update_issue', arguments: { ...deleteIssue.arguments, title: 'Login works' } }
    for (const [policy, caller, called, change] of [
      ['destructive', 'call_destructive_tool', deleteIssue, deleted[0]],
      ['writes', 'call_destructive_tool', deleteIssue, deleted[0]],
      ['writes', 'call_write_tool', update, deleted[0]!.replace('DELETE', 'PUT')]
    ] as const) {
      const { forge, log, url } = await scene(t, { FORGE_TOOL_SURFACE: 'search', FORGE_CONFIRM: policy })
      const client = await session(url, {})
      const ask = async (args: object) =>
        (await answersOf(await client.send(call(caller, args))).next()).value.result
      const refusal = await ask(called)
      t.match(refusal, { isError: true, content: [{ text: `This server wants ${called.name} confirmed` }] })
      const confirm = refusal.content[0].text.includes('the title of the issue') ? 'Login fails' : called.name
      const { name, arguments: args } = called
      t.notOk((await ask({ ...called, confirm })).isError, `${policy} ${caller}`)
      t.notOk((await ask({ name, arguments: { ...args, confirm } })).isError)
      t.match(await ask({ name, arguments: { ...args, confirm }, confirm: 'x' }), {
        isError: true,
        content: [{ text: /"confirm" stands in arguments and, with another value, beside them/ }]
      })
      t.same(forge.changes, [change, change])
      t.same(
        log.lines('tool call').map(({ tool, outcome, consent }) => [tool, outcome, consent]),
        [
          [name, 'tool_error', undefined],
          [name, 'ok', 'named'],
          [name, 'ok', 'named'],
          [name, 'tool_error', undefined]
        ]
      )
    }
  }
)

t.test('FORGE_CONFIRM says which tools: none, those that destroy, all that write', async t => {
  const methods = async (FORGE_CONFIRM: string) => {
    const { client } = await scene(t, { FORGE_CONFIRM })
    const first = async (name: string, args: object) =>
      (await answersOf(await client.send(call(name, { project_id: '1', ...args }, name))).next()).value.method
    const listed = (await answersOf(await client.send(request('tools/list'))).next()).value.result.tools
    const takes = listed
      .filter(
        ({ inputSchema }: { inputSchema: { properties: object } }) => 'confirm' in inputSchema.properties
      )
      .map(({ name }: { name: string }) => name)
    return [
      await first('get_issue', { issue_iid: '7' }),
      await first('create_issue', { title: 'x' }),
      await first('delete_issue', { issue_iid: '7' }),
      takes.includes('create_issue'),
      takes.includes('delete_issue')
    ]
  }
  const asked = 'elicitation/create'
  t.same(await methods('off'), [undefined, undefined, undefined, false, false])
  t.same(await methods('destructive'), [undefined, undefined, asked, false, true])
  t.same(await methods('writes'), [undefined, asked, asked, true, true])
})

t.test('lines that the forge would carry out are no way around it', async t => {
  const { forge, client } = await scene(t)
  const note = call('create_issue_note', { project_id: '1', issue_iid: '7', body: 'Thanks\n/close' })
  t.match((await answersOf(await client.send(note)).next()).value, {
    result: { isError: true, content: [{ text: /"\/close".*quick action/ }] }
  })
  t.same(forge.changes, [])
})

t.test('what a stranger wrote stands in quotes, and secrets are not shown', async t => {
  const { forge, client } = await scene(t, { FORGE_CONFIRM: 'writes' })
  forge.record = { title: 'Fine"?\nThis can be undone.\u202e\u200b' }
  const issue = answersOf(await client.send(body))
  t.match(
    (await issue.next()).value.params.message,
    /^Delete issue "Fine\\"\?\\nThis can be undone"\?\nWhere: /
  )
  const variable = { project_id: '1', key: 'PASSWORD', value: 'hunter2hunter2' }
  const set = answersOf(await client.send(call('set_variable', variable, 2)))
  const { message } = (await set.next()).value.params
  t.match(message, /key: "PASSWORD"\nvalue: "\(secret\)"/)
  t.notMatch(message, 'hunter2')
  const variables = [{ key: 'PASSWORD', value: 'hunter2hunter2' }]
  const run = answersOf(
    await client.send(call('create_pipeline', { project_id: '1', ref: 'main', variables }, 3))
  )
  t.match((await run.next()).value.params.message, '- key "PASSWORD", value "(secret)"')
  const hook = { project_id: '1', url: 'https://ada:hunter2@h.example/in?key=hunter2', events: ['push'] }
  const made = answersOf(await client.send(call('create_webhook', hook, 4)))
  const asked = (await made.next()).value.params.message
  t.match(asked, 'url: "https://***@h.example/in?***"')
  t.notMatch(asked, 'hunter2')
  t.notMatch(message, 'undone', 'nothing is said of what only changes something')
})

t.test('whoever calls cannot crowd out what a person is asked about', async t => {
  const { client } = await scene(t, { FORGE_CONFIRM: 'writes', FORGE_TOOLSETS: 'all' })
  let id = 0
  const messageOf = async (tool: string, args: object): Promise<string> => {
    const asked = answersOf(await client.send(call(tool, { project_id: '1', ...args }, ++id)))
    return (await asked.next()).value.params.message
  }
  const content = 'a harmless line that is long enough to fill what there is room for '.repeat(9)
  const commit = await messageOf('commit_files', {
    actions: [
      { content, action: 'update', file_path: 'README.md' },
      { content: 'evil', file_path: '.gitlab-ci.yml', action: 'create' }
    ],
    commit_message: content,
    branch: 'main'
  })
  t.match(
    commit.split('\n').slice(2),
    [
      'Tool: commit_files',
      'branch: "main"',
      /^commit_message: "a harmless/,
      'actions: 2 items',
      /^- action "update", file_path "README.md", content "a harmless/,
      '- action "create", file_path ".gitlab-ci.yml", content "evil"'
    ],
    'in the order of the schema, and words before long texts'
  )
  const flags = Object.fromEntries(
    ['issues', 'wiki', 'snippets', 'builds', 'repository', 'merge_requests'].map(what => [
      `${what}_access_level`,
      'enabled'
    ])
  )
  const project = await messageOf('update_project', {
    description: content,
    name: 'n',
    topics: ['t', 'u'],
    default_branch: 'main',
    merge_method: 'ff',
    squash_option: 'always',
    only_allow_merge_if_pipeline_succeeds: true,
    only_allow_merge_if_all_discussions_are_resolved: true,
    remove_source_branch_after_merge: true,
    ...flags,
    visibility: 'public'
  })
  t.match(project, /^visibility: "public"$/m)
  t.match(project, /^topics: 2 items "t", "u"$/m)
  t.match(project, /^remove_source_branch_after_merge: true$/m)
  const labels = Array.from({ length: 60 }, (_, at) => `l${at}`)
  t.match(await messageOf('create_issue', { title: 'x', labels }), /^labels: 60 items "l0".*, "l59"$/m)
})

t.test('of each item of a list a person is told all that it has, however long a part of it is', async t => {
  const { client, log } = await scene(t, { FORGE_CONFIRM: 'writes', FORGE_TOOLSETS: 'all' })
  let id = 0
  const answerTo = async (tool: string, args: object) => {
    const stream = answersOf(await client.send(call(tool, { project_id: '1', ...args }, ++id)))
    return (await stream.next()).value
  }
  const itemsOf = async (tool: string, args: object): Promise<string[]> =>
    (await answerTo(tool, args)).params.message.split('\n').filter((line: string) => line.startsWith('- '))
  const rest = { confidential: false, state_event: 'close', discussion_locked: true }
  for (const long of ['T'.repeat(100), '\u2028'.repeat(80), '"'.repeat(90), '\u{1f680}'.repeat(45)]) {
    const issue = {
      issue_iid: '5',
      title: `Typo ${long}`,
      description: long,
      due_date: '2026-12-01',
      ...rest
    }
    const [item = ''] = await itemsOf('update_issues', { issues: [issue] })
    for (const said of ['title "Typo ', 'description "', 'confidential false', 'state_event "close"'])
      t.match(item, said)
    t.match(item, /discussion_locked true/)
    t.match(item, /due_date "2026-12-01"/)
    t.ok(item.length <= 310, `${item.length} characters`)
    t.notMatch(item, /\p{Surrogate}/u)
  }
  const commit = (count: number) => ({
    branch: 'main',
    commit_message: 'm',
    actions: [
      ...Array.from({ length: count }, (_, at) => ({
        action: 'create',
        file_path: `docs/${at}`,
        content: 'x'.repeat(500)
      })),
      { action: 'move', file_path: `x${'\u2028'.repeat(60)}`, previous_path: 'src/important.ts' }
    ]
  })
  for (const count of [1, 99]) {
    const items = await itemsOf('commit_files', commit(count))
    t.equal(items.length, count + 1)
    t.match(items.at(-1), /action "move".*previous_path "src\/important\.ts"/)
    t.match(items.at(-2), /file_path "docs\/\d+", content "x+…"/)
  }
  const hidden = { action: 'create', file_path: 'a', content: `${'\u200d'.repeat(500)}rm -rf /` }
  const [said] = await itemsOf('commit_files', { ...commit(0), actions: [hidden] })
  t.match(said, /content "…"/, 'what stands behind hidden characters is not shown, and not passed over')
  const labels = Array.from({ length: 101 }, (_, at) => `l${at}`)
  const refused =
    /labels has 101 items, and a person.*shown 100 at most\. Nothing was done: make smaller calls/
  t.match(await answerTo('create_issue', { title: 'x', labels }), {
    result: { isError: true, content: [{ text: refused }] }
  })
  t.match(log.lines('tool call').at(-1), { reason: refused })
})

t.test(
  'a yes that comes to another replica is in the session id that goes back, for the call’s repetition',
  async t => {
    const forge = await keptForge(t)
    const stateless = { OAUTH_STATELESS_MODE: 'true', OAUTH_STATELESS_SECRET: secretOf('one') }
    const [one, other] = [await asking(t, stateless, forge), await asking(t, stateless, forge)]
    const { id: sid } = await session(one.url)
    const gone = new AbortController()
    const stream = answersOf(
      await send(one.url, body, { headers: { 'mcp-session-id': sid }, signal: gone.signal })
    )
    const { id } = (await stream.next()).value
    const answered = await send(other.url, reply(id, yes), { headers: { 'mcp-session-id': sid } })
    t.equal(answered.status, 202)
    gone.abort()
    const newer = { 'mcp-session-id': answered.headers.get('mcp-session-id')! }
    const next = call('delete_issue', { ...deleteIssue.arguments, issue_iid: '8' })
    const otherCall = answersOf(await send(other.url, next, { headers: newer }))
    t.match((await otherCall.next()).value, { method: 'elicitation/create' }, 'it is to that call alone')
    t.same(forge.state.changes, [])
    const repeated = await send(one.url, body, { headers: newer })
    t.match((await answersOf(repeated).next()).value, { result: { content: [{ text: /is deleted/ }] } })
    t.same(forge.state.changes, deleted)
    const again = await send(one.url, body, {
      headers: { 'mcp-session-id': repeated.headers.get('mcp-session-id')! }
    })
    t.match((await answersOf(again).next()).value, { method: 'elicitation/create' }, 'and once')
  }
)

t.test(
  'a yes that comes when nobody waits any more counts for the call’s repetition, a no does not',
  async t => {
    const { forge, client, server } = await scene(t)
    for (const [answer, first] of [
      [{ action: 'decline' }, { method: 'elicitation/create' }],
      [{ action: 'accept', content: { agree: false } }, { method: 'elicitation/create' }],
      [yes, { result: { content: [{ text: /is deleted/ }] } }]
    ] as const) {
      const gone = new AbortController()
      const { id } = (await answersOf(await client.send(body, { signal: gone.signal })).next()).value
      gone.abort()
      while (server.mcp.questions.size > 0) await soon()
      await client.send(reply(id, answer))
      const last = new AbortController()
      t.match((await answersOf(await client.send(body, { signal: last.signal })).next()).value, first)
      last.abort()
      while (server.mcp.questions.size > 0) await soon()
    }
    t.same(forge.changes, deleted)
  }
)

t.test('an answer without a session is refused, told where it belongs, and uses up nothing', async t => {
  const { forge, client, url } = await scene(t)
  const stream = answersOf(await client.send(body))
  const { id } = (await stream.next()).value
  const refused = await send(url, reply(id, yes))
  t.equal(refused.status, 400)
  t.match(await refused.json(), { error: { code: -32600, message: /the Mcp-Session-Id of that call\.$/ } })
  t.same(forge.changes, [])
  t.equal((await client.send(reply(id, yes))).status, 202)
  await stream.next()
  t.same(forge.changes, deleted)
})

t.test(
  'an answer under an id that no question has is refused, and told in the end of the question',
  async t => {
    const { forge, client, server } = await scene(t)
    const stream = answersOf(await client.send(body))
    const { id } = (await stream.next()).value
    for (const wrong of [1, '1', 'v1.sid.x']) {
      const refused = await client.send(reply(wrong, yes))
      t.equal(refused.status, 400)
      t.match(await refused.json(), {
        error: { code: -32600, message: /^Invalid request: no question has this id\. .* elicitation\/create/ }
      })
    }
    t.equal(server.metrics.unmatchedAnswers.total(), 3)
    t.same(forge.changes, [])
    t.equal((await client.send(reply(id, yes))).status, 202)
    await stream.next()
    t.same(forge.changes, deleted)
  }
)

t.test(
  'an answer for which no call waits here is counted and logged, one that gets to its call is not',
  async t => {
    const { client, server, log } = await scene(t)
    const lines = () => log.lines('an answer met no question that waits here')
    const unmatched = () => server.metrics.unmatchedAnswers.total()
    const stream = answersOf(await client.send(body))
    const { id } = (await stream.next()).value
    await client.send(reply(id, yes))
    await stream.next()
    t.same([unmatched(), lines()], [0, []])
    const late = await client.send(reply(id, yes))
    t.same([late.status, unmatched()], [202, 1])
    t.match(lines(), [
      { requestId: late.headers.get('x-request-id'), address: '127.0.0.1', principal: String }
    ])
  }
)

for (const [where, settings] of [
  ['in memory', {}],
  ['sealed', { OAUTH_STATELESS_MODE: 'true', OAUTH_STATELESS_SECRET: secretOf('one') }]
] as const)
  t.test(`a late yes counts for one of several calls with the same session (${where})`, async t => {
    const { forge, client, server } = await scene(t, settings)
    const gone = new AbortController()
    const { id } = (await answersOf(await client.send(body, { signal: gone.signal })).next()).value
    gone.abort()
    while (server.mcp.questions.size > 0) await soon()
    const answered = await client.send(reply(id, yes))
    const headers = { 'mcp-session-id': answered.headers.get('mcp-session-id')! }
    const first = await Promise.all(
      [2, 3, 4].map(
        async at =>
          (
            await answersOf(
              await client.send(call(deleteIssue.name, deleteIssue.arguments, at), { headers })
            ).next()
          ).value
      )
    )
    t.equal(first.filter(({ method }) => method === 'elicitation/create').length, 2)
    t.same(forge.changes, deleted)
  })

t.test('what another session answers to a question leaves it open for a late yes', async t => {
  const { client, server, url } = await scene(t)
  const other = await session(url)
  const gone = new AbortController()
  const { id } = (await answersOf(await client.send(body, { signal: gone.signal })).next()).value
  gone.abort()
  while (server.mcp.questions.size > 0) await soon()
  await other.send(reply(id, yes))
  await client.send(reply(id, yes))
  t.match((await answersOf(await client.send(body)).next()).value, {
    result: { content: [{ text: /is deleted/ }] }
  })
})

t.test('the first answer to a question counts, and sent again it is good for nothing', async t => {
  const { forge, client, server } = await scene(t)
  for (const answer of [yes, { action: 'decline' }]) {
    const before = forge.changes.length
    const stream = answersOf(await client.send(body))
    const { id } = (await stream.next()).value
    await client.send(reply(id, answer))
    await stream.next()
    const done = forge.changes.length
    t.equal(done - before, answer === yes ? 1 : 0)
    t.equal((await client.send(reply(id, yes))).status, 202)
    const gone = new AbortController()
    const again = answersOf(await client.send(body, { signal: gone.signal }))
    t.match((await again.next()).value, { method: 'elicitation/create' })
    gone.abort()
    while (server.mcp.questions.size > 0) await soon()
    t.equal(forge.changes.length, done)
  }
})

t.test('a call for several things is asked about once', async t => {
  const { forge, client } = await scene(t, { FORGE_CONFIRM: 'writes' })
  const issues = ['7', '8'].map(issue_iid => ({ issue_iid, state_event: 'close' }))
  const stream = answersOf(await client.send(call('update_issues', { project_id: '1', issues })))
  const { id, method } = (await stream.next()).value
  t.equal(method, 'elicitation/create')
  await client.send(reply(id, yes))
  t.notOk((await stream.next()).value.result.isError)
  t.same([...forge.changes].sort(), ['PUT /api/v4/projects/1/issues/7', 'PUT /api/v4/projects/1/issues/8'])
})
