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
