import { METHODS } from 'node:http'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { Cancellation } from '../../../src/base/cancellation.ts'
import { answer, startsSession } from '../../../src/protocol/eras/dispatch.ts'
import type { Exchange } from '../../../src/protocol/exchange/exchange.ts'
import { InFlight } from '../../../src/protocol/exchange/in-flight.ts'
import type { Service } from '../../../src/protocol/exchange/service.ts'
import { overCapacity } from '../../../src/protocol/messages/limit-refusals.ts'
import { listen } from '../../support/listen.ts'
import { captureLog } from '../../support/log.ts'
import { call, initialize, OTHER_TOKEN, post, request, TOKEN, testServer } from '../../support/server.ts'

t.test('a session', async t => {
  const server = await testServer(t)

  t.test('starts with initialize and carries its id', async t => {
    const response = await post(server, { body: initialize() })
    t.equal(response.statusCode, 200)
    t.match(response.headers['mcp-session-id'], /^[\w-]{43}$/)
    t.match(response.json(), {
      jsonrpc: '2.0',
      id: 1,
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'forge-tool-server' }
      }
    })
  })

  t.test('starts with any other request too, and is one per credential then', async t => {
    const first = await post(server, { body: request('tools/list') })
    const second = await post(server, { body: request('ping') })
    t.equal(first.statusCode, 200)
    t.ok(first.json().result.tools.length > 10)
    t.equal(first.headers['mcp-session-id'], second.headers['mcp-session-id'])
    const other = await post(server, { token: OTHER_TOKEN, body: request('ping') })
    t.not(other.headers['mcp-session-id'], first.headers['mcp-session-id'])
  })

  t.test('does not start for a notification or an unreadable message', async t => {
    const before = server.sessions.size
    const token = 'glpat-nobody-nobody-nobody'
    const notification = await post(server, {
      token,
      body: { jsonrpc: '2.0', method: 'notifications/initialized' }
    })
    t.equal(notification.statusCode, 202)
    t.equal(notification.body, '')
    t.equal(notification.headers['mcp-session-id'], undefined)
    t.equal((await post(server, { token, body: '{"jsonrpc":"2.0",' })).statusCode, 400)
    t.equal(server.sessions.size, before)
  })

  t.test('is served with its own token when a request brings none', async t => {
    const sid = await open(server)
    const response = await post(server, {
      token: '',
      headers: { 'mcp-session-id': sid },
      body: request('ping')
    })
    t.equal(response.statusCode, 200)
    t.equal(response.headers['mcp-session-id'], sid)
  })

  t.test('takes over another credential that comes with its id', async t => {
    const sid = await open(server)
    const headers = { 'mcp-session-id': sid }
    t.equal((await post(server, { token: OTHER_TOKEN, headers, body: request('ping') })).statusCode, 200)
    t.equal(server.sessions.open(sid)?.credential.token, OTHER_TOKEN)
  })

  t.test('cannot be initialized twice', async t => {
    const sid = await open(server)
    const response = await post(server, { headers: { 'mcp-session-id': sid }, body: initialize() })
    t.equal(response.statusCode, 400, 'as any invalid request')
    t.match(response.json(), {
      id: 1,
      error: { code: -32600, message: /begun already: leave Mcp-Session-Id out/ }
    })
  })

  t.test('ends with DELETE: 204, then 404', async t => {
    const sid = await open(server)
    t.equal((await remove(server, sid)).statusCode, 204)
    t.same((await remove(server, sid)).json().error, { code: -32001, message: 'Session not found' })
    const late = await post(server, { headers: { 'mcp-session-id': sid }, body: request('ping') })
    t.equal(late.statusCode, 404)
  })

  t.test('that is over or never was is left behind by initialize', async t => {
    const response = await post(server, {
      headers: { 'mcp-session-id': 'no-such-session' },
      body: initialize()
    })
    t.equal(response.statusCode, 200)
    const sid = response.headers['mcp-session-id'] as string
    t.equal(
      (await post(server, { headers: { 'mcp-session-id': sid }, body: request('ping') })).statusCode,
      200
    )
  })

  t.test('is not ended by somebody else who knows its id', async t => {
    const sid = await open(server)
    t.equal((await remove(server, sid, OTHER_TOKEN)).statusCode, 404)
    t.ok(server.sessions.open(sid))
  })

  t.test('needs an id to be ended', async t => {
    const response = await server.inject({
      method: 'DELETE',
      url: '/mcp',
      headers: { host: 'localhost', 'private-token': TOKEN }
    })
    t.equal(response.statusCode, 400)
  })
})

