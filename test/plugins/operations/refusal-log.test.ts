import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { failureLimits } from '../../../src/fairness/credential-failures.ts'
import { refusalSampling } from '../../../src/log/sampled-lines.ts'
import { plainError } from '../../../src/protocol/messages/jsonrpc.ts'
import { principalOf } from '../../../src/session/credential.ts'
import { refusingLimits } from '../../../src/upstream/guard/refusing.ts'
import { listen } from '../../support/listen.ts'
import { captureLog } from '../../support/log.ts'
import { envelope, modernHeaders } from '../../support/modern.ts'
import { authorizeUrl, CLIENT_REDIRECT, pkce } from '../../support/oauth.ts'
import { call, initialize, OTHER_TOKEN, post, request, TOKEN, testServer } from '../../support/server.ts'

t.test('each refusal leaves a line: why, from where, for which host, under which id', async t => {
  const log = captureLog()
  const server = await testServer(t, { LOG_LEVEL: 'info', MAX_REQUESTS_PER_MINUTE: '2' }, log.stream)
  const refuse = async (options: Partial<Parameters<typeof post>[1]>) => {
    const response = await post(server, { body: request('ping'), ...options })
    const line = log.lines('request refused').at(-1)
    t.match(line, { status: response.statusCode, requestId: response.headers['x-request-id'] })
    return line
  }
  t.match(await refuse({ token: '' }), { status: 401, reason: 'missing', address: '127.0.0.1', path: '/mcp' })
  t.match(await refuse({ headers: { host: 'evil.example' } }), {
    status: 403,
    reason: 'host',
    host: 'evil.example'
  })
  t.match(await refuse({ headers: { origin: 'https://evil.example' } }), {
    status: 403,
    reason: 'origin',
    origin: 'https://evil.example'
  })
  t.match(await refuse({ headers: { 'mcp-session-id': '0f8fad5b-d9cb-469f-a165-70867728950e' } }), {
    status: 404
  })
  t.match(await refuse({ body: '{' }), { status: 400, principal: String })
  t.notOk('principal' in (await refuse({ token: '' }))!, 'nobody has said who it is')
})

t.test('the line of a refusal for lack of room says of what', async t => {
  const log = captureLog()
  const server = await testServer(t, { LOG_LEVEL: 'info', MAX_SESSIONS: '1' }, log.stream)
  for (const token of [TOKEN, OTHER_TOKEN]) await post(server, { token, body: initialize() })
  t.match(log.lines('request refused'), [{ status: 503, reason: 'capacity', hint: /1 sessions are open/ }])
})

t.test('the line of a session that is not found says why it has ended, and the answer does not', async t => {
  const log = captureLog()
  const server = await testServer(t, { LOG_LEVEL: 'info' }, log.stream)
  const open = async (token: string) =>
    String((await post(server, { token, body: initialize() })).headers['mcp-session-id'])
  const why = async (sid: string, how: { token?: string; method?: 'DELETE' } = {}) => {
    const { method = 'POST', token = TOKEN } = how
    const headers = { 'mcp-session-id': sid, 'private-token': token }
    const response = await (method === 'POST'
      ? post(server, { token, headers, body: request('ping') })
      : server.inject({ method, url: '/mcp', headers }))
    t.same(response.json().error, { code: -32001, message: 'Session not found' })
    return log.lines('request refused').at(-1)!.hint
  }
  t.match(await why('never-begun'), /knows no such session: it is of before its start, of another replica/)
  const others = await open(OTHER_TOKEN)
  t.match(await why(others, { method: 'DELETE' }), /is open, and of another caller/)
  const ended = await open(TOKEN)
  server.sessions.end(ended, 'here')
  t.match(await why(ended), /Its client has ended the session \(DELETE\)/)
  t.match(await why(ended, { method: 'DELETE' }), /Its client has ended/)
  await post(server, { token: '', headers: { 'mcp-session-id': ended }, body: request('ping') })
  t.match(log.lines('request refused').at(-1), { status: 401, hint: /Its client has ended/ })
})

