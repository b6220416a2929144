import { nock, scripted } from '../../support/nock.ts'
import { call, OTHER_TOKEN, post, TOKEN, testServer } from '../../support/server.ts'

// From the HTTP request to the forge and back, with the network closed.
const forge = 'https://forge.example'

scripted('a call goes to FORGE_API_URL with the caller’s header only, and its record comes back', async t => {
  const server = await testServer(t, { FORGE_API_URL: `${forge}/team` })
  const headers = {
    cookie: 'session=1',
    'x-forwarded-for': '10.0.0.1',
    'x-custom': 'x',
    authorization: `Bearer ${OTHER_TOKEN}`
  }
  const headersThatStay = ['authorization', 'cookie', 'x-forwarded-for', 'x-custom']
  nock(forge, { reqheaders: { 'private-token': TOKEN }, badheaders: headersThatStay })
    .get('/team/api/v4/projects/acme%2Frocket/issues/7')
    .reply(200, { iid: 7, title: 'Leak', closed_at: null })
  const response = await post(server, {
    headers,
    body: call('get_issue', { project_id: 'acme/rocket', issue_iid: 7 }, 'a')
  })
  t.same(response.json(), {
    jsonrpc: '2.0',
    id: 'a',
    result: { content: [{ type: 'text', text: '{"iid":7,"title":"Leak"}' }] }
  })
})

scripted('X-Forge-Output: full gives one request the whole record, compact the lean one', async t => {
  const record = { iid: 7, title: 'Leak', references: { short: '#7' }, closed_at: null, runners_token: 'x' }
  const body = call('get_issue', { project_id: '1', issue_iid: 7 })
  for (const [policy, output, text] of [
    ['compact', 'Full', '{"iid":7,"title":"Leak","references":{"short":"#7"},"closed_at":null}'],
    ['full', 'compact', '{"iid":7,"title":"Leak"}']
  ] as const) {
    const server = await testServer(t, { FORGE_API_URL: forge, FORGE_OUTPUT: policy })
    nock(forge).get('/api/v4/projects/1/issues/7').reply(200, record)
    const response = await post(server, { headers: { 'x-forge-output': output }, body })
    t.equal(response.json().result.content[0].text, text)
    const refused = await post(server, { headers: { 'x-forge-output': 'all' }, body })
    t.equal(refused.statusCode, 400)
    t.match(refused.json().error.message, 'X-Forge-Output may be full or compact, not all.')
  }
})

scripted(
  'where tools are denied what a write comes back with is compact, whoever wants all of it',
  async t => {
    const body = call('update_issue', { project_id: '1', issue_iid: 7, title: 'Leak' })
    for (const [denied, shown] of [
      ['', true],
      ['^get_issue$', false]
    ] as const)
      for (const [FORGE_OUTPUT, headers] of [
        ['compact', { 'x-forge-output': 'full' }],
        ['full', {}]
      ] as const) {
        const settings = { FORGE_API_URL: forge, FORGE_DENIED_TOOLS_REGEX: denied, FORGE_OUTPUT }
        const server = await testServer(t, settings)
        const reply = { iid: 7, title: 'Leak', description: 'a secret plan' }
        nock(forge).put('/api/v4/projects/1/issues/7').reply(200, reply)
        nock(forge)
          .get('/api/v4/projects/1/merge_requests/7?include_diverged_commits_count=true')
          .reply(200, reply)
        const [{ text }] = (await post(server, { headers, body })).json().result.content
        t.equal(text.includes('secret'), shown, `${denied} ${FORGE_OUTPUT}`)
        const read = call('get_merge_request', { project_id: '1', merge_request_iid: 7 })
        const whole = (await post(server, { headers, body: read })).json().result.content[0].text
        t.equal(whole, JSON.stringify(reply), 'what is read is shown whole')
      }
  }
)

