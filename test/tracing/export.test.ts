import t, { type Test } from 'tap'
import { packageVersion } from '../../src/version.ts'
import { type ForgeOptions, startForge } from '../forge/index.ts'
import { type CollectedSpan, startCollector } from '../support/collector.ts'
import { captureLog } from '../support/log.ts'
import { secretOf } from '../support/sealing.ts'
import { call, initialize, type PostOptions, post, testServer } from '../support/server.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const callerSpan = 'b7ad6b7169203331'
const traceparent = `00-${traceId}-${callerSpan}-01`
const [SERVER, CLIENT, ERROR] = [2, 3, 2]

/** A server with a sandbox forge behind it and a collector beside it. */
async function traced(t: Test, settings: Record<string, string> = {}, options: ForgeOptions = {}) {
  const forge = await startForge({ sample: true, ...options })
  t.teardown(() => forge.close())
  const collector = await startCollector(t)
  const log = captureLog()
  const server = await testServer(
    t,
    {
      FORGE_API_URL: forge.apiUrl,
      FORGE_TOOLSETS: 'merge_requests,issues,pipelines',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
      LOG_LEVEL: 'info',
      ...settings
    },
    log.stream
  )
  return {
    forge,
    collector,
    log,
    server,
    send: (body: unknown, headers: PostOptions['headers'] = {}) =>
      post(server, { token: forge.tokens.ada, headers, body }),
    /** What was exported once the server has closed. */
    async spans() {
      await server.close()
      const spans = collector.spans()
      return {
        calls: spans.filter(({ kind }) => kind === SERVER),
        requests: spans.filter(({ kind }) => kind === CLIENT)
      }
    }
  }
}

const branch = (branch_name: string) => call('get_branch', { project_id: 'acme/rocket', branch_name })
const template = '/projects/{project_id}/repository/branches/{.branch_name}'

t.test(
  'a call is a span of the caller’s trace, and its request to the forge is a span of the call',
  async t => {
    const { forge, send, spans } = await traced(t)
    await send(branch('main'), { traceparent, tracestate: 'rojo=1' })
    const { calls, requests } = await spans()
    t.match(calls, [{ name: 'tools/call get_branch', traceId, parentSpanId: callerSpan }])
    t.same(calls[0]!.attributes, {
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'get_branch',
      'forge_mcp.outcome': 'ok'
    })
    t.match(requests, [{ name: `GET ${template}`, traceId, parentSpanId: calls[0]!.spanId }])
    t.same(requests[0]!.attributes, {
      'http.request.method': 'GET',
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(forge.url).port),
      'url.template': template,
      'http.response.status_code': 200
    })
    t.match(
      forge.requests.at(-1)?.headers,
      { traceparent: `00-${traceId}-${requests[0]!.spanId}-01`, tracestate: 'rojo=1' },
      'the forge is told of the request’s span'
    )
  }
)

t.test('a call without a traceparent begins a trace, which the log names', async t => {
  const { forge, log, send, spans } = await traced(t)
  await send(branch('main'))
  const { calls, requests } = await spans()
  t.notOk(calls[0]?.parentSpanId)
  t.equal(log.lines('tool call')[0]?.traceId, calls[0]?.traceId)
  t.match(forge.requests.at(-1)?.headers, {
    traceparent: `00-${calls[0]!.traceId}-${requests[0]!.spanId}-01`
  })
})

t.test('each request of a call is a span, and each is told to the forge as itself', async t => {
  const { forge, send, spans } = await traced(t)
  await send(call('get_merge_request_approval_state', { project_id: 'acme/website', merge_request_iid: '1' }))
  const { calls, requests } = await spans()
  t.same(
    requests.map(({ name }) => name),
    ['approval_state', 'approvals'].map(
      what => `GET /projects/{project_id}/merge_requests/{merge_request_iid}/${what}`
    )
  )
  t.ok(requests.every(({ parentSpanId }) => parentSpanId === calls[0]?.spanId))
  t.same(
    forge.requests.map(({ headers }) => headers.traceparent),
    requests.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`)
  )
})

t.test('the caller’s decision not to sample is kept, and the forge told of it', async t => {
  const { forge, collector, send, spans } = await traced(t)
  await send(branch('main'), { traceparent: `00-${traceId}-${callerSpan}-00` })
  await spans()
  t.same(collector.requests, [])
  t.match(forge.requests.at(-1)?.headers.traceparent, new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`))
})