t.test(
  'the line of a refused header says which it is and what is wrong, in no words of its sender',
  async t => {
    const log = captureLog()
    const server = await testServer(t, { LOG_LEVEL: 'info' }, log.stream)
    const hintAt = async (headers: Record<string, string>, token?: string) => {
      await post(server, { body: request('ping'), headers, ...(token !== undefined && { token }) })
      return log.lines('request refused').at(-1)!.hint
    }
    t.same(
      [
        await hintAt({ 'x-forge-toolsets': 'theirs' }),
        await hintAt({ 'x-forge-readonly': 'theirs' }),
        await hintAt({ 'x-forge-tool-surface': 'theirs' }),
        await hintAt({ 'x-forge-output': 'theirs' }),
        await hintAt({ 'x-forge-read-only-theirs': 'theirs' }),
        await hintAt({}, '$THEIRS'),
        await hintAt({}, 'theirs'),
        await hintAt({}, `"${'theirs'.repeat(4)}"`),
        await hintAt({ authorization: 'Basic dGhlaXJzOnRoZWlycw==' }, '')
      ],
      [
        'X-Forge-Toolsets names a toolset that there is not.',
        'X-Forge-Readonly is neither true nor false.',
        'X-Forge-Tool-Surface is neither full nor search.',
        'X-Forge-Output is neither full nor compact.',
        'A header is nearly X-Forge-Readonly.',
        'The header has the name of a variable where its value belongs: the client did not put it in.',
        'A token has 20 to 2048 characters, and this one 6.',
        'The token is in quotation marks: leave them out.',
        'The Authorization header must be "Bearer <token>".'
      ]
    )
  }
)

t.test(
  'an error that is answered with 200 leaves one line: the method, the code and what is wrong',
  async t => {
    const log = captureLog()
    const server = await testServer(t, { LOG_LEVEL: 'info' }, log.stream)
    const linesOf = async (body: unknown, headers: Record<string, string> = {}) => {
      const response = await post(server, { body, headers })
      t.equal(response.statusCode, 200, JSON.stringify(body))
      const id = response.headers['x-request-id']
      return log.lines().filter(line => line.requestId === id)
    }
    const modern = (method: string, params: object) =>
      [request(method, { ...params, _meta: envelope() }), modernHeaders(method, 'theirs')] as const
    const lines = []
    for (const [body, headers] of [
      [request('theirs'.repeat(100))],
      [request('prompts/get', { name: 'theirs' })],
      [request('resources/read', { uri: 'theirs:theirs' })],
      [request('initialize', {})],
      [request('tools/call', {})],
      [request('tools/call', { name: 'get_issue', project_id: 'theirs' })],
      [request('completion/complete', {})],
      [request('tools/list', { cursor: 'theirs' })],
      modern('prompts/get', { name: 'theirs' }),
      modern('tools/list', { cursor: 'theirs' }),
      modern('subscriptions/listen', { notifications: { toolsListChanged: 3 } })
    ] as const)
      lines.push(await linesOf(body, headers))
    t.same(
      lines.map(found =>
        found.map(({ msg, status, reason, code, method, hint }) => [
          msg,
          status,
          reason,
          code,
          String(method).slice(0, 20),
          hint
        ])
      ),
      [
        ['method', -32601, 'theirstheirstheirsth', 'There is no such method.'],
        ['params', -32602, 'prompts/get', undefined],
        [
          'params',
          -32002,
          'resources/read',
          'Unknown resource: resources/templates/list has the forms of URIs. A slash in a project or ref is written %2F.'
        ],
        ['params', -32602, 'initialize', 'initialize needs protocolVersion, a string such as "2025-11-25".'],
        ['params', -32602, 'tools/call', 'tools/call needs name, a string.'],
        ['params', -32602, 'tools/call', 'Arguments stand outside of params.arguments.'],
        ['params', -32602, 'completion/complete', 'completion/complete needs ref, an object.'],
        ['params', -32602, 'tools/list', 'Unknown cursor: the list comes as a whole, on one page.'],
        ['params', -32602, 'prompts/get', undefined],
        ['params', -32602, 'tools/list', 'Unknown cursor: the list comes as a whole, on one page.'],
        ['params', -32602, 'subscriptions/listen', 'notifications.toolsListChanged must be a boolean.']
      ].map(line => [['request refused', 200, ...line]])
    )
    t.equal(String(lines[0]?.[0]?.method).length, 200)
    t.same(
      (await linesOf(call('no_such_tool', {}))).map(({ msg }) => msg),
      ['tool call'],
      'a call has a line of its own'
    )
  }
)

