import t from 'tap'
import { call, initialize, post, request, testServer } from '../support/server.ts'

type Server = Awaited<ReturnType<typeof testServer>>

async function names(server: Server, headers: Record<string, string> = {}): Promise<string[]> {
  const response = await post(server, { headers, body: request('tools/list') })
  return response.json().result.tools.map(({ name }: { name: string }) => name)
}

/** The text of a refused call; undefined when the call got as far as the forge, which is not there. */
async function refusal(server: Server, name: string, args: object, headers: Record<string, string> = {}) {
  const { result } = (await post(server, { headers, body: call(name, args) })).json()
  const text: string = result.content[0].text
  return text.startsWith('The forge could not be reached') ? undefined : text
}

const issue = { project_id: 'acme/rocket', issue_iid: '1' }

t.test('the default toolsets are merge_requests and issues, with discover_tools', async t => {
  const listed = await names(await testServer(t))
  for (const name of ['list_merge_requests', 'list_issues', 'list_todos', 'discover_tools'])
    t.ok(listed.includes(name), name)
  for (const name of ['list_pipelines', 'get_dependency_proxy_settings']) t.notOk(listed.includes(name), name)
})

t.test(
  'FORGE_TOOLSETS replaces the selection, USE_PIPELINE adds to it, FORGE_TOOLS adds single tools',
  async t => {
    const only = await names(await testServer(t, { FORGE_TOOLSETS: ' Dependency_Proxy ' }))
    t.same(only.toSorted(), [
      'discover_tools',
      'get_dependency_proxy_settings',
      'list_dependency_proxy_blobs',
      'purge_dependency_proxy_cache',
      'update_dependency_proxy_settings'
    ])
    t.ok((await names(await testServer(t, { USE_PIPELINE: 'true' }))).includes('list_pipelines'))
    const all = await names(await testServer(t, { FORGE_TOOLSETS: 'all' }))
    t.ok(
      all.includes('list_pipelines') &&
        all.includes('list_issues') &&
        all.includes('purge_dependency_proxy_cache')
    )
    const extra = await testServer(t, { FORGE_TOOLSETS: 'issues', FORGE_TOOLS: 'get_pipeline' })
    t.ok((await names(extra)).includes('get_pipeline'))
    t.equal(await refusal(extra, 'get_pipeline', { project_id: '1', pipeline_id: '1' }), undefined)
  }
)

t.test('FORGE_TOOLS with an unknown name does not start', async t => {
  await t.rejects(testServer(t, { FORGE_TOOLS: 'get_issue,get_wiki' }), {
    message: /unknown tools: get_wiki/
  })
})

t.test('read-only mode neither lists nor runs what writes', async t => {
  const server = await testServer(t, { FORGE_READ_ONLY_MODE: 'true', FORGE_TOOLSETS: 'all' })
  const listed = await names(server)
  t.ok(
    listed.includes('get_issue') &&
      !listed.includes('update_issue') &&
      !listed.includes('merge_merge_request')
  )
  t.match(await refusal(server, 'update_issue', { ...issue, title: 'x' }), /only reading is allowed/)
  t.equal(await refusal(server, 'get_issue', issue), undefined)
})

t.test('denied tools are neither listed nor called, however they are selected', async t => {
  const server = await testServer(t, {
    FORGE_DENIED_TOOLS_REGEX: '^delete_|merge_merge',
    FORGE_TOOLS: 'delete_issue'
  })
  const listed = await names(server)
  t.notOk(listed.some(name => name.startsWith('delete_') || name === 'merge_merge_request'))
  t.match(await refusal(server, 'delete_issue', issue), /delete_issue is switched off on this server/)
})

t.test('FORGE_ALLOWED_PROJECT_IDS keeps every call within some projects', async t => {
  const server = await testServer(t, { FORGE_ALLOWED_PROJECT_IDS: 'acme/rocket, 42', FORGE_TOOLSETS: 'all' })
  for (const project_id of ['acme/rocket', 'acme%2Frocket', 'Acme/Rocket', '42'])
    t.equal(await refusal(server, 'get_issue', { ...issue, project_id }), undefined, project_id)
  for (const project_id of ['acme/website', '41', 'acme/rocket/x'])
    t.match(
      await refusal(server, 'get_issue', { ...issue, project_id }),
      /is not served here: use acme\/rocket, 42/
    )
  t.match(
    await refusal(server, 'list_issues', {}),
    /project_id is required/,
    'a list across projects is none of them'
  )
  t.match(
    await refusal(server, 'create_issue_link', {
      ...issue,
      target_project_id: 'acme/website',
      target_issue_iid: '1'
    }),
    /target_project_id "acme\/website" is not served/
  )
  const listed = await names(server)
  for (const name of ['mark_all_todos_done', 'purge_dependency_proxy_cache']) {
    t.notOk(listed.includes(name), name)
    t.match(await refusal(server, name, {}), /keeps to some projects/)
  }
})

t.test('a single allowed project stands in where none is named', async t => {
  const server = await testServer(t, { FORGE_ALLOWED_PROJECT_IDS: 'acme/rocket' })
  t.equal(await refusal(server, 'list_issues', {}), undefined)
})