scripted(
  'of what an address leaves open it is said what was guessed, and by which tool it is known',
  async t => {
    const path = `${forge}/acme/rocket/-/blob/release/1.4/a.ts`
    for (const [denied, next] of [
      ['', 'resolve_url splits the address into both.'],
      ['^resolve_url$', 'Give both apart.']
    ] as const) {
      const server = await testServer(t, { FORGE_API_URL: forge, FORGE_DENIED_TOOLS_REGEX: denied })
      nock(forge)
        .get(/\/files\/1%2E4%2Fa%2Ets\/raw/)
        .reply(404, { message: '404 File Not Found' })
      nock(forge)
        .get(/\/repository\/tree/)
        .reply(200, [])
      nock(forge)
        .get(/\/search/)
        .reply(200, [])
      const body = call('get_file_contents', { project_id: 'acme/rocket', path })
      const [{ text }] = (await post(server, { body })).json().result.content
      t.match(text, `That the ref is "release", and the rest the path, is a guess. ${next}`)
    }
  }
)

scripted(
  'a header that is nearly one of ours is refused, and what is near none is not looked at',
  async t => {
    const server = await testServer(t, { FORGE_API_URL: forge, ENABLE_DYNAMIC_API_URL: 'true' })
    const sent = (name: string, to = server) =>
      post(to, { headers: { [name]: 'true' }, body: call('discover_tools', {}) })
    for (const [wrong, meant] of [
      ['X-Forge-Read-Only', 'X-Forge-Readonly'],
      ['X-Forge-Toolset', 'X-Forge-Toolsets'],
      ['X-Forge-Ouput', 'X-Forge-Output'],
      ['X-Forge-ReadOnly-Mode', 'X-Forge-Readonly'],
      ['X_Forge_Readonly', 'X-Forge-Readonly'],
      ['X-ForgeReadonly', 'X-Forge-Readonly'],
      ['X_Forge_API_URL', 'X-Forge-API-URL'],
      ['X-Forge-URL', 'X-Forge-API-URL'],
      ['X-Forge-Base-URL', 'X-Forge-API-URL'],
      ['X-Forges-API-URL', 'X-Forge-API-URL'],
      ['X-GitLab-API-URL', 'X-Forge-API-URL'],
      ['Forge-Tool_Surface', 'X-Forge-Tool-Surface'],
      ['X-Forge-API', 'X-Forge-API-URL'],
      ['X-Forge-Host', 'X-Forge-API-URL'],
      ['X-Forge-Server', 'X-Forge-API-URL'],
      ['X-Forge-Instance', 'X-Forge-API-URL'],
      ['X-Forge-Endpoint', 'X-Forge-API-URL'],
      ['X-GitLab-Host', 'X-Forge-API-URL'],
      ['X-Forg-Readonly', 'X-Forge-Readonly'],
      ['X-Froge-API-URL', 'X-Forge-API-URL'],
      ['X--Forge--Readonly', 'X-Forge-Readonly'],
      ['X-Forge.Toolsets', 'X-Forge-Toolsets']
    ] as const) {
      const response = await sent(wrong)
      t.equal(response.statusCode, 400)
      t.equal(
        response.json().error.message,
        `${wrong.toLowerCase()} is no header of this service. Did you mean ${meant}?`
      )
    }
    const fixed = await testServer(t, { FORGE_API_URL: forge })
    for (const [wrong, says] of [
      ['X-GitLab-API-URL', /no header of this service, which asks one forge alone.*leave the header out/],
      ['X-Forge-Confirm', /: FORGE_CONFIRM is a setting of the server itself/],
      ['X-FORGE_CONFIRM', /: FORGE_CONFIRM is a setting/],
      ['Forge-Confirm', /: FORGE_CONFIRM is a setting/],
      ['X-GitLab-Allowed.Project_Ids', /: FORGE_ALLOWED_PROJECT_IDS is a setting/],
      ['X-Forge-Project-Id', /: FORGE_PROJECT_ID is a setting/]
    ] as const) {
      const response = await sent(wrong, fixed)
      t.equal(response.statusCode, 400)
      t.match(response.json().error.message, says)
    }
    for (const other of [
      'X-Forge-Request-Id',
      'X-Forge-Cluster',
      'X-Forwarded-For',
      'X-Forwarded-URL',
      'X-Gitlab-Event',
      'X-Gitlab-Token',
      'X-Gitlab-Instance',
      'X-Forwarded-Host',
      'Origin-URL'
    ])
      t.equal((await sent(other)).statusCode, 200, other)
  }
)