for (const [sampler, ratio, taken] of [
  ['traceidratio', '1', 1],
  ['always_off', '', 0],
  ['parentbased_traceidratio', '0', 0]
] as const)
  t.test(`${sampler} of ${ratio || 'all'} takes ${taken} of one call without a traceparent`, async t => {
    const settings = { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio }
    const { send, spans } = await traced(t, settings)
    await send(branch('main'))
    t.equal((await spans()).calls.length, taken)
  })

t.test('a sampler that is not based on the parent does not ask the caller', async t => {
  const { send, spans } = await traced(t, { OTEL_TRACES_SAMPLER: 'always_on' })
  await send(branch('main'), { traceparent: `00-${traceId}-${callerSpan}-00` })
  t.match((await spans()).calls, [{ traceId, parentSpanId: callerSpan }])
})

t.test('a message’s own trace is the parent, and that of the HTTP request a link', async t => {
  const { send, spans } = await traced(t)
  const carrier = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`
  const message = branch('main')
  const params = { ...(message.params as object), _meta: { traceparent } }
  await send({ ...message, params }, { traceparent: carrier })
  const [span] = (await spans()).calls
  t.match(span, { traceId, parentSpanId: callerSpan })
  t.match(span?.links, [{ traceId: '1'.repeat(32), spanId: '2'.repeat(16) }])
})

t.test('the revision of MCP is that of the session, and nothing a caller makes up', async t => {
  const { server, forge, send, spans } = await traced(t)
  const { headers } = await post(server, { token: forge.tokens.ada, body: initialize('2025-06-18') })
  await send(branch('main'), { 'mcp-session-id': String(headers['mcp-session-id']) })
  const [span] = (await spans()).calls
  t.equal(span?.attributes['mcp.protocol.version'], '2025-06-18')
})

t.test('how a call failed is told apart', async t => {
  const { server, send, spans, collector } = await traced(t, {
    FORGE_DENIED_TOOLS_REGEX: 'dependency_proxy'
  })
  await send(branch('missing'))
  await send(call('get_branch', {}))
  await send(call('get_dependency_proxy_settings', { group_id: 'acme' }))
  await send(call('made_up_name', {}))
  await server.close()
  const { calls, requests } = await spans()
  const tell = ({ name, attributes, status }: CollectedSpan) => [
    name,
    attributes['forge_mcp.outcome'],
    attributes['error.type'],
    status.code
  ]
  t.same(calls.map(tell), [
    ['tools/call get_branch', 'tool_error', 'tool_error', ERROR],
    ['tools/call get_branch', 'tool_error', 'tool_error', ERROR],
    ['tools/call get_dependency_proxy_settings', 'refused', 'tool_error', ERROR],
    ['tools/call other', 'rpc_error', '-32602', ERROR]
  ])
  t.match(requests, [
    { attributes: { 'http.response.status_code': 404, 'error.type': '404' }, status: { code: ERROR } }
  ])
  t.notMatch(collector.text(), 'made_up_name')
})

t.test('a read that is asked again leaves a span for each time', async t => {
  const { forge, send, spans } = await traced(t)
  forge.state.faults.push({ match: /branches/, status: 503, times: 1 })
  await send(branch('main'))
  const { requests } = await spans()
  t.same(
    requests.map(({ attributes }) => attributes['http.response.status_code']),
    [503, 200]
  )
})

t.test('a forge that cannot be reached is an error of the request', async t => {
  const { send, spans } = await traced(t, { FORGE_API_URL: 'http://127.0.0.1:9' })
  await send(call('create_issue', { project_id: '1', title: 'x' }))
  const [request] = (await spans()).requests
  t.equal(request?.name, 'POST /projects/{project_id}/issues')
  t.equal(request?.attributes['error.type'], 'unreachable')
  t.notOk('http.response.status_code' in request!.attributes)
})

t.test('GraphQL is a request like others, and a document no part of it', async t => {
  const { send, spans, collector } = await traced(t, { FORGE_TOOLSETS: 'dependency_proxy' })
  await send(call('get_dependency_proxy_settings', { group_id: 'acme' }))
  t.match((await spans()).requests, [{ name: 'POST /api/graphql', status: { code: 0 } }])
  t.notMatch(collector.text(), 'fullPath')
})

t.test(
  'a hop to the object store is a span without a template, and the store is told of no trace',
  async t => {
    const { forge, send, spans } = await traced(t, {}, { version: '18.7.0', objectStorage: true })
    const project_id = 'acme/rocket'
    const records = async (tool: string, args: object) =>
      JSON.parse((await send(call(tool, { project_id, ...args }))).json().result.content[0].text)
    const [pipeline] = await records('list_pipelines', { ref: 'main', status: 'success' })
    const jobs = await records('list_pipeline_jobs', { pipeline_id: String(pipeline.id) })
    const job_id = String(jobs.find(({ name }: { name: string }) => name === 'package').id)
    await send(call('list_job_artifacts', { project_id, job_id }), { traceparent })
    const archive = 'GET /projects/{project_id}/jobs/{job_id}/artifacts'
    const { requests } = await spans()
    t.same(
      requests
        .filter(span => span.traceId === traceId)
        .map(({ name, attributes, status }) => [name, attributes['http.response.status_code'], status.code]),
      [
        [`${archive}/tree`, 404, ERROR],
        [archive, 302, 0],
        ['GET', 200, 0]
      ]
    )
    const stored = forge.requests.find(({ operation }) => operation === 'object_storage')
    t.ok(stored && !('traceparent' in stored.headers))
  }
)

t.test('neither tokens, session ids, arguments nor other texts of callers are exported', async t => {
  const secret = 'Zq8vXw3nL0pKs7TbYc2R'
  const { server, collector, spans } = await traced(t, {
    OAUTH_STATELESS_MODE: 'true',
    OAUTH_STATELESS_SECRET: secretOf('traces'),
    FORGE_TOOLSETS: 'all'
  })
  const { headers } = await post(server, { token: secret, body: initialize() })
  const sid = String(headers['mcp-session-id'])
  const talkative = {
    'mcp-session-id': sid,
    'x-request-id': secret,
    traceparent,
    tracestate: `rojo=${secret}`,
    cookie: secret
  }
  for (const [name, args] of [
    ['get_branch', { project_id: secret, branch_name: secret }],
    ['list_issues', { project_id: '1', search: secret }],
    ['create_issue', { project_id: '1', title: secret, description: secret }],
    ['get_job_artifact_file', { project_id: '1', job_id: '7', artifact_path: secret }],
    ['get_dependency_proxy_settings', { group_id: secret }],
    [secret, { [secret]: secret }]
  ] as const)
    await post(server, {
      token: secret,
      headers: talkative,
      body: call(name, args, secret)
    })
  const { calls, requests } = await spans()
  t.equal(calls.length, 6)
  t.equal(requests.length, 5)
  for (const hidden of [secret, sid, sid.slice(-40)]) t.notMatch(collector.text(), hidden)
  t.notMatch(JSON.stringify(collector.requests), secret)
})

t.test('the service names itself, or is named by the operator', async t => {
  const own = await traced(t)
  await own.send(branch('main'))
  await own.spans()
  t.match(own.collector.resource(), {
    'service.name': 'forge-tool-server',
    'service.version': packageVersion()
  })
  t.equal(own.collector.requests[0]?.path, '/v1/traces')
})

t.test('an endpoint for traces alone is taken as it is', async t => {
  const elsewhere = await startCollector(t)
  const { collector, send, spans } = await traced(t, {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${elsewhere.origin}/traces`,
    OTEL_SERVICE_NAME: 'forge-eu'
  })
  await send(branch('main'))
  await spans()
  t.same(collector.requests, [])
  t.equal(elsewhere.requests[0]?.path, '/traces')
  t.equal(elsewhere.resource()['service.name'], 'forge-eu')
})