t.test('the headers X-Forge-Toolsets and X-Forge-Readonly narrow one request and never widen', async t => {
  const server = await testServer(t)
  const issuesOnly = await names(server, { 'x-forge-toolsets': 'issues, pipelines' })
  t.ok(issuesOnly.includes('list_issues'))
  t.notOk(issuesOnly.includes('list_merge_requests'), 'what is left out is gone')
  t.notOk(issuesOnly.includes('list_pipelines'), 'what was off stays off')
  t.match(
    await refusal(
      server,
      'get_branch',
      { project_id: '1', branch_name: 'x' },
      { 'x-forge-toolsets': 'issues' }
    ),
    /leaves out/
  )
  t.match(
    await refusal(server, 'update_issue', { ...issue, title: 'x' }, { 'x-forge-readonly': 'true' }),
    /only reading/
  )
  const strict = await testServer(t, { FORGE_READ_ONLY_MODE: 'true' })
  t.match(
    await refusal(strict, 'update_issue', { ...issue, title: 'x' }, { 'x-forge-readonly': 'false' }),
    /only reading/
  )
  const response = await post(server, { headers: { 'x-forge-toolsets': 'wikis' }, body: request('ping') })
  t.equal(response.statusCode, 400)
})

t.test(
  'a header that narrows is refused when it is there twice, rather than joined into a wider one',
  async t => {
    const server = await testServer(t)
    for (const [name, values] of [
      ['X-Forge-Toolsets', ['issues', 'merge_requests']],
      ['X-Forge-Readonly', ['true', 'false']]
    ] as const) {
      const response = await post(server, { headers: { [name]: [...values] }, body: request('ping') })
      t.equal(response.statusCode, 400, name)
      t.match(response.json(), { error: { message: /once only/ } })
    }
  }
)

t.test('a tool of a toolset that is off says how to get it', async t => {
  const server = await testServer(t)
  t.match(
    await refusal(server, 'list_pipelines', { project_id: '1' }),
    /discover_tools with category "pipelines"/
  )
})

t.test('discover_tools', async t => {
  const server = await testServer(t)
  const sid = (await post(server, { body: initialize() })).headers['mcp-session-id'] as string
  const inSession = { 'mcp-session-id': sid }
  const discover = (args: object, headers: Record<string, string> = {}) =>
    post(server, { headers: { ...inSession, ...headers }, body: call('discover_tools', args) })

  t.test('lists the toolsets, and which are active', async t => {
    const { toolsets } = JSON.parse((await discover({})).json().result.content[0].text)
    t.match(toolsets, [
      { id: 'merge_requests', active: true },
      { id: 'issues', active: true },
      { id: 'pipelines', tools: 19, active: false },
      { id: 'dependency_proxy', tools: 4, active: false }
    ])
  })

  t.test(
    'activates one for the session, gives its tools, and says that the list changed where that can be said',
    async t => {
      const response = await discover(
        { category: 'pipelines' },
        { accept: 'application/json, text/event-stream' }
      )
      t.equal(response.headers['content-type'], 'text/event-stream')
      const [first, second] = response.body
        .split('\n\n')
        .map(event => JSON.parse(event.replace(/^event: message\ndata: /, '') || 'null'))
      t.same(first, { jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
      const { activated, tools } = JSON.parse(second.result.content[0].text)
      t.equal(activated, 'pipelines')
      t.equal(tools.length, 19)
      t.ok((await names(server, inSession)).includes('list_pipelines'))
      t.notOk((await names(server)).includes('list_pipelines'), 'another session is not changed')
    }
  )

  t.test('a second time changes nothing and still gives the tools', async t => {
    const response = await discover(
      { category: 'pipelines' },
      { accept: 'application/json, text/event-stream' }
    )
    t.match(response.headers['content-type'], /^application\/json/)
    t.match(response.json().result.content[0].text, /list_pipelines/)
  })

  t.test('names the categories for one that is none', async t => {
    const { result } = (await discover({ category: 'wikis' })).json()
    t.match(result, {
      isError: true,
      content: [{ text: /one of merge_requests, issues, pipelines, dependency_proxy, / }]
    })
  })

  t.test('keeps to the policy', async t => {
    const strict = await testServer(t, {
      FORGE_READ_ONLY_MODE: 'true',
      FORGE_DENIED_TOOLS_REGEX: 'dependency_proxy'
    })
    const ask = async (args: object) =>
      (await post(strict, { body: call('discover_tools', args) })).json().result
    t.notMatch(JSON.stringify(await ask({})), /dependency_proxy/)
    t.match(await ask({ category: 'dependency_proxy' }), { isError: true })
    const { tools } = JSON.parse((await ask({ category: 'pipelines' })).content[0].text)
    t.ok(tools.every((tool: { annotations: { readOnlyHint: boolean } }) => tool.annotations.readOnlyHint))
  })

  t.test(
    'in revision 2026-07-28 gives the tools, which can be called, and leaves the list as it was',
    async t => {
      const version = '2026-07-28'
      const modern = async (method: string, params: { name?: string; arguments?: object } = {}) => {
        const _meta = {
          'io.modelcontextprotocol/protocolVersion': version,
          'io.modelcontextprotocol/clientCapabilities': {}
        }
        const headers = {
          'mcp-protocol-version': version,
          'mcp-method': method,
          ...(params.name && { 'mcp-name': params.name })
        }
        return (await post(server, { headers, body: request(method, { ...params, _meta }) })).json().result
      }
      const found = await modern('tools/call', {
        name: 'discover_tools',
        arguments: { category: 'pipelines' }
      })
      t.match(found.content[0].text, /list_pipelines/)
      t.notMatch(JSON.stringify((await modern('tools/list')).tools), /list_pipelines/)
      const called = await modern('tools/call', {
        name: 'get_pipeline',
        arguments: { project_id: '1', pipeline_id: '1' }
      })
      t.match(called.content[0].text, /could not be reached/)
    }
  )
})