t.test('credentials', async t => {
  const server = await testServer(t)
  const ping = request('ping')

  t.test('are taken from Private-Token, JOB-TOKEN and Authorization: Bearer', async t => {
    const sent: Record<string, string>[] = [
      { 'private-token': TOKEN },
      { 'job-token': TOKEN },
      { authorization: `Bearer ${TOKEN}` },
      { authorization: `bearer  ${TOKEN}` }
    ]
    for (const headers of sent)
      t.equal(
        (await post(server, { token: '', headers, body: ping })).statusCode,
        200,
        JSON.stringify(headers)
      )
  })

  t.test('missing: 401 in the documented words', async t => {
    const response = await post(server, { token: '', body: ping })
    t.equal(response.statusCode, 401)
    t.match(response.json(), {
      jsonrpc: '2.0',
      error: { message: /^Missing Authorization or Private-Token header/ }
    })
    t.notOk('id' in response.json(), 'an unknown id is left out')
    t.equal(response.headers['www-authenticate'], undefined, 'no OAuth is hinted at')
  })

  t.test('under a name that is not read: which one is meant, and nothing of the token', async t => {
    const secret = 'glpat-SECRET-SECRET-SECRET'
    const log = captureLog()
    const logged = await testServer(t, { LOG_LEVEL: 'info' }, log.stream)
    const says = async (headers: Record<string, string>, query = '') => {
      const sent = { host: 'localhost', 'content-type': 'application/json', ...headers }
      const response = await logged.inject({
        method: 'POST',
        url: `/mcp${query}`,
        headers: sent,
        payload: JSON.stringify(ping)
      })
      t.equal(response.statusCode, 401)
      t.notMatch(response.body, 'SECRET')
      return response.json().error.message.split(/(?<=Bearer\.) /)[1]
    }
    for (const [name, meant] of [
      ['PRIVATE_TOKEN', 'Private-Token'],
      ['X-GitLab-Token', 'Private-Token'],
      ['X-API-Key', 'Private-Token'],
      ['JOB_TOKEN', 'JOB-TOKEN']
    ] as const) {
      t.match(
        await says({ [name]: secret }),
        new RegExp(`^${name} is not read: a token of the forge in it belongs in ${meant}\\.$`, 'i')
      )
      t.match(log.lines('request refused').at(-1)!.hint, new RegExp(`^${name} is not read`, 'i'))
    }
    t.equal(
      await says({}, `?a=b&private_token=${secret}`),
      'A token in the URL (private_token) is not read, and URLs end up in logs: renew it, and send it as Private-Token.'
    )
    for (const other of ['X-CSRF-Tokens', 'X-Gitlab-Event-UUID', 'private-token'])
      t.equal(await says({ [other]: other === 'private-token' ? '' : secret }), undefined, other)
    t.notMatch(log.text(), 'SECRET')
  })

  t.test('missing with an unknown session: 401; given with an unknown session: 404', async t => {
    const headers = { 'mcp-session-id': 'no-such-session' }
    const alone = await post(server, { token: '', headers, body: ping })
    t.equal(alone.statusCode, 401)
    t.match(alone.json(), {
      error: { message: /^Missing Authorization .* has ended: initialize another\.$/ }
    })
    const response = await post(server, { headers, body: ping })
    t.equal(response.statusCode, 404)
    t.match(response.json(), { error: { message: 'Session not found' } })
  })

  t.test('of 19 characters, of 2049, of odd characters, of another scheme: 401 that says so', async t => {
    for (const [headers, says] of [
      [{ 'private-token': 'x'.repeat(19) }, /20 to 2048/],
      [{ 'private-token': 'x'.repeat(2049) }, /20 to 2048/],
      [{ 'private-token': 'with blanks in it is no token' }, /characters/],
      [{ authorization: 'Basic dXNlcjpwYXNzd29yZHBhc3N3b3Jk' }, /Bearer/],
      [{ authorization: TOKEN }, /Bearer/]
    ] as const) {
      const response = await post(server, { token: '', headers, body: ping })
      t.equal(response.statusCode, 401)
      t.match(response.json().error.message, says)
    }
  })

  t.test('of 20 and of 2048 characters are accepted', async t => {
    for (const token of ['x'.repeat(20), 'x'.repeat(2048)])
      t.equal((await post(server, { token, body: ping })).statusCode, 200)
  })
})