t.test('what is refused in a batch leaves one line', async t => {
  const log = captureLog()
  const server = await testServer(t, { LOG_LEVEL: 'info' }, log.stream)
  const { headers } = await post(server, { body: initialize('2025-03-26') })
  const body = [request('ping'), request('theirs'), request('theirs')]
  await post(server, { body, headers: { 'mcp-session-id': String(headers['mcp-session-id']) } })
  t.match(log.lines('request refused'), [{ status: 200, reason: 'method', code: -32601, method: 'theirs' }])
  t.equal(log.lines('request refused').length, 1)
})

t.test('an error at the end of a stream leaves a line', async t => {
  const log = captureLog()
  const server = await testServer(t, { LOG_LEVEL: 'info' }, log.stream)
  t.intercept(server.mcp.completions!, 'complete', {
    value: async (_asked: unknown, { notify }: { notify: (message: string) => void }) => {
      notify('{}')
      throw plainError(-32602, 'It is wrong.')
    }
  })
  const templates = await post(server, { body: request('resources/templates/list') })
  const { uriTemplate: uri } = templates.json().result.resourceTemplates[0]
  const params = { ref: { type: 'ref/resource', uri }, argument: { name: 'project_id', value: '' } }
  const response = await post(server, {
    body: request('completion/complete', params),
    headers: { accept: 'application/json, text/event-stream' }
  })
  t.match(response.headers['content-type'], 'text/event-stream')
  t.match(log.lines('request refused'), [
    { status: 200, method: 'completion/complete', hint: 'It is wrong.' }
  ])
})

t.test('the line of a message that is none says what is wrong with it', async t => {
  const log = captureLog()
  const server = await testServer(t, { LOG_LEVEL: 'info' }, log.stream)
  const hintAt = async (body: unknown, headers: Record<string, string> = {}) => {
    const { statusCode } = await post(server, { body, headers })
    t.ok(statusCode >= 400, JSON.stringify(body))
    return log.lines('request refused').at(-1)!.hint
  }
  const { headers } = await post(server, { body: initialize() })
  const session = { 'mcp-session-id': String(headers['mcp-session-id']) }
  const ofList = request('tools/list', { _meta: envelope() })
  t.same(
    [
      await hintAt([]),
      await hintAt({ ...request('ping'), id: null }),
      await hintAt({ id: 1, method: 'ping' }),
      await hintAt({ ...request('ping'), params: ['theirs'] }),
      await hintAt({ jsonrpc: '2.0', id: 'theirs', result: {} }),
      await hintAt(initialize(), session),
      await hintAt(request('ping'), { 'content-type': 'text/plain' }),
      await hintAt(ofList, { ...modernHeaders('theirs'), 'mcp-method': 'theirs' }),
      await hintAt({ ...ofList, method: 'theirs' }, modernHeaders('tools/list'))
    ],
    [
      'batches are for sessions of 2025-03-26 and before: send one message at a time.',
      'id must be a string of at most 1,024 characters, or a whole number between -2^53 and 2^53.',
      'jsonrpc must be "2.0".',
      'params must be an object.',
      'an answer belongs to the session whose call asked. Send it again with the Mcp-Session-Id of that call.',
      'This session has begun already: leave Mcp-Session-Id out to initialize another.',
      'Content-Type must be application/json.',
      'The Mcp-Method header must be sent once and equal the body.',
      'The Mcp-Method header must be sent once and equal the body.'
    ]
  )
})

