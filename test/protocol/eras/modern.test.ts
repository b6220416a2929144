import t from 'tap'
import { instructions } from '../../../src/catalog/instructions.ts'
import { OTHER_TOKEN, post, request, TOKEN, testServer } from '../../support/server.ts'

const version = '2026-07-28'
const envelope = (params: object = {}, revision: unknown = version) => ({
  ...params,
  _meta: {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientCapabilities': {}
  }
})
const headersFor = (method: string, name?: string): Record<string, string> => ({
  'mcp-protocol-version': version,
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name })
})

t.test('revision 2026-07-28', async t => {
  const server = await testServer(t)
  const modern = (
    method: string,
    params: object = {},
    headers = headersFor(method),
    revision: unknown = version
  ) => post(server, { headers, body: request(method, envelope(params, revision)) })

  t.test('discovers, lists and calls without a session', async t => {
    const discovered = await modern('server/discover')
    t.equal(discovered.statusCode, 200)
    t.match(discovered.json().result, {
      resultType: 'complete',
      supportedVersions: [version, '2025-11-25'],
      capabilities: { tools: {} },
      instructions,
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'forge-tool-server' } }
    })
    const listed = await modern('tools/list')
    t.ok(listed.json().result.tools.length > 10)
    t.equal(listed.json().result.resultType, 'complete')
    const called = await modern(
      'tools/call',
      { name: 'get_issue', arguments: {} },
      headersFor('tools/call', 'get_issue')
    )
    t.match(called.json().result, { resultType: 'complete', isError: true })
    for (const response of [discovered, listed, called])
      t.equal(response.headers['mcp-session-id'], undefined)
    t.equal(server.sessions.size, 0)
  })

  t.test('does not take a session id for a credential', async t => {
    const sid = (await post(server, { body: request('ping') })).headers['mcp-session-id'] as string
    const headers = { ...headersFor('tools/list'), 'mcp-session-id': sid }
    t.equal(
      (await post(server, { token: '', headers, body: request('tools/list', envelope()) })).statusCode,
      401
    )
    t.equal(
      (await post(server, { token: OTHER_TOKEN, headers, body: request('tools/list', envelope()) }))
        .statusCode,
      200
    )
    t.equal(server.sessions.open(sid)?.credential.token, TOKEN, 'the session is untouched')
  })

  t.test('says what stands in the place of a method that it does not have', async t => {
    for (const [method, instead] of [
      ['logging/setLevel', /this request is not\. .* _meta\["io\.modelcontextprotocol\/logLevel"\]\.$/],
      ['initialize', /There is no handshake: server\/discover/],
      ['ping', /server\/discover\.$/],
      ['resources/unsubscribe', /^Unknown method: resources\/unsubscribe\. .* read the resource again/],
      ['tasks/get', /Tasks are not offered/]
    ] as const) {
      const response = await modern(method, {}, headersFor(method))
      t.match([response.statusCode, response.json().error], [404, { code: -32601, message: instead }], method)
    }
  })

  t.test('refuses headers that are missing or differ from the body: -32020', async t => {
    for (const headers of [
      { 'mcp-method': 'tools/list' },
      { 'mcp-protocol-version': version },
      { 'mcp-protocol-version': '2025-11-25', 'mcp-method': 'tools/list' },
      headersFor('tools/call')
    ] as Record<string, string>[]) {
      const response = await modern('tools/list', {}, headers)
      t.equal(response.statusCode, 400)
      t.match(response.json(), { id: 1, error: { code: -32020 } })
    }
    const wrongName = await modern(
      'tools/call',
      { name: 'get_issue' },
      headersFor('tools/call', 'list_issues')
    )
    t.match(wrongName.json(), { error: { code: -32020 } })
  })

  t.test('says that a percent-encoded Mcp-Name is not encoded so', async t => {
    const uri = 'forge://projects/acme%2Frocket/issues/7'
    const response = await modern(
      'resources/read',
      { uri },
      headersFor('resources/read', encodeURIComponent(uri))
    )
    t.match(response.json(), {
      error: { code: -32020, message: /Mcp-Name .*\(params\.uri as it stands there, not URL-encoded\)\.$/ }
    })
  })

  t.test('takes a base64 Mcp-Name for the same name', async t => {
    const name = `=?base64?${Buffer.from('get_issue').toString('base64')}?=`
    const response = await modern(
      'tools/call',
      { name: 'get_issue', arguments: {} },
      headersFor('tools/call', name)
    )
    t.equal(response.statusCode, 200)
  })

  t.test('names the revisions it serves for one it does not: -32022', async t => {
    const headers = { 'mcp-protocol-version': '2027-01-01', 'mcp-method': 'tools/list' }
    const response = await modern('tools/list', {}, headers, '2027-01-01')
    t.equal(response.statusCode, 400)
    t.match(response.json(), {
      error: { code: -32022, data: { requested: '2027-01-01', supported: [version] } }
    })
  })

  t.test('tells who names an older revision in _meta how that one begins', async t => {
    const headers = { 'mcp-protocol-version': '2025-11-25', 'mcp-method': 'tools/list' }
    const response = await modern('tools/list', {}, headers, '2025-11-25')
    t.match(response.json(), {
      error: {
        code: -32022,
        message: /: 2025-11-25\. It begins with initialize, and its requests do not name it in _meta\.$/
      }
    })
  })

  t.test('answers 404 and -32601 for methods of the older era', async t => {
    for (const method of ['initialize', 'ping', 'resources/subscribe']) {
      const response = await modern(method)
      t.equal(response.statusCode, 404, method)
      t.match(response.json(), { id: 1, error: { code: -32601 } })
    }
  })

  t.test('wants the envelope when only the header is modern', async t => {
    const headers = headersFor('tools/list')
    t.match((await post(server, { headers, body: request('tools/list') })).json(), {
      error: { code: -32602 }
    })
    t.match((await post(server, { headers, body: request('initialize', {}) })).json(), {
      error: { code: -32020, message: /: leave that header out, or begin with server\/discover\.$/ }
    })
  })

  t.test('wants the keys of the envelope to be what they are called', async t => {
    for (const capabilities of [undefined, null, [], 'all', 1]) {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': version,
        'io.modelcontextprotocol/clientCapabilities': capabilities
      }
      const response = await post(server, {
        headers: headersFor('tools/list'),
        body: request('tools/list', { _meta })
      })
      t.equal(response.statusCode, 400)
      t.match(response.json(), { error: { code: -32602, message: /clientCapabilities/ } })
    }
  })

  t.test('gets -32600 with its id for what is no message, rather than a word about versions', async t => {
    const headers = headersFor('tools/list')
    for (const body of [
      { jsonrpc: '1.0', id: 7, method: 'tools/list' },
      { jsonrpc: '2.0', id: 7, method: 'tools/list', params: [] },
      { jsonrpc: '2.0', id: 7 }
    ]) {
      const response = await post(server, { headers, body })
      t.equal(response.statusCode, 400)
      t.match(response.json(), { id: 7, error: { code: -32600 } })
    }
  })

  t.test('has no cursor that was ever given out', async t => {
    for (const cursor of [1, null, {}, 'x'])
      t.match((await modern('tools/list', { cursor })).json(), {
        id: 1,
        error: { code: -32602, message: /cursor/ }
      })
  })
})
