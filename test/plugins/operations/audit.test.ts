import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { createdIn } from '../../../src/calls/audit.ts'
import { refusalSampling } from '../../../src/log/sampled-lines.ts'
import { concurrencyOf } from '../../../src/upstream/guard/concurrency.ts'
import { listen } from '../../support/listen.ts'
import { captureLog } from '../../support/log.ts'
import { modernHeaders, modernRequest } from '../../support/modern.ts'
import { call, initialize, OTHER_TOKEN, post, request, TOKEN, testServer } from '../../support/server.ts'
import { until } from '../../support/until.ts'

/** A forge that keeps the headers it was sent. */
async function listeningForge(t: Test) {
  const seen: IncomingHttpHeaders[] = []
  const forge = createServer((request, response) => {
    seen.push(request.headers)
    response.statusCode = request.url?.includes('broken') ? 500 : 200
    response.setHeader('content-type', 'application/json')
    response.end(request.url?.includes('/labels') ? '[]' : '{"name":"main"}')
  })
  await new Promise<void>(resolve => forge.listen(0, '127.0.0.1', resolve))
  t.teardown(() => forge.close())
  const { port } = forge.address() as AddressInfo
  return { seen, host: `127.0.0.1:${port}`, url: `http://127.0.0.1:${port}` }
}

async function audited(t: Test, settings: Record<string, string> = {}) {
  const forge = await listeningForge(t)
  const log = captureLog()
  const server = await testServer(t, { FORGE_API_URL: forge.url, LOG_LEVEL: 'info', ...settings }, log.stream)
  return { forge, log, server }
}

const branch = (branch_name: string) => call('get_branch', { project_id: 'group/app', branch_name })

t.test('each call leaves one line: who, what, where, how it went, how long', async t => {
  const { forge, log, server } = await audited(t)
  const answer = await post(server, { body: branch('main') })
  const [line, ...more] = log.lines('tool call')
  t.same(more, [])
  const { time, ms, principal, ...rest } = line!
  t.same(rest, {
    level: 30,
    msg: 'tool call',
    requestId: answer.headers['x-request-id'],
    address: '127.0.0.1',
    tool: 'get_branch',
    class: 'read',
    project: 'group/app',
    upstream: forge.host,
    status: 200,
    outcome: 'ok',
    requests: 1
  })
  t.match(principal, /^[0-9a-f]{16}$/)
  t.ok(Number.isInteger(ms) && Number.isInteger(time))
})

t.test('the line tells who has asked for secret values, however that was written, and was let', async t => {
  const { log, server } = await audited(t, { FORGE_TOOLSETS: 'all' })
  const list = (args: object) => call('list_variables', { project_id: 'group/app', ...args })
  for (const args of [{}, { include_values: false }, { include_values: true }, { include_values: 'true' }])
    await post(server, { body: list(args) })
  t.same(
    log.lines('tool call').map(({ secrets }) => secrets),
    [undefined, undefined, true, true]
  )
  const denied = await audited(t, { FORGE_TOOLSETS: 'all', FORGE_DENY_SECRET_VALUES: 'true' })
  await post(denied.server, { body: list({ include_values: true }) })
  t.match(denied.log.lines('tool call'), [
    { secrets: true, outcome: 'tool_error', reason: /no secret values/ }
  ])
})

t.test('the line tells a call that waited for its turn from one whose forge was slow', async t => {
  const waiting: (() => void)[] = []
  const forge = await listen(t, (_request, response) => {
    waiting.push(() => response.setHeader('content-type', 'application/json').end('{"name":"main"}'))
  })
  const log = captureLog()
  const settings = { FORGE_API_URL: forge, LOG_LEVEL: 'info', FORGE_MAX_CONCURRENCY: '1' }
  const server = await testServer(t, settings, log.stream)
  const calls = ['main', 'other'].map(name => post(server, { body: branch(name) }))
  await until(() => waiting.length === 1)
  const began = performance.now()
  await until(() => performance.now() > began + 50)
  waiting.shift()!()
  await until(() => waiting.length === 1)
  waiting.shift()!()
  await Promise.all(calls)
  const [first, second] = log.lines('tool call')
  t.same([first!.requests, second!.requests, first!.queuedMs], [1, 1, undefined])
  t.ok(Number(second!.queuedMs) >= 50, `${second!.queuedMs}`)
})

t.test('the line has the revision that the client speaks, and none if it has named none', async t => {
  const { log, server } = await audited(t)
  const sid = async (version: string) =>
    (await post(server, { body: initialize(version) })).headers['mcp-session-id'] as string
  await post(server, { body: branch('main'), headers: { 'mcp-session-id': await sid('2025-06-18') } })
  const { params } = branch('main')
  await post(server, {
    body: modernRequest('tools/call', params as object),
    headers: modernHeaders('tools/call', 'get_branch')
  })
  await post(server, { body: branch('main') })
  t.same(
    log.lines('tool call').map(({ protocol }) => protocol),
    ['2025-06-18', '2026-07-28', undefined]
  )
})