t.test('the line of an unknown method says what is wrong with it, in each era', async t => {
  const log = captureLog()
  const server = await testServer(t, { LOG_LEVEL: 'info' }, log.stream)
  for (const [method, hint] of [
    ['theirs', 'There is no such method.'],
    ['tools/lists', 'Did you mean tools/list?'],
    ['get_issue', /^It is a tool/]
  ] as const)
    for (const sent of [
      { body: request(method) },
      { body: request(method, { _meta: envelope() }), headers: modernHeaders(method) }
    ]) {
      await post(server, sent)
      t.match(log.lines('request refused').at(-1), { method, reason: 'method', hint })
    }
})

t.test('the line of a refused login says why', async t => {
  const log = captureLog()
  const settings = { LOG_LEVEL: 'info', FORGE_MCP_OAUTH: 'true', FORGE_OAUTH_APP_ID: 'app' }
  const server = await testServer(t, settings, log.stream)
  const registered = await server.inject({
    method: 'POST',
    url: '/register',
    headers: { host: 'localhost' },
    payload: { redirect_uris: [CLIENT_REDIRECT] }
  })
  const { client_id } = registered.json()
  const hintAt = async (more: Record<string, string>) => {
    const query = new URLSearchParams({ client_id, response_type: 'code', ...more })
    await server.inject({ method: 'GET', url: `/authorize?${query}`, headers: { host: 'localhost' } })
    return log.lines('request refused').at(-1)
  }
  t.match(await hintAt({ client_id: 'theirs' }), {
    reason: 'invalid_request',
    hint: /^Unregistered redirect_uri: the client_id is not known here/
  })
  t.match(await hintAt({ redirect_uri: 'https://theirs.example/' }), {
    hint: /^Unregistered redirect_uri: use exactly/
  })
  await hintAt({})
  t.match(log.lines('login step').at(-1), { error: 'invalid_request', hint: /^PKCE is required/ })
  t.notMatch(JSON.stringify(log.lines('request refused')), /theirs/)
})