t.test('what comes in', async t => {
  const server = await testServer(t)

  t.test('not JSON, cut off, empty or poisoned: 400 and -32700 in JSON', async t => {
    for (const body of [
      '{"jsonrpc":"2.0",',
      'hello',
      '',
      '{"__proto__":{"x":1}}',
      '{"a":{"constructor":{"prototype":1}}}'
    ]) {
      const response = await post(server, { body })
      t.equal(response.statusCode, 400, body)
      t.match(response.json(), { jsonrpc: '2.0', error: { code: -32700, message: /^Parse error/ } })
    }
  })

  t.test('with quotation marks that a shell has changed: the way out is told', async t => {
    for (const body of [`'{"jsonrpc":"2.0"}'`, "'{jsonrpc:2.0,", '{jsonrpc:2.0,id:1}', '{\\"jsonrpc\\":1}']) {
      const { error } = (await post(server, { body })).json()
      t.match(
        error.message,
        /^Parse error: .* A shell may have changed the quotation marks: .* -d @file\)\.$/,
        body
      )
    }
    for (const body of ['{"a":', 'hello', '["x"', '{"a" 1}'])
      t.notMatch((await post(server, { body })).json().error.message, /shell/, body)
  })

  t.test('and each refusal says what to send', async t => {
    const old = await open(server, '2025-03-26')
    const inSession = { 'mcp-session-id': old }
    const named = (version: string) => ({ 'mcp-protocol-version': version, 'mcp-method': 'tools/list' })
    const example = /send one JSON-RPC message, such as \{"jsonrpc":"2\.0","id":1,"method":"tools\/list"\}\.$/
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2030-01-01' }
    const capable = { ...meta, 'io.modelcontextprotocol/clientCapabilities': {} }
    for (const [body, said, headers] of [
      ['{"jsonrpc":', example],
      ['', example],
      ['"ping"', /a JSON-RPC message is an object, such as \{"jsonrpc"/],
      [JSON.stringify(request('ping')).replace(/./g, '$&\u0000'), /send it in UTF-8\.$/],
      [request('initialize', {}), /protocolVersion, a string such as "2025-11-25"\.$/],
      [Array(51).fill(request('ping')), /a batch has 1 to 50 messages, not 51\.$/, inSession],
      [[initialize()], /cannot be part of a batch: send it alone\.$/, inSession],
      [request('tools/list'), /Those up to 2025-11-25 need neither\.$/, named('2026-07-28')],
      [
        request('tools/list', { _meta: capable }),
        /^Unsupported protocol version: 2030-01-01 \(supported: 2026-07-28, 2025-11-25, /,
        named('2030-01-01')
      ]
    ] as readonly (readonly [unknown, RegExp, Record<string, string>?])[])
      t.match((await post(server, { body, ...(headers && { headers }) })).json().error.message, said)
  })

  t.test('nested 100,000 deep: 400 at once', async t => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    const response = await post(server, { body })
    t.equal(response.statusCode, 400)
    t.match(response.json().error.message, /nested deeper than 64/)
  })

  t.test('of very many values: 413, however small they are', async t => {
    const values = Array(500_000).fill('[]').join(',')
    for (const body of [
      `[${values}]`,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_branch","arguments":{"project_id":[${values}]}}}`
    ]) {
      const response = await post(server, { body })
      t.equal(response.statusCode, 413)
      t.match(response.json(), { jsonrpc: '2.0', error: { code: -32600, message: /more than 20000 values/ } })
    }
  })

  t.test('large by a text: served', async t => {
    const text = 'A "line" of [brackets], {braces}, commas\n'.repeat(70_000)
    const response = await post(server, { body: request('ping', { text }) })
    t.equal(response.statusCode, 200)
  })

  t.test('JSON but not JSON-RPC: 400 and -32600', async t => {
    for (const body of [
      '[]',
      '1',
      'null',
      '{}',
      { jsonrpc: '1.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: 1 }
    ]) {
      const response = await post(server, { body })
      t.equal(response.statusCode, 400, JSON.stringify(body))
      t.match(response.json(), { error: { code: -32600 } })
    }
  })

  t.test(
    'with an id of null, an object or a fraction is refused; the id is echoed where it can be read',
    async t => {
      for (const id of [null, {}, 1.5, 2 ** 60]) {
        const response = await post(server, { body: { jsonrpc: '2.0', id, method: 'ping' } })
        t.match(response.json(), {
          error: { code: -32600, message: /id must be .* between -2\^53 and 2\^53/ }
        })
      }
      t.match((await post(server, { body: { jsonrpc: '1.0', id: 'a', method: 'ping' } })).json(), { id: 'a' })
      t.match((await post(server, { body: request('ping', undefined, 'ü') })).json(), { id: 'ü', result: {} })
    }
  )

  t.test('larger than 4 MiB: 413; just below: served', async t => {
    const padded = (size: number) =>
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${'x'.repeat(size)}"}}`
    t.equal((await post(server, { body: padded(4 * 1024 * 1024) })).statusCode, 413)
    t.equal((await post(server, { body: padded(4 * 1024 * 1024 - 100) })).statusCode, 200)
  })

  t.test('in another encoding than UTF-8: 400, as letters would be lost on the way to the forge', async t => {
    const text = JSON.stringify(request('ping', { text: 'Müller' }))
    const encoded = (payload: Buffer) =>
      server.inject({
        method: 'POST',
        url: '/mcp',
        headers: { host: 'localhost', 'content-type': 'application/json', 'private-token': TOKEN },
        payload
      })
    for (const bytes of [Buffer.from(text, 'latin1'), Buffer.from(`\uFEFF${text}`, 'utf16le')]) {
      const response = await encoded(bytes)
      t.equal(response.statusCode, 400)
      t.match(response.json(), { error: { code: -32700, message: /another encoding than UTF-8/ } })
    }
    for (const sent of [text, `\uFEFF${text}`, text.replace('ü', '\uFFFD')])
      t.equal((await encoded(Buffer.from(sent))).statusCode, 200)
  })

  t.test('that is packed: 415, as it is read as it is', async t => {
    const text = JSON.stringify(request('ping'))
    const packed = (encoding: string, payload: string | Buffer) =>
      server.inject({
        method: 'POST',
        url: '/mcp',
        headers: {
          host: 'localhost',
          'content-type': 'application/json',
          'private-token': TOKEN,
          'content-encoding': encoding
        },
        payload
      })
    const response = await packed('gzip', gzipSync(text))
    t.equal(response.statusCode, 415)
    t.equal(response.headers['accept-encoding'], 'identity')
    t.match(response.json(), { error: { code: -32600, message: /^Content-Encoding is not supported/ } })
    t.equal((await packed('identity', text)).statusCode, 200)
  })

  t.test('of any content type but application/json: 415', async t => {
    for (const type of [
      'text/plain',
      'text/plain; application/json',
      'application/x-www-form-urlencoded',
      'application/jsonp'
    ]) {
      const response = await post(server, { headers: { 'content-type': type }, body: request('ping') })
      t.equal(response.statusCode, 415, type)
      t.match(response.json(), { jsonrpc: '2.0', error: { message: /application\/json/ } })
    }
    const response = await post(server, {
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: request('ping')
    })
    t.equal(response.statusCode, 200)
  })

  t.test('by another method: 405 that names the right ones', async t => {
    for (const method of METHODS.filter(method => !['POST', 'DELETE', 'CONNECT'].includes(method))) {
      const response = await server.inject({
        method: method as 'GET',
        url: '/mcp',
        headers: { host: 'localhost' }
      })
      t.equal(response.statusCode, 405)
      t.equal(response.headers.allow, 'POST, DELETE')
      if (method !== 'HEAD') t.match(response.json(), { jsonrpc: '2.0', error: {} })
    }
  })

  t.test('for an unknown method: -32601', async t => {
    t.match((await post(server, { body: request('roots/list') })).json(), {
      id: 1,
      error: { code: -32601 }
    })
  })

  t.test('in a revision that is not served: 400 that lists those that are', async t => {
    const headers = { 'mcp-protocol-version': '1999-01-01' }
    const response = await post(server, { headers, body: request('ping') })
    t.equal(response.statusCode, 400)
    t.match(response.json(), {
      id: 1,
      error: { message: /2025-11-25, .*; with _meta in the body also 2026-07-28\)$/ }
    })
    t.equal(
      (await post(server, { headers, body: initialize() })).statusCode,
      200,
      'initialize negotiates instead'
    )
    const empty = await post(server, { headers: { 'mcp-protocol-version': '' }, body: request('ping') })
    t.equal(empty.statusCode, 400)
    t.match(
      empty.json().error.message,
      /^Unsupported protocol version: an empty one \(supported: 2025-11-25, /
    )
  })
})

t.test('initialize answers with the revision asked for, or the newest of its era', async t => {
  const server = await testServer(t)
  for (const [asked, given] of [
    ['2024-10-07', '2024-10-07'],
    ['2025-03-26', '2025-03-26'],
    ['2026-07-28', '2025-11-25'],
    ['nonsense', '2025-11-25']
  ] as const)
    t.equal((await post(server, { body: initialize(asked) })).json().result.protocolVersion, given, asked)
  t.match((await post(server, { body: request('initialize', {}) })).json(), { error: { code: -32602 } })
  const body = request('initialize', { protocolVersion: '2025-11-25', capabilities: [] })
  t.match((await post(server, { body })).json(), { error: { code: -32602, message: /capabilities/ } })
})

t.test('a cursor was never given out: of whatever kind, it is refused', async t => {
  const server = await testServer(t)
  for (const cursor of [7, null, [], 'x'])
    t.match((await post(server, { body: request('tools/list', { cursor }) })).json(), {
      error: { code: -32602 }
    })
})

t.test('a batch is answered up to revision 2025-03-26 and refused after', async t => {
  const server = await testServer(t)
  const old = await open(server, '2025-03-26')
  const batch = [
    request('ping', undefined, 1),
    { jsonrpc: '2.0', method: 'notifications/x' },
    request('ping', undefined, 2)
  ]
  const answered = await post(server, { headers: { 'mcp-session-id': old }, body: batch })
  t.same(answered.json(), [
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 2, result: {} }
  ])
  t.equal((await post(server, { headers: { 'mcp-session-id': old }, body: [initialize()] })).statusCode, 400)
  t.equal(
    (await post(server, { headers: { 'mcp-session-id': old }, body: Array(51).fill(request('ping')) }))
      .statusCode,
    400
  )
  const recent = await open(server, '2025-06-18')
  t.equal((await post(server, { headers: { 'mcp-session-id': recent }, body: batch })).statusCode, 400)
})