t.test('callers whom no forge has answered do not fill the log with calls of which none hears', async t => {
  const { log, server } = await audited(t, { MAX_REQUESTS_PER_MINUTE: '0' })
  const wrong = call('get_branch', {})
  for (let at = 0; at < refusalSampling.lines + 5; at++)
    await post(server, { body: wrong, token: `glpat-made-up-token-${String(at).padStart(4, '0')}` })
  t.equal(log.lines('tool call').length, refusalSampling.lines)
  await post(server, { body: branch('main') })
  await post(server, { body: wrong })
  t.match(log.lines('tool call').slice(refusalSampling.lines), [{ outcome: 'ok' }, { outcome: 'tool_error' }])
  await server.close()
  const more = 'more tool calls with tokens that no forge has taken, and of which nothing was sent'
  t.match(log.lines(more), [{ outcome: 'tool_error', more: 5 }])
})

t.test('a call of which a request has left has its line, whoever calls and whatever the answer', async t => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const forge = await listen(t, ({ url = '' }, response) => {
    response.setHeader('content-type', 'application/json')
    if (url.includes('reset')) response.destroy()
    else response.end(url.includes('deep') ? deep : Buffer.alloc(11 * 1024 * 1024, ' '))
  })
  const log = captureLog()
  const settings = { FORGE_API_URL: forge, LOG_LEVEL: 'info', MAX_REQUESTS_PER_MINUTE: '0' }
  const server = await testServer(t, settings, log.stream)
  for (let at = 0; at < refusalSampling.lines + 5; at++)
    await post(server, { body: call('get_branch', {}), token: `glpat-made-up-token-of-${at}` })
  let at = 0
  const many = { project_id: 'large', issues: [{ issue_iid: '5', title: 'y' }] }
  for (const [tool, args] of [
    ['merge_merge_request', { project_id: 'large', merge_request_iid: '7', sha: 'a'.repeat(40) }],
    ['merge_merge_request', { project_id: 'deep', merge_request_iid: '7', sha: 'a'.repeat(40) }],
    ['merge_merge_request', { project_id: 'reset', merge_request_iid: '7', sha: 'a'.repeat(40) }],
    ['update_issues', many],
    ['update_work_item', { project_id: 'large', iid: '5', title: 'y' }]
  ] as const)
    await post(server, { body: call(tool, args), token: `glpat-fresh-token-of-${tool}-${at++}` })
  t.same(
    log
      .lines('tool call')
      .slice(refusalSampling.lines)
      .map(({ tool, project, status }) => [tool, project, status]),
    [
      ['merge_merge_request', 'large', 200],
      ['merge_merge_request', 'deep', 200],
      ['merge_merge_request', 'reset', undefined],
      ['update_issues', 'large', 200],
      ['update_work_item', 'large', 200]
    ]
  )
})

t.test('the line has the address that a trusted proxy tells, as people write it', async t => {
  const { log, server } = await audited(t, { MCP_TRUST_PROXY: '127.0.0.1' })
  const headers = { 'x-forwarded-for': '203.0.113.9, ::ffff:192.0.2.7' }
  await post(server, { body: branch('main'), headers })
  t.match(log.lines('tool call'), [{ address: '192.0.2.7' }])
})

t.test('the line has the object by its number or commit, and the forge’s status', async t => {
  const { log, server } = await audited(t)
  const secret = 'glpat-not-a-number-000'
  for (const [tool, args] of [
    ['get_issue', { issue_iid: 42 }],
    ['merge_merge_request', { merge_request_iid: '7', sha: 'a'.repeat(40) }],
    ['get_issue', { issue_iid: secret }]
  ] as const)
    await post(server, { body: call(tool, { project_id: 'group/app', ...args }) })
  t.same(
    log.lines('tool call').map(({ object, status }) => [object, status]),
    [
      [{ issue_iid: '42' }, 200],
      [{ merge_request_iid: '7', sha: 'a'.repeat(40) }, 200],
      [undefined, undefined]
    ]
  )
  t.notMatch(log.text(), secret)
})

t.test('the object and the project are in the line however the call wrote them', async t => {
  const { forge, log, server } = await audited(t, { FORGE_TOOLSETS: 'all' })
  for (const [tool, args] of [
    ['get_issue', { project_id: 'group/app', iid: 42 }],
    ['get_issue', { project_id: 'group/app', issue_iid: '#42' }],
    ['get_issue', { project_id: `${forge.url}/group/app`, issue_iid: '42' }],
    ['delete_snippet', { project_id: 'group/app', snippet_id: '42' }]
  ] as const)
    await post(server, { body: call(tool, args) })
  t.same(
    log.lines('tool call').map(({ project, object }) => [project, object]),
    [
      ...Array.from({ length: 3 }, () => ['group/app', { issue_iid: '42' }]),
      ['group/app', { snippet_id: '42' }]
    ]
  )
})

