import t from 'tap'
import { modernHeaders, modernRequest } from '../../../support/modern.ts'
import { call, post, request, testServer } from '../../../support/server.ts'

const base64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`

t.test('project_id is mirrored in Mcp-Param-Project-Id', async t => {
  const server = await testServer(t, { MCP_REQUIRE_PARAM_HEADERS: 'true' })
  const lenient = await testServer(t)
  /** @returns whether it came as far as the tool */
  const send = async (tool: string, args: object, sent?: string, at = server) => {
    const response = await post(at, {
      headers: {
        ...modernHeaders('tools/call', tool),
        ...(sent !== undefined && { 'mcp-param-project-id': sent })
      },
      body: modernRequest('tools/call', { name: tool, arguments: args })
    })
    if (response.statusCode === 200) return true
    t.match(
      [response.statusCode, response.json()],
      [400, { id: 1, error: { code: -32020, message: /Mcp-Param-Project-Id/ } }]
    )
    return false
  }

  t.test('listed so on 2026-07-28, and to nobody else', async t => {
    const listed = async (options: Parameters<typeof post>[1]) =>
      (await post(server, options))
        .json()
        .result.tools.find(({ name }: { name: string }) => name === 'get_issue').inputSchema.properties
        .project_id
    t.same(await listed({ headers: modernHeaders('tools/list'), body: modernRequest('tools/list') }), {
      type: 'string',
      'x-mcp-header': 'Project-Id'
    })
    t.same(await listed({ body: request('tools/list') }), { type: 'string' })
  })

  t.test('has to be what the body has, as text or in base64', async t => {
    for (const [value, sent] of [
      ['acme/rocket', 'acme/rocket'],
      [7, '7'],
      ['ünïcode', base64('ünïcode')],
      ['SGVsbG8=', 'SGVsbG8='],
      ['=?base64?SGVsbG8=', '=?base64?SGVsbG8=']
    ] as const)
      t.equal(await send('get_issue', { project_id: value, issue_iid: '1' }, sent), true, sent)
    for (const [value, sent] of [
      ['acme/rocket', undefined],
      ['acme/rocket', 'acme/Rocket'],
      ['acme/rocket', 'other, acme/rocket'],
      ['Hello', '=?base64?SGVsbG8?='],
      ['Hello', '=?base64?SGVs!!!bG8=?='],
      [undefined, 'acme/rocket'],
      [null, 'acme/rocket'],
      [{ toString: 1, valueOf: 1 }, 'acme/rocket'],
      [undefined, '=?base64?!?=']
    ] as const)
      t.equal(
        await send('get_issue', { project_id: value, issue_iid: '1' }, sent),
        false,
        `${JSON.stringify(value)} ${sent}`
      )
    t.equal(await send('get_issue', { issue_iid: '1' }), true, 'what neither has is the tool’s to ask for')
  })

  t.test('says how to put right one that is not what the body has', async t => {
    const said = async (args: object, sent: string) => {
      const headers = { ...modernHeaders('tools/call', 'my_issues'), 'mcp-param-project-id': sent }
      const body = modernRequest('tools/call', { name: 'my_issues', arguments: args })
      return (await post(server, { headers, body })).json().error.message
    }
    for (const args of [{}, { project_id: null }])
      t.equal(
        await said(args, 'acme/rocket'),
        'The body has no project_id: leave the Mcp-Param-Project-Id header out.'
      )
    for (const sent of ['acme/rocket, acme/rocket', 'acme%2Frocket', '=?base64?!?='])
      t.equal(
        await said({ project_id: 'acme/rocket' }, sent),
        'The Mcp-Param-Project-Id header must be sent once and equal the body (params.arguments.project_id as it stands there, not URL-encoded).'
      )
  })

  t.test(
    'may be left out by a client that does not mirror, but not differ, where no gateway relies on it',
    async t => {
      const args = { project_id: 'acme/rocket', issue_iid: '1' }
      t.equal(await send('get_issue', args, undefined, lenient), true)
      t.equal(await send('get_issue', args, 'acme/rocket', lenient), true)
      t.equal(await send('get_issue', args, 'acme/other', lenient), false)
      t.equal(await send('get_issue', { issue_iid: '1' }, 'acme/rocket', lenient), false)
    }
  )

  t.test('is refused with a tool that declares none, and with one whose project_id is absent', async t => {
    for (const at of [server, lenient]) {
      for (const [tool, args] of [
        ['list_todos', {}],
        ['get_group', { group_id: 'acme' }],
        ['list_snippets', {}],
        ['call_read_tool', { name: 'get_group', arguments: { group_id: 'acme' } }]
      ] as const) {
        t.equal(await send(tool, args, 'acme/rocket', at), false, tool)
        t.equal(await send(tool, args, undefined, at), true, `${tool} without it`)
      }
      t.equal(await send('list_todos', { project_id: 7 }, '8', at), false, 'to-dos of another project')
      t.equal(await send('list_todos', { project_id: 7 }, '7', at), true)
      const snippets = { project_id: 'acme/other' }
      t.equal(await send('list_snippets', snippets, 'acme/rocket', at), false, 'another project’s snippets')
      t.equal(await send('list_snippets', snippets, 'acme/other', at), true)
    }
  })

  t.test('cannot be known of a tool that is not listed, and counts there when it is sent', async t => {
    const args = { project_id: '1', pipeline_id: '1' }
    t.equal(await send('get_pipeline', args), true)
    t.equal(await send('get_pipeline', args, '1'), true)
    t.equal(await send('get_pipeline', args, '2'), false)
  })

  t.test('is held against what is called through a calling tool, however its arguments come', async t => {
    const issue = { project_id: 'acme/other', issue_iid: '1' }
    for (const given of [
      { name: 'get_issue', arguments: issue },
      { name: 'get_issue', arguments: JSON.stringify(issue) },
      { name: 'get_issue', ...issue }
    ]) {
      t.equal(await send('call_read_tool', given, 'acme/rocket', lenient), false)
      t.equal(await send('call_read_tool', given, 'acme/other', lenient), true)
      t.equal(await send('call_read_tool', given), false, 'it is listed, so its argument is mirrored')
      t.equal(await send('call_read_tool', given, 'acme/other'), true)
    }
    const unlisted = { name: 'get_pipeline', arguments: { project_id: '1', pipeline_id: '1' } }
    t.equal(await send('call_read_tool', unlisted), true)
    t.equal(await send('call_read_tool', unlisted, '2'), false)
  })

  t.test('is not done without by asking for another surface', async t => {
    const issue = { project_id: 'acme/other', issue_iid: '1' }
    const status = async (tool: string, args: object, sent?: object) => {
      const { statusCode } = await post(server, {
        headers: { ...modernHeaders('tools/call', tool), 'x-forge-tool-surface': 'search', ...sent },
        body: modernRequest('tools/call', { name: tool, arguments: args })
      })
      return statusCode
    }
    t.equal(await status('get_issue', issue), 400)
    t.equal(await status('call_read_tool', { name: 'get_issue', arguments: issue }), 400)
    t.equal(await status('get_issue', issue, { 'mcp-param-project-id': 'acme/other' }), 200)
  })

  t.test('is of the project that a web address names, too', async t => {
    const url = 'http://127.0.0.1:9/search?scope=blobs&search=x&project_id=99'
    const text = async (args: object, sent?: object) => {
      const response = await post(await testServer(t, { MCP_REQUIRE_PARAM_HEADERS: 'true' }), {
        headers: { ...modernHeaders('tools/call', 'search_code'), ...sent },
        body: modernRequest('tools/call', { name: 'search_code', arguments: args })
      })
      return response.json().result.content[0].text
    }
    t.equal(await text({ url }), 'url is of "99": give that as project_id.')
    t.match(await text({ url, project_id: '99' }, { 'mcp-param-project-id': '99' }), /could not be reached/)
  })

  t.test('is held against the project of what is read, and of what is completed', async t => {
    const answered = async (method: string, params: { uri?: string }, sent?: string) => {
      const response = await post(server, {
        headers: {
          ...modernHeaders(method, params.uri),
          ...(sent !== undefined && { 'mcp-param-project-id': sent })
        },
        body: modernRequest(method, params)
      })
      return response.statusCode === 200 ? true : response.json().error.message
    }
    const differs = (where: string) =>
      `The Mcp-Param-Project-Id header must be sent once and equal the body (${where} as it stands there, not URL-encoded).`
    const needless = 'The body has no project_id: leave the Mcp-Param-Project-Id header out.'
    const read = (path: string, sent?: string) => answered('resources/read', { uri: `forge://${path}` }, sent)
    t.equal(await read('projects/acme%2Fother/issues/7', 'acme/rocket'), differs('the project of params.uri'))
    t.equal(await read('projects/acme%2Frocket/issues/7', 'acme/rocket'), true)
    t.equal(await read('projects/acme%2Fother/issues/7'), true)
    for (const none of ['me/plate', 'groups/acme/wikis/home'])
      t.equal(await read(none, 'acme/rocket'), needless, none)
    const complete = (given: object | undefined, sent?: string) => {
      const ref = { type: 'ref/prompt', name: 'review_merge_request' }
      const argument = { name: 'merge_request_iid', value: '' }
      const context = given && { context: { arguments: given } }
      return answered('completion/complete', { ref, argument, ...context } as object, sent)
    }
    t.equal(
      await complete({ project_id: 'acme/other' }, 'acme/rocket'),
      differs('params.context.arguments.project_id')
    )
    t.equal(await complete({ project_id: 'acme/rocket' }, 'acme/rocket'), true)
    t.equal(await complete({ project_id: 'acme/other' }), true)
    for (const none of [{}, undefined]) t.equal(await complete(none, 'acme/rocket'), needless)
  })

  t.test('is nothing to 2025 revisions', async t => {
    const response = await post(server, {
      headers: { 'mcp-param-project-id': '2' },
      body: call('get_issue', { project_id: '1', issue_iid: '1' })
    })
    t.match(response.json(), { result: { isError: true } })
  })
})