/** How a batch comes in, of the one revision that has them. */
const batched = {
  requestId: 'r1',
  session: { version: '2025-03-26', credential: { kind: 'private-token', token: TOKEN } },
  headers: {},
  notify: () => {},
  warnings: []
}

t.test('a part of a batch that fails takes no other answer with it', async t => {
  const said: string[] = []
  const told: string[] = []
  const service = {
    lists: ['tools'],
    inFlight: new InFlight(),
    onFailure: (error: Error, requestId: string) => told.push(`${error.message} ${requestId}`),
    async callTool(name: string) {
      said.push(name)
      if (name === 'broken') throw new Error('a defect')
      if (name === 'full') throw overCapacity('No room.')
      return { content: [{ type: 'text', text: name }] }
    }
  } as unknown as Service
  const calls = ['one', 'broken', 'full', 'two'].map((name, id) =>
    request('tools/call', { name, arguments: {} }, id)
  )
  const { status, text } = await answer(calls, batched as unknown as Exchange, service)
  t.equal(status, 200)
  t.same(said, ['one', 'broken', 'full', 'two'])
  t.same(told, ['a defect r1', 'No room. r1'])
  t.match(JSON.parse(text ?? ''), [
    { id: 0, result: { content: [{ text: 'one' }] } },
    { id: 1, error: { code: -32603, message: 'Internal error (request r1).' } },
    { id: 2, error: { code: -32000, message: 'No room.' } },
    { id: 3, result: { content: [{ text: 'two' }] } }
  ])
})

t.test(
  'the parts of a batch take turns, and none is begun when the answers are too long together',
  async t => {
    const said: string[] = []
    const service = {
      lists: ['tools'],
      inFlight: new InFlight(),
      async callTool(name: string) {
        said.push(name)
        return { content: [{ type: 'text', text: 'x'.repeat(400_000) }] }
      }
    } as unknown as Service
    const exchange = {
      ...batched,
      parts: {
        next: async () => said.push('turn'),
        made: (chars: number) => said.push(chars > 400_000 ? 'long' : 'short'),
        whole: async () => said.push('whole')
      }
    }
    const calls = ['one', 'two', 'three', 'four'].map((name, id) =>
      request('tools/call', { name, arguments: {} }, id)
    )
    const { text } = await answer(calls, exchange as unknown as Exchange, service)
    t.same(said, ['one', 'long', 'turn', 'two', 'long', 'turn', 'three', 'long', 'turn', 'short', 'whole'])
    t.match(JSON.parse(text ?? '')[3], { id: 3, error: { code: -32000, message: /^Not begun: .* alone\.$/ } })
  }
)

t.test('no part of a batch is begun once its caller has gone', async t => {
  const said: string[] = []
  const signal = new Cancellation()
  const service = {
    lists: ['tools'],
    inFlight: new InFlight(),
    async callTool(name: string) {
      said.push(name)
      signal.abort()
      return { content: [{ type: 'text', text: name }] }
    }
  } as unknown as Service
  const calls = ['one', 'two'].map((name, id) => request('tools/call', { name, arguments: {} }, id))
  const { text } = await answer(calls, { ...batched, signal } as unknown as Exchange, service)
  t.same(said, ['one'])
  t.equal(text, undefined, 'nobody receives it')
})