t.test('several objects, and where one is moved to, are in the line too', async t => {
  const { forge, log, server } = await audited(t, { FORGE_TOOLSETS: 'all' })
  const issues = [{ issue_iid: '5', title: 'secret' }, { issue_iid: '6' }]
  const written = ['group/app#5', `${forge.url}/group/app/-/issues/6`, '#7', 'group/other#8']
  for (const [tool, args] of [
    ['apply_suggestions', { suggestion_ids: ['5', '6'] }],
    ['update_issues', { project_id: 'group/app', issues: issues.map(issue => ({ weight: 1, ...issue })) }],
    [
      'update_issues',
      { project_id: 'group/app', issues: written.map(issue_iid => ({ issue_iid, weight: 1 })) }
    ],
    ['move_issue', { project_id: 'group/app', issue_iid: '5', to_project: 'group/other' }]
  ] as const)
    await post(server, { body: call(tool, args) })
  t.same(
    log.lines('tool call').map(({ object }) => object),
    [
      { suggestion_ids: '5,6' },
      { issue_iid: '5,6' },
      { issue_iid: '5,6,7' },
      { issue_iid: '5', to_project: 'group/other' }
    ]
  )
})

t.test('a call that leaves the allowed projects is told of with them as it would be carried out', async t => {
  const { forge, log, server } = await audited(t, {
    FORGE_TOOLSETS: 'all',
    FORGE_ALLOWED_PROJECT_IDS: 'group/app'
  })
  const from = { project_id: 'group/app' }
  const files = { branch: 'x', commit_message: 'x', actions: [{ action: 'delete', file_path: 'x' }] }
  for (const [tool, args] of [
    ['get_issue', { project_id: `${forge.url}/group/other/-/issues`, issue_iid: '5' }],
    ['move_issue', { ...from, issue_iid: '5', to_project_id: 'group/other' }],
    [
      'create_merge_request',
      { ...from, title: 'x', source_branch: 'a', target_branch: 'b', target_project_id: 'group/other' }
    ],
    ['commit_files', { ...from, ...files, start_branch: 'main', start_project: 'group/other' }]
  ] as const)
    await post(server, { body: call(tool, args) })
  const lines = log.lines('tool call')
  t.ok(lines.every(({ reason }) => /is not served here/.test(String(reason))))
  t.same(
    lines.map(({ project, object }) => [project, object]),
    [
      ['group/other', { issue_iid: '5' }],
      ['group/app', { issue_iid: '5', to_project: 'group/other' }],
      ['group/app', { target_project_id: 'group/other' }],
      ['group/app', { branch: 'x', start_project: 'group/other' }]
    ]
  )
})

t.test('what is destroyed is named, with the status of the request that failed', async t => {
  const forge = await listen(t, ({ url = '', method }, response) => {
    const found = url.includes('/branches?') ? [{ name: 'release/2' }] : undefined
    const isThere = url.endsWith('release%2F2') || url.endsWith('/group%2Fapp')
    const status = isThere && method === 'DELETE' ? 204 : isThere || found ? 200 : 404
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(
      status === 204 ? '' : JSON.stringify(found ?? { name: 'a', message: '404 Branch Not Found' })
    )
  })
  const log = captureLog()
  const settings = { FORGE_API_URL: forge, LOG_LEVEL: 'info', FORGE_TOOLSETS: 'all' }
  const server = await testServer(t, settings, log.stream)
  const secret = 'glpat-not-a-branch-00'
  for (const branch of ['release/2', 'relase/2', secret])
    await post(server, { body: call('delete_branch', { project_id: 'group/app', branch }) })
  await post(server, {
    body: call('create_branch', { project_id: 'group/app', branch: 'plan', ref: 'main' })
  })
  t.same(
    log.lines('tool call').map(({ object, status, outcome }) => [object, status, outcome]),
    [
      [{ branch: 'release/2' }, 204, 'ok'],
      [{ branch: 'relase/2' }, 404, 'tool_error'],
      [{ branch: '[redacted]' }, 404, 'tool_error'],
      [{ branch: 'plan', ref: 'main' }, 404, 'tool_error']
    ]
  )
})

t.test('what is changed is named, too, and neither its value nor its title', async t => {
  const { log, server } = await audited(t, { FORGE_TOOLSETS: 'all' })
  const of = { project_id: 'group/app' }
  for (const [tool, args] of [
    [
      'set_variable',
      { ...of, key: 'DEPLOY_KEY', environment_scope: 'production', value: 'nobody’s business' }
    ],
    ['delete_variable', { ...of, key: 'DEPLOY_KEY', environment_scope: 'production' }],
    ['update_release', { ...of, tag_name: 'v1', name: 'nobody’s business' }],
    ['update_wiki_page', { ...of, slug: 'home', content: 'nobody’s business' }],
    ['protect_branch', { ...of, name: 'main' }],
    ['create_pipeline', { ...of, ref: 'main' }],
    ['update_webhook', { ...of, hook_id: '3', name: 'nobody’s business' }],
    ['get_release', { ...of, tag_name: 'v1' }]
  ] as const)
    await post(server, { body: call(tool, args) })
  t.same(
    log.lines('tool call').map(({ tool, object }) => [tool, object]),
    [
      ['set_variable', { key: 'DEPLOY_KEY', environment_scope: 'production' }],
      ['delete_variable', { key: 'DEPLOY_KEY', environment_scope: 'production' }],
      ['update_release', { tag_name: 'v1' }],
      ['update_wiki_page', { slug: 'home' }],
      ['protect_branch', { name: 'main' }],
      ['create_pipeline', { ref: 'main' }],
      ['update_webhook', { hook_id: '3' }],
      ['get_release', undefined]
    ]
  )
  t.notMatch(log.text(), 'nobody’s business')
})

