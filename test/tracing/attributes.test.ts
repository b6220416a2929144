import t from 'tap'
import {
  answerAttributes,
  callAttributes,
  endAttributes,
  requestAttributes,
  requestName
} from '../../src/tracing/attributes.ts'

const get = { method: 'GET', template: '/projects/{project_id}' }

t.test('a host is named without brackets, and its port even where the URL leaves it out', async t => {
  const whereOf = (origin: string) => {
    const attributes = requestAttributes({ ...get, origin })
    return [attributes['server.address'], attributes['server.port']]
  }
  t.same(whereOf('https://forge.example'), ['forge.example', 443])
  t.same(whereOf('http://forge.example'), ['forge.example', 80])
  t.same(whereOf('https://[fd00::1]:8443'), ['fd00::1', 8443])
})

t.test('a request without a template is named by its method', async t => {
  t.equal(requestName({ ...get, origin: 'https://forge.example' }), 'GET /projects/{project_id}')
  const bare = { method: 'GET', template: undefined, origin: 'https://forge.example' }
  t.equal(requestName(bare), 'GET')
  t.notOk('url.template' in requestAttributes(bare))
})

t.test('an answer is an error from 400 on, and a failure is one whatever the status', async t => {
  t.same(answerAttributes(302, undefined), { 'http.response.status_code': 302 })
  t.same(answerAttributes(404, undefined), { 'http.response.status_code': 404, 'error.type': '404' })
  t.same(answerAttributes(200, 'too-large'), { 'http.response.status_code': 200, 'error.type': 'too-large' })
  t.same(answerAttributes(undefined, 'timeout'), { 'error.type': 'timeout' })
})

t.test('a call without a known revision has none', async t => {
  const facts = { method: 'tools/call', tool: 'get_issue', parent: undefined, carrier: undefined }
  t.notOk('mcp.protocol.version' in callAttributes({ ...facts, version: undefined }))
  t.equal(callAttributes({ ...facts, version: '2026-07-28' })['mcp.protocol.version'], '2026-07-28')
})

t.test(
  'a call ends as its caller sees it: well, with an error result, with an error, or not at all',
  async t => {
    const types = [
      'ok',
      'tool_error',
      'refused',
      'timeout',
      'fault',
      'rpc_error',
      'capacity',
      'cancelled'
    ] as const
    t.same(
      types.map(how => endAttributes(how)['error.type']),
      [undefined, 'tool_error', 'tool_error', 'tool_error', '-32603', '-32602', '-32000', 'cancelled']
    )
    t.equal(endAttributes('timeout')['forge_mcp.outcome'], 'timeout')
  }
)