t.test('a batch needs a session that negotiated it: it begins none, and no header stands in', async t => {
  const server = await testServer(t)
  const before = server.sessions.size
  for (const headers of [undefined, { 'mcp-protocol-version': '2025-03-26' }]) {
    t.equal((await post(server, { ...(headers && { headers }), body: [request('ping')] })).statusCode, 400)
    t.equal(server.sessions.size, before)
  }
  const sid = (await post(server, { body: request('ping') })).headers['mcp-session-id'] as string
  t.equal(
    (await post(server, { headers: { 'mcp-session-id': sid }, body: [request('ping')] })).statusCode,
    400
  )
})

t.test('an initialize that is refused begins no session, be it with the id of one that is over', async t => {
  const server = await testServer(t)
  for (const params of [{}, { protocolVersion: 1 }, { protocolVersion: '2025-06-18', capabilities: 1 }])
    for (const headers of [undefined, { 'mcp-session-id': 'no-such-session' }]) {
      const response = await post(server, {
        ...(headers && { headers }),
        body: request('initialize', params)
      })
      t.match([response.statusCode, response.json()], [200, { error: { code: -32602 } }])
      t.equal(response.headers['mcp-session-id'], undefined)
    }
  t.equal(server.sessions.size, 0)
})

t.test('a batch that is too long is not looked into', async t => {
  let seen = 0
  const message = new Proxy({}, { get: () => void seen++, has: () => ++seen > 0 })
  const batch = Array(51).fill(message)
  const session = { version: '2025-03-26', credential: { kind: 'private-token', token: TOKEN } }
  const exchange = { session, headers: {} } as unknown as Exchange
  t.equal(startsSession(batch), undefined)
  t.equal((await answer(batch, exchange, {} as Service)).status, 400)
  t.equal(seen, 0)
})

t.test('the answer is JSON, or an event stream for who accepts nothing else', async t => {
  const server = await testServer(t)
  for (const accept of [
    '',
    '*/*',
    'application/json',
    'application/json, text/event-stream',
    'application/*;q=0.5'
  ])
    t.match(
      (await post(server, { headers: { accept }, body: request('ping') })).headers['content-type'],
      /^application\/json/
    )
  const stream = await post(server, { headers: { accept: 'text/event-stream' }, body: request('ping') })
  t.equal(stream.headers['content-type'], 'text/event-stream')
  t.equal(stream.body, 'event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n')
  const none = await post(server, { headers: { accept: 'text/html' }, body: request('ping') })
  t.equal(none.statusCode, 406)
  t.match(none.json(), { id: 1, error: { message: /Accept/ } }, 'the id is echoed wherever it can be read')
})