t.test('of a record that a call has made the line has the number or the id, and nothing else', async t => {
  const made: Record<string, unknown> = {
    issues: { iid: 8, id: 508, title: 'A secret plan' },
    notes: { id: 9009, body: 'A secret plan' },
    commits: { id: 'a'.repeat(40), message: 'A secret plan' },
    branches: { name: 'A-secret-plan' },
    tags: { id: 'A-secret-plan' }
  }
  const forge = await listen(t, ({ url = '', method }, response) => {
    const kind = url.split('?')[0]!.split('/').at(-1)!
    response.writeHead(method === 'POST' ? 201 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(made[kind] ?? { id: 1, iid: 1 }))
  })
  const log = captureLog()
  const settings = { FORGE_API_URL: forge, LOG_LEVEL: 'info', FORGE_TOOLSETS: 'all' }
  const server = await testServer(t, settings, log.stream)
  const project_id = 'group/app'
  for (const [tool, args] of [
    ['create_issue', { title: 'A secret plan' }],
    ['create_issue_note', { issue_iid: '8', body: 'A secret plan' }],
    ['create_branch', { branch_name: 'plan', ref: 'main' }],
    ['get_issue', { issue_iid: '8' }]
  ] as const)
    await post(server, { body: call(tool, { project_id, ...args }) })
  t.same(
    log.lines('tool call').map(({ outcome, created }) => [outcome, created]),
    [
      ['ok', { iid: '8' }],
      ['ok', { id: '9009' }],
      ['ok', undefined],
      ['ok', undefined]
    ]
  )
  t.notMatch(log.text(), /secret/i)
  t.same(createdIn(made.commits, 'token'), { id: 'a'.repeat(40) })
  for (const odd of [made.tags, made.branches, undefined, 7, [], { iid: 'x' }, { id: -1 }, { id: {} }])
    t.equal(createdIn(odd, 'token'), undefined)
})

t.test('what a call does something to is none that it has made', async t => {
  const project = { id: 8, path_with_namespace: 'group/app' }
  const made: [end: RegExp, record: object][] = [
    [/merge_requests\/7\/approve$/, { id: 507, iid: 7, project_id: 8 }],
    [/\/star$|unarchive$/, project],
    [/\/fork$/, { id: 9, path_with_namespace: 'ada/app' }],
    [/users\/3\/follow$/, { id: 3, username: 'ada' }],
    [/pipelines\/46\/retry$/, { id: 46, iid: 11 }],
    [/jobs\/5\/play$/, { id: 5 }],
    [/jobs\/5\/retry$/, { id: 6 }],
    [/issues\/7\/move$/, { id: 509, iid: 7, project_id: 9 }],
    [/merge_requests\/7\/notes$/, { id: 7 }],
    [/projects\/8\/labels$/, { id: 8, name: 'x' }]
  ]
  const forge = await listen(t, ({ url = '', method }, response) => {
    const [, record = project] = made.find(([end]) => end.test(url)) ?? []
    response.writeHead(method === 'POST' ? 201 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(record))
  })
  const log = captureLog()
  const settings = { FORGE_API_URL: forge, LOG_LEVEL: 'info', FORGE_TOOLSETS: 'all' }
  const server = await testServer(t, settings, log.stream)
  const calls: [tool: string, args: object, created: object | undefined][] = [
    ['approve_merge_request', { merge_request_iid: '7' }, undefined],
    ['star_project', {}, undefined],
    ['star_project', { project_id: 'Group/App' }, undefined],
    ['update_project', { archived: false }, undefined],
    ['fork_project', {}, { id: '9' }],
    ['follow_user', { user_id: '3' }, undefined],
    ['retry_pipeline', { pipeline_id: '46' }, undefined],
    ['play_pipeline_job', { job_id: '5' }, undefined],
    ['retry_pipeline_job', { job_id: '5' }, { id: '6' }],
    ['move_issue', { issue_iid: '7', to_project: '9' }, { iid: '7' }],
    ['create_merge_request_note', { merge_request_iid: '7', body: 'x' }, { id: '7' }],
    ['create_label', { name: 'x', color: '#112233' }, { id: '8' }]
  ]
  for (const [tool, args] of calls) {
    const place = tool === 'follow_user' ? {} : { project_id: '8' }
    await post(server, { body: call(tool, { ...place, ...args }) })
  }
  t.same(
    log.lines('tool call').map(({ tool, outcome, created }) => [tool, outcome, created]),
    calls.map(([tool, , created]) => [tool, 'ok', created])
  )
})

