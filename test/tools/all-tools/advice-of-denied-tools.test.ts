import t from 'tap'
import { listen } from '../../support/listen.ts'
import { call, post, testServer } from '../../support/server.ts'
import { textsOf } from '../../support/texts.ts'

t.test('no problem recommends a tool that is denied', async t => {
  const forge = await listen(t, (_, response) => {
    response.setHeader('content-type', 'application/json').end('[]')
  })
  const server = await testServer(t, {
    FORGE_API_URL: forge,
    FORGE_TOOLSETS: 'all',
    FORGE_DENIED_TOOLS_REGEX:
      '^(create_label|list_labels|find_users|list_pipelines|list_members|list_projects)$'
  })
  const problem = async (tool: string, args: object) => {
    const { result } = (await post(server, { body: call(tool, { project_id: '1', ...args }) })).json()
    return textsOf(result).join('\n')
  }
  t.match(
    await problem('create_issue', { title: 'x', labels: ['nosuch'] }),
    /names "nosuch", which would become a label, and create_label is switched off on this server\.$/
  )
  t.match(
    await problem('create_issue', { title: 'x', assignee_ids: ['nobody'] }),
    /^assignee_ids names "nobody", and nobody has that username\.$/
  )
  t.match(await problem('set_member', { username: 'nobody', role: 'guest' }), /Nothing was done\.$/)
  t.equal(
    await problem('get_pipeline', { pipeline_id: 'latest' }),
    'pipeline_id must be a number, not "latest".'
  )
  t.equal(
    await problem('get_pipeline', { project_id: undefined, pipeline_id: '1' }),
    'Invalid arguments: project_id is required (its id, path or web address).'
  )
})

t.test(
  'where labels may not be listed, one with a sign is set, and nothing says which there are',
  async t => {
    const asked: string[] = []
    const forge = await listen(t, ({ method, url }, response) => {
      asked.push(`${method} ${url}`)
      response
        .setHeader('content-type', 'application/json')
        .end(method === 'POST' ? '{"iid":1}' : '[{"name":"bug"}]')
    })
    const server = await testServer(t, { FORGE_API_URL: forge, FORGE_DENIED_TOOLS_REGEX: '^list_labels$' })
    const args = { project_id: '1', title: 'x', labels: ['+secret'] }
    t.notOk((await post(server, { body: call('create_issue', args) })).json().result.isError)
    t.same(asked, ['POST /api/v4/projects/1/issues'])
  }
)

t.test('no problem recommends a tool that changes something to who may only read', async t => {
  const forge = await listen(t, (_, response) => {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
  })
  const server = await testServer(t, { FORGE_API_URL: forge, FORGE_TOOLSETS: 'all' })
  const problem = async (headers: Record<string, string>) => {
    const body = call('get_wiki_page', { project_id: '1', slug: 'launch' })
    return textsOf((await post(server, { body, headers })).json().result).join()
  }
  t.match(await problem({}), /list_wiki_pages has the pages that you may see; create_wiki_page makes one\.$/)
  t.match(await problem({ 'x-forge-readonly': 'true' }), /list_wiki_pages has the pages that you may see\.$/)
})

t.test('no notice recommends a tool that is denied', async t => {
  const forge = await listen(t, (_, response) => {
    response.setHeader('content-type', 'application/json').end('{"iid":1,"state":"merged"}')
  })
  const notice = async (denied: string) => {
    const server = await testServer(t, { FORGE_API_URL: forge, FORGE_DENIED_TOOLS_REGEX: denied })
    const args = { project_id: '1', merge_request_iid: '1', state_event: 'close' }
    return textsOf((await post(server, { body: call('update_merge_request', args) })).json().result)[1]
  }
  const said = 'It is merged and stays so, neither closed nor reopened'
  t.equal(await notice('^none$'), `${said}: revert_commit undoes what it changed.`)
  t.equal(await notice('^revert_commit$'), `${said}.`)
})

t.test('a pattern for tools takes nothing from what is said with other words that it fits', async t => {
  const forge = await listen(t, (_, response) => {
    response.writeHead(403, { 'content-type': 'application/json' }).end('{}')
  })
  const server = await testServer(t, {
    FORGE_API_URL: forge,
    FORGE_TOOLSETS: 'all',
    FORGE_DENIED_TOOLS_REGEX: '^read_'
  })
  const { result } = (
    await post(server, { body: call('get_issue', { project_id: '1', issue_iid: '1' }) })
  ).json()
  t.match(
    textsOf(result).join(),
    /its owner needs a higher role, or the token the api scope \(read_api to read\)/
  )
})

t.test('no record recommends a tool that is denied', async t => {
  const forge = await listen(t, (_, response) => {
    response.setHeader('content-type', 'application/json').end('{"id":3,"message":"201 Created"}')
  })
  const next = async (denied: string) => {
    const server = await testServer(t, { FORGE_API_URL: forge, FORGE_DENIED_TOOLS_REGEX: denied })
    const body = call('play_pipeline_schedule', { project_id: '1', schedule_id: '3' })
    return JSON.parse(textsOf((await post(server, { body })).json().result)[0]!).next
  }
  t.match(await next('^nothing$'), /^list_pipelines shows the pipeline/)
  t.equal(await next('^list_pipelines$'), undefined)
})