t.test('a tool call that cannot be made is answered clearly', async t => {
  const server = await testServer(t)
  const text = async (body: unknown) => (await post(server, { body })).json()

  t.test('an unknown tool, also one named like a property of every object: -32602', async t => {
    for (const name of ['no_such_tool', 'constructor', '__proto__', 'toString', ''])
      t.match(await text(call(name, {})), {
        id: 1,
        error: { code: -32602, message: `Unknown tool: ${name}. ` }
      })
    t.match(await text(call(7)), { error: { code: -32602 } })
  })

  t.test('a tool by the name that another server or a host of models has for it: ours is told', async t => {
    const ours = {
      create_mr: 'create_merge_request',
      listPRs: 'list_merge_requests',
      gitlab_list_issues: 'list_issues',
      mcp__forge__get_me: 'get_current_user',
      edit_milestone: 'update_milestone',
      retry_job: 'retry_pipeline_job',
      get_pipeline_job_log: 'get_pipeline_job_output',
      create_group_variable: 'set_variable',
      list_group_wiki_pages: 'list_wiki_pages',
      mcp__gitlab__download_attachment: 'get_attachment',
      read_issue: 'get_issue',
      show_issue: 'get_issue',
      edit_wiki_page: 'update_wiki_page',
      write_file: 'commit_files',
      add_issue_comment: 'create_issue_note',
      get_commits: 'list_commits',
      find_labels: 'list_labels',
      remove_label: 'update_issue',
      update_issue_labels: 'update_issue',
      create_task: 'create_work_item',
      list_tasks: 'list_work_items',
      list_repos: 'list_projects',
      list_notifications: 'list_todos',
      get_snippet_content: 'get_snippet',
      resolve_discussion: 'resolve_merge_request_thread',
      create_wiki: 'create_wiki_page',
      list_wikis: 'list_wiki_pages',
      get_blame: 'get_file_blame',
      get_latest_release: 'get_release',
      comment_on_issue: 'create_issue_note',
      transfer_issue: 'move_issue',
      get_isue: 'get_issue',
      list_meger_requests: 'list_merge_requests',
      getissue: 'get_issue',
      delet_branch: 'delete_branch',
      mcp__my_forge__get_issue: 'get_issue',
      mcp__git__get_issue: 'get_issue',
      git_log: 'list_commits',
      get_file_history: 'list_commits',
      git_blame: 'get_file_blame',
      grep: 'search_code',
      set_assignee: 'update_issue',
      request_review: 'update_merge_request',
      remove_reviewer: 'update_merge_request',
      my_merge_requests: 'whats_on_my_plate',
      my_prs: 'whats_on_my_plate',
      mark_notification_read: 'mark_todo_done',
      resolve_issue_thread: 'update_issue_note',
      create_note_on_merge_request: 'create_merge_request_note',
      create_issue_discussion: 'create_issue_note',
      list_starred_projects: 'list_projects',
      list_user_projects: 'list_projects',
      issue_read: 'get_issue',
      mcp__issue_tracker__list_issues: 'list_issues',
      pull_request_read: 'get_merge_request',
      pull_request_review_write: 'submit_review',
      create_pull_request_review: 'submit_review',
      get_pull_request_files: 'list_merge_request_changed_files',
      star_repository: 'star_project',
      unstar_repository: 'star_project',
      compare_commits: 'get_branch_diffs',
      mark_all_notifications_read: 'mark_all_todos_done',
      get_release_by_tag: 'get_release',
      add_time_spent: 'add_spent_time',
      get_commit_branches: 'list_commit_refs',
      delete_issue_comment: 'delete_issue_note',
      delete_pull_request_comment: 'delete_merge_request_note',
      create_ci_variable: 'set_variable',
      get_latest_failed_pipeline: 'diagnose_pipeline',
      mark_pull_request_ready: 'update_merge_request',
      unassign_issue: 'update_issue',
      lock_issue: 'update_issue',
      add_issue_to_epic: 'update_work_item',
      list_epic_issues: 'list_work_items',
      generate_release_notes: 'create_release',
      get_milestone_issues: 'list_issues',
      time_spent: 'add_spent_time',
      validate_gitlab_ci: 'lint_ci',
      upload_wiki_attachment: 'upload_attachment'
    }
    for (const [name, meant] of Object.entries(ours))
      t.match((await text(call(name, {}))).error.message, `Unknown tool: ${name}. Did you mean ${meant}?`)
    for (const name of ['list_boards', 'mcp__gitlab__listIssueBoards', 'get_issue_board'])
      t.match(
        (await text(call(name, {}))).error.message,
        `Unknown tool: ${name}. No tool reads boards: a list of a board is the issues with its label, which list_issues`
      )
    t.match(
      (await text(call('delete_merged_branches', {}))).error.message,
      'Unknown tool: delete_merged_branches. list_branches says which branches are merged; delete_branch deletes one.'
    )
    const otherwise = {
      delete_note:
        'delete_issue_note deletes a comment of an issue, delete_merge_request_note one of a merge request.',
      issue_write: 'create_issue makes an issue, update_issue changes one.',
      mcp__gitlab__delete_project: 'No tool deletes or transfers a project',
      transfer_repository: 'No tool deletes or transfers a project',
      update_release_link: 'No tool changes a link of a release: delete_release_link takes it away',
      get_coverage: 'get_pipeline gives the coverage of a pipeline',
      lock_discussion: 'update_issue and update_merge_request lock a discussion by discussion_locked.',
      stop_environment: 'No tool stops an environment: play_pipeline_job starts the job',
      create_environment: 'No tool makes an environment',
      create_deploy_key: 'No tool reads or changes deploy keys',
      list_feature_flags: 'No tool reads or changes feature flags',
      delete_branches: 'delete_branch deletes one branch a call.',
      list_protected_tags: 'No tool reads or changes protected tags',
      get_project_approval_rules: 'No tool reads or changes the approval rules of a project',
      create_project_access_token: 'No tool reads or changes access tokens',
      list_audit_events: 'No tool reads audit events',
      pause_runner: 'No tool changes runners: the settings on the forge do. list_runners reads them.',
      cancel_auto_merge: 'No tool cancels an automatic merge',
      approve_deployment: 'No tool approves deployments',
      delete_pipeline: 'No tool deletes a pipeline',
      erase_pipeline: 'No tool deletes a pipeline'
    }
    for (const [name, says] of Object.entries(otherwise))
      t.match((await text(call(name, {}))).error.message, `Unknown tool: ${name}. ${says}`)
    for (const name of [
      'qqq',
      'list_tools',
      'get_member',
      'list_tasts',
      'delete_registry_repository',
      'remove_show_issue',
      'cannot_approve',
      'mcp__forge__delete_get_issue'
    ])
      t.equal(
        (await text(call(name, {}))).error.message,
        `Unknown tool: ${name}. See the tools that are listed; discover_tools has more.`
      )
  })

  t.test('an unknown tool that is near none: what a model can do to see those there are', async t => {
    const says = async (body: unknown, headers = {}, settings = {}) =>
      (await post(await testServer(t, settings), { body, headers })).json().error.message
    const body = call('qqq', {})
    const listed = 'Unknown tool: qqq. See the tools that are listed.'
    t.equal(await says(body, {}, { FORGE_TOOLSETS: 'all' }), listed)
    t.equal(await says(body, {}, { FORGE_DENIED_TOOLS_REGEX: 'discover_tools' }), listed)
    const found = 'Unknown tool: qqq. find_tools finds those there are.'
    t.equal(await says(body, { 'x-forge-tool-surface': 'search' }), found)
    t.equal(await says(call('call_read_tool', { name: 'qqq' })), found)
  })

  t.test('arguments beside the name in place of within arguments: where they belong', async t => {
    const params = { name: 'get_issue', project_id: '1', issue_iid: '1' }
    t.match(await text(request('tools/call', params)), {
      error: {
        code: -32602,
        message: 'project_id belongs in params.arguments, which stands beside params.name.'
      }
    })
    for (const other of ['args', 'arguements'])
      t.match(await text(request('tools/call', { name: 'my_issues', [other]: { state: 'all' } })), {
        error: {
          code: -32602,
          message: `What is in params.${other} belongs in params.arguments, which stands beside params.name.`
        }
      })
  })

  t.test('a name that stands where other interfaces have it: where it belongs', async t => {
    const says = async (params: object) => (await text(request('tools/call', params))).error.message
    t.equal(
      await says({ tool: 'my_issues', arguments: {} }),
      'tools/call needs name, a string: what is in params.tool belongs in params.name.'
    )
    t.equal(await says({ tool: { name: 'my_issues' } }), 'tools/call needs name, a string.')
  })

  t.test('a tool taken for a method, and a method misspelt', async t => {
    const says = async (method: string) => (await text(request(method))).error
    t.match(await says('my_issues'), {
      code: -32601,
      message: /It is a tool: send tools\/call with params\.name/
    })
    t.match(await says('tools/lst'), { message: 'Unknown method: tools/lst. Did you mean tools/list?' })
    for (const [method, meant] of Object.entries({
      listTools: 'tools/list',
      call_tool: 'tools/call',
      'tools/execute': 'tools/call',
      'tools/invoke': 'tools/call',
      'prompts/call': 'prompts/get',
      'resources/get': 'resources/read',
      complete: 'completion/complete',
      listResourceTemplates: 'resources/templates/list'
    }))
      t.equal((await says(method)).message, `Unknown method: ${method}. Did you mean ${meant}?`)
    t.equal(
      (await says('initialized')).message,
      'Unknown method: initialized. It is a notification: send notifications/initialized, without an id.'
    )
    t.match(await says('server/discover'), {
      message: /It is of 2026-07-28, and this request is not\. initialize says /
    })
    for (const method of ['roots/list', 'elicitation/create'])
      t.match(await says(method), { message: /what a server asks its client, .* no method\.$/ })
    t.equal((await says('no/such')).message, 'Unknown method: no/such')
    for (const [method, instead] of [
      [
        'tasks/list',
        /^Unknown method: tasks\/list\. Tasks are not offered: a call is answered when it is done/
      ],
      ['tasks/cancel', /Tasks are not offered/],
      ['resources/subscribe', /read the resource again, whenever it is wanted\.$/],
      ['subscriptions/listen', /this request is not\. Changes are told on the stream of a call/]
    ] as const)
      t.match(await says(method), { code: -32601, message: instead })
    t.match(await says('notifications/initialized'), {
      code: -32601,
      message: /A notification has no id: leave that out\.$/
    })
  })

  t.test('unknown, missing and wrong-typed arguments: a result with isError that names each', async t => {
    const { result } = await text(call('list_branches', { pge: 1, per_page: 'many', constructor: 1 }))
    t.equal(result.isError, true)
    const [{ text: says }] = result.content
    t.match(says, /project_id is required/)
    t.match(says, /unknown argument "pge", did you mean "page"\?/)
    t.match(says, /unknown argument "constructor"/)
    t.match(says, /per_page must be an integer, not the string "many"/)
  })

  t.test('an enum value that is none: the values are named', async t => {
    const { result } = await text(call('list_issues', { state: 'ajar' }))
    t.match(result.content[0].text, /state must be one of opened, closed, all/)
  })

  t.test('arguments that are no object', async t => {
    for (const args of [[], 'x', 1])
      t.match(await text(call('list_branches', args)), { result: { isError: true } })
  })

  t.test('ids and paths that climb, are badly encoded or hold control characters', async t => {
    for (const project_id of [
      '..',
      '.',
      '%2e%2e',
      '%252e%252e',
      'a/../b',
      '%zz',
      'a\u0000b',
      'a\nb',
      'a//b',
      'a\\b',
      ''
    ]) {
      const { result } = await text(call('get_issue', { project_id, issue_iid: '1' }))
      t.equal(result.isError, true, project_id)
      t.match(result.content[0].text, /^project_id /, JSON.stringify(project_id))
    }
    for (const branch_name of ['..', '%2e%2e', 'a/../b', 'a\u0007'])
      t.match(
        (await text(call('get_branch', { project_id: '1', branch_name }))).result.content[0].text,
        /^branch_name /
      )
    for (const issue_iid of ['1/../2', '-1', '1.5', '1e3', 'x'])
      t.match(
        (await text(call('get_issue', { project_id: '1', issue_iid }))).result.content[0].text,
        /^issue_iid must be a number/
      )
  })

  t.test('a forge that is not there', async t => {
    const { result } = await text(call('get_issue', { project_id: '1', issue_iid: '1' }))
    t.equal(result.isError, true)
    t.match(result.content[0].text, /^The forge 127.0.0.1:9 could not be reached/)
    t.match(
      (await text(call('create_issue', { project_id: '1', title: 'x' }))).result.content[0].text,
      /^The forge 127.0.0.1:9 could not be reached .* Nothing was done\. Try again later/,
      'nor does a change that was not sent leave open whether it was made'
    )
  })
})