t.test('of what GraphQL has made the line has the same', async t => {
  const item = { id: 'gid://gitlab/WorkItem/508', iid: '8', title: 'A secret plan' }
  const note = {
    id: 'gid://gitlab/Note/9009',
    body: 'A secret plan',
    discussion: { id: 'gid://gitlab/Discussion/1' }
  }
  const payloads: Record<string, unknown> = {
    workItemCreate: { workItem: item, errors: [] },
    workItemUpdate: { workItem: item, errors: [] },
    createNote: { errors: [], note }
  }
  let isWilling = true
  const forge = await listen(t, async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { query } = JSON.parse(body || '{}') as { query?: string }
    const name = /\b(workItemCreate|workItemUpdate|createNote)\(/.exec(query ?? '')?.[1]
    const refused = { [name ?? '']: { workItem: null, errors: ['No'] } }
    const found = { namespace: { workItem: item, workItemTypes: { nodes: [] } } }
    const data = name === undefined ? found : isWilling ? { [name]: payloads[name] } : refused
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(query === undefined ? { id: 1, path_with_namespace: 'group/app' } : { data }))
  })
  const log = captureLog()
  const settings = { FORGE_API_URL: forge, LOG_LEVEL: 'info', FORGE_TOOLSETS: 'all' }
  const server = await testServer(t, settings, log.stream)
  const create = call('create_work_item', { project_id: 'group/app', type: 'issue', title: 'A secret plan' })
  const one = { project_id: 'group/app', iid: '8' }
  for (const body of [
    create,
    call('create_work_item_note', { ...one, body: 'A secret plan' }),
    call('update_work_item', { ...one, title: 'A secret plan' })
  ])
    await post(server, { body })
  isWilling = false
  await post(server, { body: create })
  t.same(
    log.lines('tool call').map(({ tool, outcome, created }) => [tool, outcome, created]),
    [
      ['create_work_item', 'ok', { iid: '8' }],
      ['create_work_item_note', 'ok', { id: '9009' }],
      ['update_work_item', 'ok', undefined],
      ['create_work_item', 'tool_error', undefined]
    ]
  )
  t.notMatch(log.text(), /secret/i)
})

t.test(
  'the user’s name is asked for once a token, after a call that was served, and stands in the next lines',
  async t => {
    const asked: string[] = []
    const forge = await listen(t, ({ url = '', headers }, response) => {
      const token = headers['private-token']
      asked.push(`${url} ${token}`)
      response.writeHead(token === TOKEN ? 200 : 401, { 'content-type': 'application/json' })
      response.end(JSON.stringify(url.endsWith('/user') ? { username: 'ada' } : { name: 'main' }))
    })
    const namesOf = async (settings: Record<string, string>) => {
      const log = captureLog()
      const server = await testServer(t, { FORGE_API_URL: forge, LOG_LEVEL: 'info', ...settings }, log.stream)
      for (const token of [OTHER_TOKEN, TOKEN, TOKEN, TOKEN]) {
        await post(server, { body: branch('main'), token })
        // The name is asked for once the call has been answered.
        if (token === TOKEN && settings.FORGE_AUDIT_USERS === 'true')
          await until(() => log.lines('caller named').length > 0)
      }
      return log.lines('tool call').map(({ user }) => user)
    }
    const questions = () => asked.splice(0).filter(line => line.includes('/user'))
    t.same(await namesOf({ FORGE_AUDIT_USERS: 'true' }), [undefined, undefined, 'ada', 'ada'])
    t.same(questions(), [`/api/v4/user ${TOKEN}`])
    t.same(await namesOf({}), [undefined, undefined, undefined, undefined])
    t.same(questions(), [])
  }
)

t.test('a caller is named by a line of its own, as a token may be good for one call', async t => {
  const forge = await listen(t, ({ url = '' }, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(url.endsWith('/user') ? { username: 'ada' } : { name: 'main' }))
  })
  const log = captureLog()
  const settings = { FORGE_API_URL: forge, LOG_LEVEL: 'info', FORGE_AUDIT_USERS: 'true' }
  await post(await testServer(t, settings, log.stream), { body: branch('main') })
  await until(() => log.lines('caller named').length > 0)
  const [{ principal } = {}] = log.lines('tool call')
  t.match(log.lines('caller named'), [{ level: 30, principal, user: 'ada' }])
  t.type(principal, 'string')
})

t.test('a caller to whom the forge forbids everything is named, too, unless a page does', async t => {
  for (const [body, type, named] of [
    ['{"message":"403 Forbidden"}', 'application/json', ['ada']],
    ['<html>', 'text/html', []]
  ] as const) {
    const asked: string[] = []
    const forge = await listen(t, ({ url = '' }, response) => {
      asked.push(url)
      if (url.endsWith('/user')) response.end('{"username":"ada"}')
      else response.writeHead(403, { 'content-type': type }).end(body)
    })
    const log = captureLog()
    const settings = { FORGE_API_URL: forge, LOG_LEVEL: 'info', FORGE_AUDIT_USERS: 'true' }
    await post(await testServer(t, settings, log.stream), { body: branch('main') })
    if (named.length > 0) await until(() => log.lines('caller named').length > 0)
    else await new Promise(resolve => setTimeout(resolve, 100))
    t.same(
      log.lines('caller named').map(({ user }) => user),
      named,
      type
    )
    t.equal(
      asked.some(url => url.endsWith('/user')),
      named.length > 0
    )
  }
})

t.test('the principal is the same for the same token, another for another, and is not the token', async t => {
  const { log, server } = await audited(t)
  await post(server, { body: branch('main') })
  await post(server, { body: branch('main'), token: '', headers: { authorization: `Bearer ${TOKEN}` } })
  await post(server, { body: branch('main'), token: OTHER_TOKEN })
  const [one, same, other] = log.lines('tool call').map(({ principal }) => principal)
  t.equal(one, same)
  t.not(one, other)
  t.notMatch(log.text(), TOKEN)
})

