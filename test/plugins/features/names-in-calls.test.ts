import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { listen } from '../../support/listen.ts'
import { call, post, testServer } from '../../support/server.ts'
import { textsOf } from '../../support/texts.ts'

/** A forge that says of which path project 47 is, and a server for it. */
async function placed(t: Test, settings: Record<string, string>) {
  const place = { path: 'acme/gamma', asked: [] as string[] }
  const forge = await listen(t, async (request, response) => {
    const url = request.url!.replace('/api/v4', '')
    const body = await text(request)
    const { fullPath } = body.includes('fullPath') ? JSON.parse(body).variables : {}
    if (/milestones|projects\/47$/.test(url)) place.asked.push(url)
    if (fullPath !== undefined) place.asked.push(fullPath)
    const project = { id: 47, path_with_namespace: place.path }
    const items = { data: { namespace: { workItems: { nodes: [], pageInfo: {} } } } }
    const value = url.includes('milestones')
      ? [{ id: 5, title: 'Q1' }]
      : url.endsWith('/projects/47')
        ? project
        : fullPath === undefined
          ? { iid: 1, title: 'Leak' }
          : items
    response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
  })
  const server = await testServer(t, { FORGE_API_URL: forge, FORGE_TOOLSETS: 'all', ...settings })
  return async (tool: string, args: object, path = place.path) => {
    place.path = path
    place.asked = []
    const { result } = (await post(server, { body: call(tool, args) })).json()
    t.notOk(result.isError, textsOf(result).join(' '))
    return place.asked
  }
}

const gamma = { project_id: '47' }

t.test('a name that several things of one call have is asked for once, and in each call', async t => {
  const run = await placed(t, {})
  const issues = ['1', '2', '3', '4', '5', '6'].map(issue_iid => ({ issue_iid, milestone_id: 'Q1' }))
  const once = ['/projects/47/milestones?title=Q1&include_ancestors=true']
  t.same(await run('update_issues', { ...gamma, issues }), once)
  t.same(await run('update_issues', { ...gamma, issues }), once)
})

t.test(
  'reads go by the path that a project had within the minute, until the caller changes something',
  async t => {
    const run = await placed(t, {})
    t.same(await run('list_work_items', gamma), ['/projects/47', 'acme/gamma'])
    t.same(await run('list_work_items', gamma), ['acme/gamma'])
    await run('update_issue', { ...gamma, issue_iid: '1', title: 'Leak' })
    t.same(await run('list_work_items', gamma, 'acme/old'), ['/projects/47', 'acme/old'])
  }
)

t.test('where one project is served, its number leads to nothing that has taken its path', async t => {
  const run = await placed(t, { FORGE_ALLOWED_PROJECT_IDS: '47' })
  t.same(await run('list_work_items', gamma), ['/projects/47', 'acme/gamma'])
  t.same(await run('list_work_items', gamma, 'acme/old'), ['/projects/47', 'acme/old'])
})

/** A forge that answers as `answers` says by then, and a server that has gone by its names once. */
async function remembering(t: Test, tool: string, args: object) {
  const forge = {
    asked: [] as string[],
    /** What is answered in place of the usual, with its status. */
    instead: (_url: string, _body: string): { status?: number; value: unknown } | undefined => undefined
  }
  const usual = (url: string) =>
    url.includes('/groups/3')
      ? { id: 3, full_path: 'acme' }
      : url.includes('?username=ann')
        ? [{ id: 4, username: 'ann' }]
        : url === '/api/graphql'
          ? { data: { group: { dependencyProxyBlobs: { nodes: [], pageInfo: {} } } } }
          : []
  const url = await listen(t, async (request, response) => {
    const path = request.url!.replace('/api/v4', '')
    const body = await text(request)
    forge.asked.push(path)
    const { status = 200, value } = forge.instead(path, body) ?? { value: usual(path) }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  })
  const server = await testServer(t, { FORGE_API_URL: url, FORGE_TOOLSETS: 'all' })
  const run = async () => {
    forge.asked = []
    const { result } = (await post(server, { body: call(tool, args) })).json()
    return { isError: result.isError === true, said: textsOf(result).join(' ') }
  }
  t.notOk((await run()).isError)
  return { forge, run }
}

const blobsOf3 = ['list_dependency_proxy_blobs', { group_id: '3' }] as const

t.test('errors of GraphQL that no name causes fail a read, and are not asked for twice', async t => {
  const { forge, run } = await remembering(t, ...blobsOf3)
  let sent = 0
  forge.instead = url =>
    url === '/api/graphql' && sent++ === 0
      ? { value: { data: null, errors: [{ message: 'Query has complexity of 300' }] } }
      : undefined
  t.same(await run(), {
    isError: true,
    said: 'The forge refused the request: "Query has complexity of 300".'
  })
  t.same(forge.asked, ['/api/graphql'])
})

t.test('a read is not repeated where its names stand for what they stood for', async t => {
  const { forge, run } = await remembering(t, ...blobsOf3)
  let sent = 0
  forge.instead = url =>
    url === '/api/graphql' && sent++ === 0 ? { value: { data: { group: null } } } : undefined
  t.match(await run(), { isError: true, said: /^There is no group "?3/ })
  t.same(forge.asked, ['/api/graphql', '/groups/3?with_projects=false'])
})

t.test('what a forge says first stays what is said, where a name cannot be asked for again', async t => {
  const { forge, run } = await remembering(t, 'list_user_followers', { username: 'ann' })
  const none = { status: 404, value: { message: '404 User Not Found' } }
  for (const status of [404, 403]) {
    forge.instead = url => (url.startsWith('/users/4/') ? none : { status, value: { message: 'off' } })
    const { isError, said } = await run()
    t.ok(isError)
    t.match(said, /^The forge answered 404 Not Found: "404 User Not Found"\./)
    t.notMatch(said, /too old|403|off/)
    t.same(forge.asked, ['/users/4/followers', '/users?username=ann'])
    forge.instead = () => undefined
    t.notOk((await run()).isError)
  }
})

t.test('a read goes by what its name stands for now', async t => {
  const { forge, run } = await remembering(t, ...blobsOf3)
  forge.instead = (url, body) =>
    url.startsWith('/groups/3')
      ? { value: { id: 3, full_path: 'acme-renamed' } }
      : body.includes('"acme"')
        ? { value: { data: { group: null } } }
        : undefined
  t.notOk((await run()).isError)
  t.same(forge.asked, ['/api/graphql', '/groups/3?with_projects=false', '/api/graphql'])
})