const tokens = (count: number) =>
  Array.from({ length: count }, (_, at) => `glpat-caller-number-${at}-of-some`)

t.test('the server is full at MAX_SESSIONS: 503 before anything is done', async t => {
  const server = await testServer(t, { MAX_SESSIONS: '1' })
  const first = await open(server)
  const response = await post(server, { body: initialize() })
  t.equal(response.statusCode, 503)
  t.match(response.json(), { error: { message: /^Server capacity reached/ } })
  t.ok(response.headers['retry-after'])
  t.equal(
    (await post(server, { body: request('ping'), headers: { 'mcp-session-id': first } })).statusCode,
    200
  )
  t.match((await server.inject('/metrics')).json(), { activeSessions: 1, rejectedByCapacity: 1 })
})

t.test('an empty session id is none: a session begins', async t => {
  const server = await testServer(t)
  const response = await post(server, { headers: { 'mcp-session-id': '' }, body: request('ping') })
  t.equal(response.statusCode, 200)
  t.ok(response.headers['mcp-session-id'])
})

t.test('where there are sessions to share out, it is full of callers that the forge knows', async t => {
  const forge = await listen(t, (_request, response) => {
    response.setHeader('content-type', 'application/json').end('{"name":"main"}')
  })
  const server = await testServer(t, { MAX_SESSIONS: '8', FORGE_API_URL: forge })
  const first = await open(server)
  for (const token of tokens(8)) t.equal((await post(server, { token, body: initialize() })).statusCode, 200)
  t.equal(
    (await post(server, { body: request('ping'), headers: { 'mcp-session-id': first } })).statusCode,
    404,
    'one that it has not answered makes room'
  )
  const body = call('get_branch', { project_id: '1', branch_name: 'main' })
  for (const token of tokens(8)) await post(server, { token, body })
  t.equal((await post(server, { body: initialize() })).statusCode, 503)
})