t.test('in OAuth mode the line of a credential that is none says what is wrong with it, too', async t => {
  const log = captureLog()
  const settings = { LOG_LEVEL: 'info', FORGE_MCP_OAUTH: 'true', FORGE_OAUTH_APP_ID: 'app' }
  const server = await testServer(t, settings, log.stream)
  await post(server, { token: '', headers: { authorization: 'Basic abc' }, body: request('ping') })
  t.match(log.lines('request refused'), [{ reason: 'format', hint: /must be "Bearer/ }])
})

t.test('a request without an id leaves a line in each era, as nobody is answered', async t => {
  const log = captureLog()
  const server = await testServer(t, { LOG_LEVEL: 'info' }, log.stream)
  const { id: _, ...idless } = call('get_issue', { project_id: '1', issue_iid: '1' })
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' }
  for (const options of [{}, { headers }]) {
    const { statusCode, headers: answered } = await post(server, { body: idless, ...options })
    t.equal(statusCode, 202)
    t.match(log.lines('a request without an id was not carried out').at(-1), {
      requestId: answered['x-request-id'],
      method: 'tools/call',
      principal: principalOf({ kind: 'private-token', token: TOKEN }),
      address: '127.0.0.1'
    })
  }
  await post(server, { body: { jsonrpc: '2.0', method: 'notifications/initialized' } })
  t.equal(log.lines('a request without an id was not carried out').length, 2, 'a notification leaves none')
})

t.test(
  'a notification whose name is nearly one of MCP leaves a line in each era, and no other does',
  async t => {
    const log = captureLog()
    const server = await testServer(t, { LOG_LEVEL: 'info' }, log.stream)
    const modern = { 'mcp-protocol-version': '2026-07-28' }
    const notify = async (method: string, headers: Record<string, string> = {}) =>
      t.equal((await post(server, { body: { jsonrpc: '2.0', method }, headers })).statusCode, 202, method)
    const meant = {
      'notifications/canceled': 'notifications/cancelled',
      'notifications/cancel': 'notifications/cancelled',
      '$/cancelRequest': 'notifications/cancelled',
      initialized: 'notifications/initialized',
      'notifications/rootsListChanged': 'notifications/roots/list_changed',
      'tools/cal': 'tools/call',
      callTool: 'tools/call'
    }
    for (const headers of [{}, modern]) for (const method of Object.keys(meant)) await notify(method, headers)
    for (const method of [
      'notifications/initialized',
      'notifications/claude/channel',
      '$/setTrace',
      'x'.repeat(9e4)
    ])
      await notify(method)
    const lines = log.lines('a notification was ignored')
    const once = Object.entries(meant)
    t.same(
      lines.map(({ method, meant }) => [method, meant]),
      [...once, ...once]
    )
    t.match(lines[0], { requestId: String, principal: String, address: '127.0.0.1' })
  }
)

t.test('a cancellation that names no request leaves a line, in each era: its call goes on', async t => {
  const log = captureLog()
  const server = await testServer(t, { LOG_LEVEL: 'info' }, log.stream)
  const method = 'notifications/cancelled'
  for (const version of ['2025-06-18', '2026-07-28'])
    for (const params of [{ id: 1 }, { requestId: 1 }])
      await post(server, {
        body: { jsonrpc: '2.0', method, params },
        headers: { 'mcp-protocol-version': version }
      })
  const meant = 'params.requestId, the id of the request'
  t.match(log.lines('a notification was ignored'), [
    { method, meant },
    { method, meant }
  ])
  t.equal(log.lines('a notification was ignored').length, 2)
})

t.test('and so does what nothing counts, in each era and beside /mcp: what is wrong has a name', async t => {
  const log = captureLog()
  const server = await testServer(t, { LOG_LEVEL: 'info' }, log.stream)
  const ping = request('ping')
  const modern = (meta: object) => ({
    body: request('tools/list', {
      _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', ...meta }
    })
  })
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }
  const capable = { 'io.modelcontextprotocol/clientCapabilities': {} }
  for (const [options, status, reason] of [
    [{ body: '{' }, 400, 'json'],
    [{ body: '3' }, 400, 'malformed'],
    [{ body: '[]' }, 400, 'malformed'],
    [{ body: ping, headers: { 'content-type': 'text/plain' } }, 415, 'malformed'],
    [{ body: ping, headers: { 'mcp-protocol-version': '1999-01-01' } }, 400, 'version'],
    [{ body: ping, headers: { 'x-forge-readonly': 'perhaps' } }, 400, 'header'],
    [{ body: ping, headers: { accept: 'text/html' } }, 406, 'accept'],
    [{ ...modern({}), headers }, 400, 'params'],
    [modern(capable), 400, 'header'],
    [
      {
        ...modern({ ...capable, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' }),
        headers: { ...headers, 'mcp-protocol-version': '2030-01-01' }
      },
      400,
      'version'
    ]
  ] as const) {
    const response = await post(server, options)
    const line = log.lines('request refused').at(-1)
    t.match(line, { status, reason, requestId: response.headers['x-request-id'] }, JSON.stringify(options))
  }
  for (const [method, url, status, reason] of [
    ['GET', '/mcp', 405, 'method'],
    ['POST', '/livez', 405, 'method'],
    ['POST', '/sse?token=glpat-secret', 404, 'path']
  ] as const) {
    await server.inject({ method, url, headers: { host: 'localhost' } })
    const path = url === '/mcp' ? url : undefined
    t.match(log.lines('request refused').at(-1), { status, reason, path }, url)
  }
  t.notOk(log.lines('request refused').some(line => line.reason === undefined))
})

t.test('a 401 beside a forge that is ignored says so, in its line and to its caller', async t => {
  const log = captureLog()
  const settings = { LOG_LEVEL: 'info', FORGE_API_URL: 'https://forge.example' }
  const server = await testServer(t, settings, log.stream)
  const refuse = async (url?: string) => {
    const headers: Record<string, string> = url === undefined ? {} : { 'x-forge-api-url': url }
    const response = await post(server, { token: '', headers, body: request('ping') })
    t.equal(response.statusCode, 401)
    return { says: response.json().error.message as string, line: log.lines('request refused').at(-1)! }
  }
  const other = await refuse('https://other.example')
  t.match(other.says, /^Missing Authorization or Private-Token header.* X-Forge-API-URL is ignored/)
  t.match(other.line, { status: 401, reason: 'missing', hint: /^X-Forge-API-URL is ignored/ })
  for (const { says, line } of [await refuse(), await refuse('https://forge.example/api/v4/')]) {
    t.notMatch(says, 'X-Forge-API-URL')
    t.notOk('hint' in line)
  }
})

t.test('who is over a limit is told by the principal that calls have in their lines', async t => {
  const log = captureLog()
  const server = await testServer(t, { LOG_LEVEL: 'info', MAX_REQUESTS_PER_MINUTE: '1' }, log.stream)
  const calling = () => post(server, { body: call('get_branch', { project_id: 'a/b', branch_name: 'main' }) })
  await calling()
  t.equal((await calling()).statusCode, 429)
  const [line] = log.lines('tool call')
  t.match(log.lines('request refused'), [{ status: 429, reason: 'rate_limit', principal: line!.principal }])
})

t.test('a storm is told by its first lines and how many more there were', async t => {
  const log = captureLog()
  const server = await testServer(t, { LOG_LEVEL: 'info' }, log.stream)
  const storm = refusalSampling.lines + 7
  for (let at = 0; at < storm; at++) await post(server, { token: '', body: request('ping') })
  t.equal(log.lines('request refused').length, refusalSampling.lines)
  await server.close()
  t.match(log.lines('more requests refused'), [{ status: 401, reason: 'missing', more: 7 }])
})

t.test('a storm for one reason does not use up the lines of another with the same status', async t => {
  const log = captureLog()
  const server = await testServer(t, { LOG_LEVEL: 'info' }, log.stream)
  for (let at = 0; at < refusalSampling.lines + 7; at++)
    await post(server, { token: '', body: request('ping') })
  await post(server, { token: 'short', body: request('ping') })
  t.match(log.lines('request refused').at(-1), { status: 401, reason: 'format' })
})

t.test('so is a storm of refused logins, of which each names its step and what is wrong', async t => {
  const log = captureLog()
  const settings = { LOG_LEVEL: 'info', FORGE_MCP_OAUTH: 'true', FORGE_OAUTH_APP_ID: 'app' }
  const server = await testServer(t, settings, log.stream)
  const refuse = () =>
    server.inject({ url: '/authorize?client_id=nobody&code=secret', headers: { host: 'localhost' } })
  for (let at = 0; at < refusalSampling.lines + 7; at++) await refuse()
  const lines = log.lines('request refused')
  t.equal(lines.length, refusalSampling.lines)
  t.match(lines[0], { status: 400, path: '/authorize', reason: /^\w+$/ })
  t.notMatch(JSON.stringify(lines), /secret/)
})

t.test('a login that ends at the client with an error has its code in the line of the step', async t => {
  const log = captureLog()
  const settings = { LOG_LEVEL: 'info', FORGE_MCP_OAUTH: 'true', FORGE_OAUTH_APP_ID: 'app' }
  const server = await testServer(t, settings, log.stream)
  const payload = { redirect_uris: [CLIENT_REDIRECT] }
  const { client_id } = (await server.inject({ method: 'POST', url: '/register', payload })).json()
  for (const scope of ['sudo', 'api'])
    await server.inject({
      url: authorizeUrl('', { client_id, scope, code_challenge: pkce().challenge }),
      headers: { host: 'localhost' }
    })
  const steps = log.lines('login step').filter(({ step }) => step === '/authorize')
  t.match(steps, [{ error: 'invalid_scope' }, { error: undefined }])
})

t.test('why the document of a client cannot be fetched is for the log alone', async t => {
  const log = captureLog()
  const settings = {
    LOG_LEVEL: 'info',
    FORGE_MCP_OAUTH: 'true',
    FORGE_OAUTH_APP_ID: 'app',
    FORGE_OAUTH_CLIENT_DOCUMENTS: 'true'
  }
  const server = await testServer(t, settings, log.stream)
  const client = encodeURIComponent('https://10.0.0.1/client.json')
  const { body } = await server.inject({
    url: `/authorize?client_id=${client}`,
    headers: { host: 'localhost' }
  })
  t.match(log.lines('request refused'), [{ reason: 'invalid_client', hint: /private networks/ }])
  t.notMatch(body, /private/)
})

t.test('a login that is refused for the name it came to is one line, too', async t => {
  const log = captureLog()
  const settings = { LOG_LEVEL: 'info', FORGE_MCP_OAUTH: 'true', FORGE_OAUTH_APP_ID: 'app' }
  const server = await testServer(t, settings, log.stream)
  await server.inject({ url: '/authorize', headers: { host: 'elsewhere.example' } })
  t.match(log.lines('request refused'), [{ status: 403, reason: 'host' }])
  t.equal(log.lines('request refused').length, 1)
})

t.test('a client that speaks TLS to the port leaves a line, as it is told nothing', async t => {
  const log = captureLog()
  const server = await testServer(t, { LOG_LEVEL: 'info' }, log.stream)
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  await t.rejects(fetch(`https://127.0.0.1:${port}/mcp`))
  t.match(log.lines('request refused'), [
    { status: 400, reason: 'tls', hint: /use http:/, address: '127.0.0.1' }
  ])
})

t.test(
  'whose token a forge refuses is told, in OAuth mode and where an address has had too many',
  async t => {
    let status = 401
    const forge = await listen(t, (_request, response) => response.writeHead(status).end('{}'))
    const oauth = {
      FORGE_MCP_OAUTH: 'true',
      FORGE_OAUTH_APP_ID: 'an-app',
      MCP_SERVER_URL: 'https://mcp.example'
    }
    const log = captureLog()
    const settings = { LOG_LEVEL: 'info', FORGE_API_URL: forge }
    const checking = await testServer(t, { ...settings, ...oauth }, log.stream)
    const branch = call('get_branch', { project_id: 'a/b', branch_name: 'main' })
    const told = async (server: FastifyInstance, token: string) => {
      await post(server, { body: branch, token })
      return log.lines('request refused').at(-1)
    }
    const principal = (token: string) => principalOf({ kind: 'private-token', token })
    t.match(await told(checking, TOKEN), { status: 401, reason: 'rejected', principal: principal(TOKEN) })
    status = 503
    t.match(await told(checking, OTHER_TOKEN), { reason: 'unchecked', principal: principal(OTHER_TOKEN) })

    status = 401
    const plain = await testServer(t, settings, log.stream)
    for (let at = 0; at < failureLimits.failures; at++)
      await post(plain, { body: branch, token: `glpat-made-up-made-up-${at}` })
    t.match(await told(plain, TOKEN), {
      status: 429,
      reason: 'failed_credentials',
      principal: principal(TOKEN),
      hint: /name it in MCP_TRUST_PROXY/
    })
  }
)

t.test('a forge that begins to refuse most leaves a line, and one when it no longer does', async t => {
  const log = captureLog()
  let status = 403
  const forge = await listen(t, (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"iid":1}')
  })
  const server = await testServer(t, { FORGE_API_URL: forge, LOG_LEVEL: 'warn' }, log.stream)
  let ms = 0
  const { now } = performance
  t.intercept(performance, 'now', { value: () => now.call(performance) + ms })
  const ask = async (times: number) => {
    for (let time = 0; time < times; time++)
      await post(server, { body: call('get_issue', { project_id: '1', issue_iid: '1' }) })
    ms += refusingLimits.windowMs + 1
  }
  await ask(refusingLimits.volume)
  status = 200
  for (const _ of [1, 2]) await ask(1)
  const { host } = new URL(forge)
  t.match(log.lines('the forge refuses most requests'), [{ level: 40, host, status: 403, share: 1 }])
  t.match(log.lines('the forge refuses most requests no longer'), [{ level: 40, host }])
})