scripted('what the forge refuses is a result with isError, its reason and a next step', async t => {
  const server = await testServer(t, { FORGE_API_URL: forge })
  for (const [status, body, says] of [
    [401, { message: '401 Unauthorized' }, /^The forge answered 401 Unauthorized.*Send a valid one/],
    [403, { error: 'insufficient_scope' }, /403 Forbidden: "insufficient_scope".*scope/],
    [404, { message: '404 Project Not Found' }, /404 Not Found: "404 Project Not Found".*no such project/],
    [409, { message: 'SHA does not match' }, /409 Conflict: "SHA does not match".*read it again/],
    [429, '', /429 Too Many Requests.*wait.*Retry after 30 seconds/],
    [500, '<html>stack trace</html>', /^The forge answered 500 Internal Server Error\. [^<]*$/]
  ] as const) {
    nock(forge).get('/api/v4/issues').query(true).reply(status, body, { 'retry-after': '30' })
    const { result } = (await post(server, { body: call('my_issues', {}) })).json()
    t.equal(result.isError, true)
    t.match(result.content[0].text, says)
  }
})

scripted('a wait that is over when the forge names it is none, in seconds or as a date', async t => {
  const server = await testServer(t, { FORGE_API_URL: forge })
  const ask = async () => (await post(server, { body: call('my_issues', {}) })).json().result
  const issues = () => nock(forge).get('/api/v4/issues').query(true)
  const past = 'Wed, 21 Oct 2015 07:28:00 GMT'
  for (const wait of ['0', past]) {
    issues().reply(429, '', { 'retry-after': wait })
    issues().reply(200, [])
    t.notOk((await ask()).isError, `${wait}: asked again at once`)
    issues().thrice().reply(429, '', { 'retry-after': wait })
    const { content } = await ask()
    t.match(content[0].text, /^The forge answered 429 Too Many Requests/)
    t.notMatch(content[0].text, /Retry after/)
  }
})

scripted('a tool that a problem or notice names, and that is not listed: how a client gets it', async t => {
  const server = await testServer(t, { FORGE_API_URL: forge })
  const project = '/api/v4/projects/acme%2Frocket'
  const said = async (body: unknown, headers = {}) => {
    nock(forge).get(`${project}/issues`).query(true).reply(404, { message: '404 Project Not Found' })
    return (await post(server, { body, headers })).json().result.content[0].text as string
  }
  const args = { project_id: 'acme/rocket' }
  const how = / list_projects is not listed: discover_tools with category=projects gives it\.$/
  t.match(await said(call('list_issues', args)), how)
  t.notMatch(await said(call('list_issues', args), { 'x-forge-tool-surface': 'search' }), how)
  t.notMatch(await said(call('call_read_tool', { name: 'list_issues', arguments: args })), how)
  nock(forge).get(`${project}/issues`).query(true).reply(200, [])
  nock(forge)
    .get(`${project}/milestones`)
    .query(true)
    .reply(200, [{ title: 'Moon' }])
  const { result } = (
    await post(server, { body: call('list_issues', { ...args, milestone: 'Nine' }) })
  ).json()
  t.match(result.content.at(-2).text, /list_milestones has those there are/)
  t.equal(
    result.content.at(-1).text,
    'list_milestones is not listed: discover_tools with category=planning gives it.'
  )
})

scripted('an unknown outcome of a write is said to be one', async t => {
  const server = await testServer(t, { FORGE_API_URL: forge })
  nock(forge)
    .post('/api/v4/projects/1/issues')
    .replyWithError(Object.assign(new Error('reset'), { code: 'ECONNRESET' }))
  const { result } = (
    await post(server, { body: call('create_issue', { project_id: '1', title: 'x' }) })
  ).json()
  t.match(result, { isError: true, content: [{ text: /may or may not have been made/ }] })
})