t.test('a forge that a caller names vouches for nobody, unless the operator lists it', async t => {
  const branch = call('get_branch', { project_id: '1', branch_name: 'main' })
  const own = await listen(t, (_request, response) => {
    response.setHeader('content-type', 'application/json').end('{"name":"main"}')
  })
  const statusOfNext = async (settings: Record<string, string>) => {
    const server = await testServer(t, { MAX_SESSIONS: '8', ENABLE_DYNAMIC_API_URL: 'true', ...settings })
    const headers = { 'x-forge-api-url': own }
    for (const token of tokens(8))
      t.match((await post(server, { token, body: branch, headers })).body, /main/)
    return (await post(server, { body: initialize() })).statusCode
  }
  t.equal(await statusOfNext({}), 200)
  t.equal(await statusOfNext({ FORGE_ALLOWED_HOSTS: new URL(own).host }), 503)
})

t.test('Host and Origin are checked before the credential', async t => {
  const server = await testServer(t, {
    MCP_SERVER_URL: 'https://mcp.example',
    MCP_ALLOWED_HOSTS: 'mcp.internal'
  })
  const status = async (headers: Record<string, string>) =>
    (await post(server, { token: '', headers, body: request('ping') })).statusCode
  for (const host of [
    'localhost',
    'localhost:3000',
    '127.0.0.1:80',
    '[::1]:3000',
    'mcp.example',
    'MCP.internal:8443'
  ])
    t.equal(await status({ host }), 401, `${host} passes`)
  for (const host of [
    'evil.example',
    'evil@localhost',
    'localhost/evil',
    'localhost.evil.example',
    'localhost:x'
  ])
    t.equal(await status({ host }), 403, `${host} does not`)
  t.equal(await status({ origin: 'https://mcp.example' }), 401)
  t.equal(await status({ origin: 'http://localhost:5173' }), 401)
  for (const origin of ['https://evil.example', 'null', 'https://mcp.example.evil.example'])
    t.equal(await status({ origin }), 403, origin)
  for (const origin of ['null', 'file://']) {
    const page = await post(server, { headers: { origin }, body: initialize() })
    t.match(page.json(), { error: { message: /Serve it by http, such as from localhost\.$/ } }, origin)
  }
})

t.test('a preflight passes for the origins whose requests do, and no others', async t => {
  const ask = async (settings: Record<string, string>, origin: string) => {
    const server = await testServer(t, { MCP_SERVER_URL: 'https://mcp.example', ...settings })
    const preflight = await server.inject({
      method: 'OPTIONS',
      url: '/mcp',
      headers: {
        host: 'mcp.example',
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,private-token'
      }
    })
    const request = await post(server, { headers: { origin }, body: initialize() })
    t.equal(preflight.headers['access-control-allow-origin'], request.headers['access-control-allow-origin'])
    const exposed = String(request.headers['access-control-expose-headers'])
    if (request.statusCode === 200)
      for (const name of ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'])
        t.ok(exposed.split(', ').includes(name), name)
    return [preflight.statusCode, request.statusCode, request.headers['access-control-allow-origin']]
  }
  const fixed = { REMOTE_AUTHORIZATION: 'false', FORGE_PERSONAL_ACCESS_TOKEN: TOKEN }
  const listed = { MCP_ALLOWED_ORIGINS: 'https://app.example' }
  for (const origin of ['https://mcp.example', 'http://localhost:6274'])
    t.same(await ask({}, origin), [204, 200, origin])
  t.same(await ask(listed, 'https://app.example'), [204, 200, 'https://app.example'])
  t.same(await ask({}, 'https://app.example'), [403, 403, undefined])
  const extension = 'chrome-extension://abcdefghijklmnop'
  t.same(await ask({ MCP_ALLOWED_ORIGINS: extension }, extension), [204, 200, extension])
  t.same(await ask({}, extension), [403, 403, undefined])
  t.same(
    await ask(fixed, 'http://localhost:6274'),
    [403, 403, undefined],
    'a page must not act with the token of the machine’s owner'
  )
})

t.test('a static token serves callers without one', async t => {
  const server = await testServer(t, { REMOTE_AUTHORIZATION: 'false', FORGE_PERSONAL_ACCESS_TOKEN: TOKEN })
  t.equal((await post(server, { token: '', body: request('ping') })).statusCode, 200)
})

t.test('health', async t => {
  const server = await testServer(t)
  t.equal((await server.inject('/livez')).statusCode, 200)
  t.equal((await server.inject('/readyz')).statusCode, 200)
})

async function open(server: Awaited<ReturnType<typeof testServer>>, version?: string): Promise<string> {
  return (await post(server, { body: initialize(version) })).headers['mcp-session-id'] as string
}

function remove(server: Awaited<ReturnType<typeof testServer>>, sid: string, token = TOKEN) {
  return server.inject({
    method: 'DELETE',
    url: '/mcp',
    headers: { host: 'localhost', 'private-token': token, 'mcp-session-id': sid }
  })
}