t.test('failures, refusals and bad arguments are told apart', async t => {
  const { log, server } = await audited(t, { FORGE_DENIED_TOOLS_REGEX: 'list_pipelines' })
  await post(server, { body: branch('broken') })
  await post(server, { body: call('get_branch', { project_id: 'a/b' }) })
  await post(server, { body: call('list_pipelines', { project_id: 7 }) })
  await post(server, { body: call('get_branch', 'not an object') })
  t.same(
    log.lines('tool call').map(({ tool, project, outcome }) => [tool, project, outcome]),
    [
      ['get_branch', 'group/app', 'tool_error'],
      ['get_branch', 'a/b', 'tool_error'],
      ['list_pipelines', '7', 'refused'],
      ['get_branch', undefined, 'tool_error']
    ]
  )
})

t.test('a call that came to nothing by its forge or the way to it says by what', async t => {
  const limited = await listen(t, (_request, response) =>
    response.writeHead(429, { 'retry-after': '60' }).end()
  )
  const page = await listen(t, (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
  )
  const torn = await listen(t, (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":')
  )
  const cut = await listen(t, (_request, response) => {
    response.writeHead(200, { 'content-length': '9' }).write('half')
    setImmediate(() => response.destroy())
  })
  const file = call('get_file_contents', { project_id: '1', file_path: 'a', ref: 'main' })
  const lineOf = async (url: string, body = branch('main')) => {
    const log = captureLog()
    const settings = { FORGE_API_URL: url, FORGE_TOOLSETS: 'all', LOG_LEVEL: 'info' }
    const server = await testServer(t, settings, log.stream)
    await post(server, { body })
    const metrics = (await server.inject({ url: '/metrics', query: { format: 'prometheus' } })).body
    const [, counted] =
      /upstream_request_duration_seconds_count\{forge="home",outcome="([\w-]+)"\} 1/.exec(metrics) ?? []
    const [{ status, trouble, outcome }] = log.lines('tool call') as [Record<string, unknown>]
    const [told] = log.lines('trouble with a forge')
    return { status, trouble, outcome, counted, told: told?.trouble, at: told?.at }
  }
  t.match(await lineOf(page), {
    status: 200,
    trouble: 'bad-answer',
    counted: 'bad-answer',
    told: 'bad-answer',
    at: '/projects/{project_id}/repository/branches/{.branch_name}'
  })
  const wanted = { trouble: 'bad-answer', counted: 'bad-answer', told: 'bad-answer' }
  for (const status of [401, 403, 404, 407]) {
    const gate = await listen(t, (_request, response) =>
      response.writeHead(status, { 'content-type': 'text/html' }).end('<html><title>Log in</title>')
    )
    t.match(await lineOf(gate), { status, ...wanted })
    t.match(await lineOf(gate, file), { status, ...wanted }, 'of a file, too')
  }
  const elsewhere = await listen(t, (_request, response) =>
    response.writeHead(302, { location: 'https://login.example/' }).end()
  )
  t.match(await lineOf(elsewhere), { status: 302, ...wanted })
  t.match(await lineOf(torn), { status: 200, trouble: 'bad-answer', told: 'bad-answer' })
  t.match(await lineOf(cut, file), { status: 200, trouble: 'unreachable', told: 'unreachable' })
  t.match(await lineOf(limited), { status: 429, trouble: 'limited', counted: 'limited', told: 'limited' })
})

t.test('of a forge in trouble its own words are told, without the token that it has seen', async t => {
  const ill = await listen(t, (request, response) =>
    response
      .writeHead(503)
      .end(JSON.stringify({ message: `Gitaly is away, ${request.headers['private-token']}` }))
  )
  const { log, server } = await audited(t, { FORGE_API_URL: ill })
  await post(server, { body: branch('main'), token: 'plain0token0plain0token' })
  const [told] = log.lines('trouble with a forge') as [Record<string, string>]
  t.match(told, { trouble: '5xx', status: 503, says: /^Gitaly is away, \S+$/ })
  t.notMatch(JSON.stringify(log.lines('trouble with a forge')), 'plain0token')
})

t.test('a call that was not sent, as the forge is left alone, says that', async t => {
  const ill = await listen(t, (_request, response) => response.writeHead(500).end())
  const { log, server } = await audited(t, { FORGE_API_URL: ill })
  // Twenty failures open the circuit.
  for (let calls = 0; calls < 30; calls++) await post(server, { body: branch('main') })
  const lines = log.lines('tool call')
  t.match(lines[0], { status: 500, trouble: '5xx' })
  t.match(
    lines.find(({ status }) => status === undefined),
    { trouble: 'down', outcome: 'tool_error' }
  )
})

t.test('a call that was not sent, as too many others are under way, says that', async t => {
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  const slow = await listen(t, (_request, response) => {
    held.then(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"main"}'))
  })
  const { log, server } = await audited(t, {
    FORGE_API_URL: slow,
    FORGE_MAX_CONCURRENCY: '1',
    MAX_REQUESTS_PER_MINUTE: '0'
  })
  // One more than may wait for the first.
  const calls = Array.from({ length: concurrencyOf(1).caller.queue + 2 }, () =>
    post(server, { body: branch('main') })
  )
  const refused = (await Promise.race(calls)).json().result
  t.match(refused, { isError: true, content: [{ text: /under way\. This request was not sent/ }] })
  t.match(log.lines('tool call'), [{ trouble: 'busy', outcome: 'tool_error' }])
  release()
  await Promise.all(calls)
})

t.test('calls of which nothing was sent leave their line too', async t => {
  const { forge, log, server } = await audited(t, {
    ENABLE_DYNAMIC_API_URL: 'true',
    FORGE_POOL_MAX_SIZE: '1'
  })
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  let isAsked = false
  const slow = await listen(t, (_request, response) => {
    isAsked = true
    held.then(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"main"}'))
  })
  const of = (url: string) => ({ 'x-forge-api-url': url })
  const running = post(server, { body: branch('main'), headers: of(slow) })
  await until(() => isAsked)
  const refused = await post(server, { body: branch('main'), headers: of(`${forge.url}/other`) })
  t.equal(refused.statusCode, 503)
  release()
  await running
  await post(server, { body: call('rm_rf_glpat-secretsecretsecret', { project_id: 'a/b' }) })
  t.match(
    log.lines('tool call').map(({ time, ms, principal, requestId, level, ...line }) => line),
    [
      { tool: 'get_branch', class: 'read', project: 'group/app', outcome: 'capacity' },
      { tool: 'get_branch', class: 'read', project: 'group/app', outcome: 'ok' },
      { tool: 'other', project: 'a/b', outcome: 'rpc_error' }
    ]
  )
  t.equal(log.lines('tool call')[0]?.requestId, refused.headers['x-request-id'])
  t.notMatch(log.text(), 'rm_rf')
  const metrics = await server.inject({ url: '/metrics', query: { format: 'prometheus' } })
  t.match(
    metrics.body,
    /operation_duration_seconds_count\{mcp_method="tools\/call",tool="get_branch",outcome="capacity"\} 1/
  )
  t.match(
    metrics.body,
    /operation_duration_seconds_count\{mcp_method="tools\/call",tool="other",outcome="rpc_error"\} 1/
  )
})

t.test('a call that policy does not let through says why', async t => {
  const { log, server } = await audited(t, {
    FORGE_DENIED_TOOLS_REGEX: '^merge_',
    FORGE_ALLOWED_PROJECT_IDS: 'group/app',
    FORGE_CONFIRM: 'destructive',
    FORGE_TOOLSETS: 'all'
  })
  const own = { project_id: 'group/app' }
  for (const [tool, args] of [
    ['merge_merge_request', { ...own, merge_request_iid: '7' }],
    ['list_projects', {}],
    ['get_branch', { project_id: 'group/other', branch_name: 'main' }],
    ['delete_wiki_page', { ...own, slug: 'home' }],
    ['get_branch', { ...own, branch_name: 'main' }],
    ['get_branch', own]
  ] as const)
    await post(server, { body: call(tool, args) })
  const [denied, off, other, asked, served, wrong, ...more] = log
    .lines('tool call')
    .map(({ outcome, reason }) => [outcome, reason])
  t.same(denied, ['refused', 'merge_merge_request is switched off on this server.'])
  t.match(off, ['refused', /^list_projects is switched off: this server keeps to some projects/])
  t.same(other, ['tool_error', 'project_id "group/other" is not served here.'])
  t.match(asked, ['tool_error', /^This server wants delete_wiki_page confirmed\./])
  t.same(served, ['ok', undefined])
  t.same(wrong, ['tool_error', undefined], 'arguments are no matter of policy')
  t.same(more, [])
})

t.test('what policy does not let through by an argument says why, without what that says', async t => {
  const { log, server } = await audited(t, {
    FORGE_DENIED_TOOLS_REGEX: '^(?:create_tag|create_label|list_issues)$',
    FORGE_TOOLSETS: 'all'
  })
  const issue = { project_id: '1', issue_iid: '5' }
  for (const [tool, args] of [
    ['create_release', { project_id: '1', tag_name: 'v1', ref: 'secret' }],
    ['search', { scope: 'issues', query: 'secret' }],
    ['create_issue_note', { ...issue, body: 'secret\n/secret' }],
    ['update_issue', { ...issue, labels: ['secret'] }],
    ['update_issues', { project_id: '1', issues: [{ issue_iid: '5', labels: ['secret'] }] }]
  ] as const)
    await post(server, { body: call(tool, args) })
  const lines = log.lines('tool call')
  const label = 'labels names what would become a label, and create_label is switched off'
  const reasons = [
    'ref is not allowed: create_release does with it what create_tag does, which is switched off on this server',
    'scope=issues is not allowed: search does with it what list_issues does',
    'body has a line that the forge would carry out as a quick action.',
    label,
    label
  ]
  t.equal(lines.length, reasons.length)
  for (const [at, reason] of reasons.entries()) t.match(lines[at]?.reason, reason)
  t.notMatch(JSON.stringify(lines.map(({ object, ...said }) => said)), 'secret')
})

t.test(
  'of several things of which some were not done the line says so, and what the first failed on',
  async t => {
    const forge = await listen(t, ({ url = '' }, response) => {
      const status = url.endsWith('/403') ? 403 : url.endsWith('/404') ? 404 : 200
      const body = url.includes('/labels') ? '[]' : '{"iid":1}'
      const later = () => response.writeHead(status, { 'content-type': 'application/json' }).end(body)
      // Of two that fail at once the first is told, not the quicker.
      if (status === 403) setTimeout(later, 50)
      else later()
    })
    const log = captureLog()
    const settings = { FORGE_API_URL: forge, LOG_LEVEL: 'info', FORGE_DENIED_TOOLS_REGEX: '^create_label$' }
    const server = await testServer(t, settings, log.stream)
    const closed = (issue_iid: string) => ({ issue_iid, state_event: 'close' })
    for (const issues of [
      [closed('403'), closed('404'), closed('1')],
      [closed('1'), closed('403')],
      [closed('404'), closed('403')],
      [{ issue_iid: '2', labels: ['secret'] }, closed('1')],
      [closed('1'), closed('2')]
    ])
      await post(server, { body: call('update_issues', { project_id: '1', issues }) })
    const lines = log.lines('tool call').map(({ outcome, status, reason }) => [outcome, status, reason])
    t.match(lines, [
      ['partial', 403, undefined],
      ['partial', 403, undefined],
      ['tool_error', 404, undefined],
      ['partial', 200, /^labels names what would become a label, and create_label is switched off/],
      ['ok', 200, undefined]
    ])
    t.notMatch(log.text(), 'secret')
  }
)

t.test('what else the arguments say is not logged, and a long project is cut', async t => {
  const { log, server } = await audited(t, { LOG_LEVEL: 'trace' })
  const body = 'a text that is nobody’s business'
  await post(server, {
    body: call('create_issue', { project_id: `group/${'x'.repeat(5000)}`, title: body, description: body })
  })
  t.equal(log.lines('tool call').length, 1)
  t.notMatch(log.text(), 'nobody’s business')
  t.ok(log.text().length < 1000)
})

t.test('a token that is given as a name is not logged', async t => {
  const { log, server } = await audited(t, { FORGE_TOOLSETS: 'all' })
  const token = `glpat-${'a'.repeat(20)}`
  for (const [tool, args] of [
    ['set_variable', { project_id: 'group/app', key: token, value: 'v' }],
    ['create_pipeline', { project_id: 'group/app', ref: token }],
    ['protect_branch', { project_id: token, name: token }]
  ] as const)
    await post(server, { body: call(tool, args) })
  t.same(
    log.lines('tool call').map(({ project, object }) => [project, object]),
    [
      ['group/app', { key: '[redacted]' }],
      ['group/app', { ref: '[redacted]' }],
      ['[redacted]', { name: '[redacted]' }]
    ]
  )
})

t.test('the id of a request is the one it came with, when that is one', async t => {
  const { log, server } = await audited(t)
  const own = await post(server, { body: branch('main'), headers: { 'x-request-id': 'ingress-1.2_3' } })
  t.equal(own.headers['x-request-id'], 'ingress-1.2_3')
  t.equal(log.lines('tool call')[0]?.requestId, 'ingress-1.2_3')
  for (const bad of ['', 'a b', 'x'.repeat(65), 'é', '<script>']) {
    const { headers } = await post(server, { body: request('ping'), headers: { 'x-request-id': bad } })
    t.match(headers['x-request-id'], /^[\w-]{12}$/)
  }
  const refused = await post(server, { body: request('ping'), token: '', headers: { 'x-request-id': 'one' } })
  t.equal(refused.headers['x-request-id'], 'one', 'refusals too')
})

t.test('a traceparent is logged by its trace id and goes on as it is, tracestate with it', async t => {
  const { forge, log, server } = await audited(t)
  const id = '0af7651916cd43dd8448eb211c80319c'
  const traceparent = `00-${id}-b7ad6b7169203331-01`
  const tracestate = 'rojo=00f067aa0ba902b7'
  await post(server, { body: branch('main'), headers: { traceparent, tracestate } })
  t.equal(log.lines('tool call')[0]?.traceId, id)
  t.match(forge.seen[0], { traceparent, tracestate })
})

t.test('the trace that a message names in _meta counts before that of its request', async t => {
  const { forge, log, server } = await audited(t)
  const [outer, inner] = ['1', '2'].map(digit => `00-${digit.repeat(32)}-b7ad6b7169203331-01`)
  const message = branch('main')
  const params = { ...(message.params as object), _meta: { traceparent: inner } }
  await post(server, { body: { ...message, params }, headers: { traceparent: outer! } })
  t.equal(log.lines('tool call')[0]?.traceId, '2'.repeat(32))
  t.equal(forge.seen[0]?.traceparent, inner)
})

t.test('without a traceparent, or with one that is none, none goes to the forge', async t => {
  const { forge, log, server } = await audited(t)
  await post(server, { body: branch('main') })
  await post(server, { body: branch('main'), headers: { traceparent: 'nonsense', tracestate: 'rojo=1' } })
  t.equal(forge.seen.length, 2)
  t.notOk(forge.seen.some(headers => 'traceparent' in headers || 'tracestate' in headers))
  t.notOk(log.lines('tool call').some(line => 'traceId' in line))
})
