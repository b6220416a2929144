import t from 'tap'
import { queryOf } from '../../../src/engine/requests/query.ts'
import { listen } from '../../support/listen.ts'
import { call, post, testServer } from '../../support/server.ts'

t.test('writes texts, lists and objects as forges read them', async t => {
  t.equal(queryOf({}), '')
  t.equal(queryOf({ state: 'opened', page: 2 }), 'state=opened&page=2')
  t.equal(queryOf({ iids: [1, 2], labels: ['a', 'b c'] }), 'iids%5B%5D=1&iids%5B%5D=2&labels=a%2Cb+c')
  t.equal(queryOf({ filter: { environment_scope: '*' } }), 'filter%5Benvironment_scope%5D=*')
})

t.test('refuses, before it is written, what no server would read', async t => {
  const refused = { message: /^search is too long for a URL/ }
  t.equal(queryOf({ search: 'x'.repeat(16_377) }).length, 16_384)
  t.throws(() => queryOf({ search: 'x'.repeat(16_378) }), refused)
  t.throws(() => queryOf({ search: 'ü'.repeat(2_730) }), refused, 'six characters each, as they are sent')
})

/** Arguments that are looked up at the forge by a name before the call itself is made. */
const lookedUp: readonly (readonly [tool: string, argument: string, beside: object])[] = [
  ['update_issue', 'assignee_ids', { issue_iid: '1' }],
  ['update_issue', 'milestone_id', { issue_iid: '1' }],
  ['get_merge_request', 'source_branch', {}],
  ['get_user', 'username', {}],
  ['find_users', 'username', {}],
  ['set_member', 'username', { role: 'developer' }],
  ['create_work_item', 'label_ids', { title: 'x', type: 'issue' }],
  ['list_todos', 'project_id', {}],
  ['wait_for_pipeline', 'ref', {}],
  ['get_wiki_page', 'version', { slug: 'home' }]
]

t.test('asks no forge for a name of a million characters', async t => {
  // It would refuse so long an address before it is told of it: what is looked at is who refuses.
  const forge = await listen(t, (_request, response) => {
    response.setHeader('content-type', 'application/json').end('[]')
  })
  const server = await testServer(t, { FORGE_API_URL: forge, FORGE_TOOLSETS: 'all' })
  for (const [tool, argument, beside] of lookedUp) {
    const name = '<'.repeat(1_000_000)
    const value = argument.endsWith('_ids') ? [name] : name
    const inProject = argument === 'project_id' || tool === 'get_user' ? {} : { project_id: '1' }
    const answer = await post(server, { body: call(tool, { ...inProject, ...beside, [argument]: value }) })
    const { isError, content } = answer.json().result
    t.ok(isError, `${tool} ${argument}`)
    t.match(content[0].text, /is too long for a URL|characters, and may have/, `${tool} ${argument}`)
  }
})
