import t from 'tap'
import { sandbox } from './client.ts'

const P = '/projects/acme%2Frocket'

t.test('an archived project is read, and takes no changes but to itself', async t => {
  const { forge, as } = await sandbox(t)
  t.equal((await as('margaret')('POST', `${P}/archive`)).status, 201)
  const commit = {
    branch: 'spike/guidance',
    commit_message: 'x',
    actions: [{ action: 'create', file_path: 'x', content: 'x' }]
  }
  for (const [method, path, body] of [
    ['POST', '/issues', { title: 'x' }],
    ['PUT', '/issues/1', { title: 'x' }],
    ['POST', '/issues/1/notes', { body: 'x' }],
    ['PUT', '/merge_requests/6/merge', undefined],
    ['POST', '/merge_requests/6/approve', undefined],
    ['POST', '/repository/commits', commit],
    ['POST', '/pipeline', { ref: 'main' }],
    ['POST', '/labels', { name: 'x', color: '#ff0000' }],
    ['DELETE', '/releases/v1', undefined]
  ] as const)
    t.match(
      await as('margaret')(method, P + path, body),
      { status: 403, data: { message: '403 Forbidden' } },
      `${method} ${path}`
    )
  const itemId = `gid://gitlab/WorkItem/${forge.state.projects[0]!.issues[0]!.id}`
  const response = await fetch(`${forge.url}/api/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${forge.tokens.margaret}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      query: 'mutation($input: WorkItemUpdateInput!) { workItemUpdate(input: $input) { errors } }',
      variables: { input: { id: itemId, title: 'x' } }
    })
  })
  t.match(await response.json(), { errors: [{ message: /don't have permission/ }] })
  t.equal((await as('ada')('GET', `${P}/issues/1`)).status, 200)
  t.equal((await as('ada')('PUT', P, { description: 'Over' })).status, 200)
  t.equal((await as('ada')('POST', `${P}/star`)).status, 201)
  t.equal((await as('margaret')('POST', `${P}/unarchive`)).status, 201)
  t.equal((await as('ada')('POST', `${P}/issues`, { title: 'x' })).status, 201)
})

t.test('reporters are told the statistics of a project that ask for them', async t => {
  const { as } = await sandbox(t)
  const statistics = async (who: string, query = '') => (await as(who)('GET', `${P}${query}`)).data.statistics
  t.ok((await statistics('ada', '?statistics=true')).repository_size > 0)
  t.equal(await statistics('ada'), undefined)
  t.equal((await as('margaret')('PUT', '/groups/acme/members/3', { access_level: 10 })).status, 200)
  t.equal(await statistics('linus', '?statistics=true'), undefined)
})

t.test('what is switched off in a project is not written', async t => {
  const { as } = await sandbox(t)
  await as('ada')('PUT', P, { issues_access_level: 'disabled', wiki_access_level: 'disabled' })
  t.equal((await as('ada')('POST', `${P}/issues`, { title: 'x' })).status, 403)
  t.equal((await as('ada')('POST', `${P}/wikis`, { title: 'x', content: 'x' })).status, 403)
  t.equal((await as('ada')('POST', `${P}/labels`, { name: 'x', color: '#ff0000' })).status, 201)
  await as('ada')('PUT', P, { issues_access_level: 'enabled' })
  t.equal((await as('ada')('POST', `${P}/issues`, { title: 'x' })).status, 201)
})

t.test('what is for members only is not written by others', async t => {
  const { as } = await sandbox(t)
  const status = async (who: string) => (await as(who)('POST', `${P}/issues`, { title: 'x' })).status
  await as('margaret')('PUT', P, { visibility: 'public', issues_access_level: 'private' })
  t.equal(await status('edsger'), 403)
  t.equal(await status('grace'), 201)
  await as('margaret')('PUT', P, { issues_access_level: 'enabled' })
  t.equal(await status('edsger'), 201)
})

t.test('a label has a color that there is, and a variable a key without blanks', async t => {
  const { as } = await sandbox(t)
  const label = async (color: string) => await as('ada')('POST', `${P}/labels`, { name: color, color })
  t.match(await label('reddish'), { status: 400, data: { message: { color: [/valid color/] } } })
  for (const color of ['red', '#f00', '#FF0000']) t.equal((await label(color)).status, 201, color)
  const run = (key: string) =>
    as('ada')('POST', `${P}/pipeline`, { ref: 'main', variables: [{ key, value: 'x' }] })
  t.match(await run('a b'), { status: 400, data: { message: { base: [/can contain only letters/] } } })
  t.equal((await run('a_b')).status, 201)
})

t.test('a project keeps its name when it is given none', async t => {
  const { as } = await sandbox(t)
  const blank = await as('ada')('PUT', P, { name: '', path: 'missile-two' })
  t.match(blank, { status: 400, data: { message: { name: ["can't be blank"] } } })
  t.match((await as('ada')('GET', P)).data, { name: 'Rocket', path: 'rocket' })
})

t.test('nobody can push where no one may, not even a maintainer', async t => {
  const { as } = await sandbox(t)
  const canPush = async () =>
    (await as('ada')('GET', `${P}/repository/branches/spike%2Fguidance`)).data.can_push
  t.equal(await canPush(), true)
  await as('ada')('POST', `${P}/protected_branches`, { name: 'spike/*', push_access_level: 0 })
  t.equal(await canPush(), false)
})

t.test('a number with its mark finds the issue or merge request that has it', async t => {
  const { as } = await sandbox(t)
  const found = async (scope: string, search: string) =>
    (
      (await as('ada')('GET', `${P}/search?${new URLSearchParams({ scope, search })}`)).data as {
        iid: number
      }[]
    ).map(({ iid }) => iid)
  t.strictSame(await found('issues', '#2'), [2])
  t.strictSame(await found('merge_requests', '!3'), [3])
  t.strictSame(await found('issues', 'gauge'), [2])
})

t.test('a path of a group is one part of a path', async t => {
  const { as } = await sandbox(t)
  t.match(await as('ada')('POST', '/groups', { name: 'x', path: 'acme/x' }), {
    status: 400,
    data: { message: /^Failed to save group \{:path=>\["can contain only/ }
  })
})

t.test('a release of a day is one of its first moment', async t => {
  const { as } = await sandbox(t)
  const parts = { tag_name: 'v1.4.0', released_at: '2026-01-02' }
  const path = `${P}/releases`
  const made = await as('ada')('POST', path, parts)
  t.match(made, { status: 201, data: { released_at: '2026-01-02T00:00:00.000Z' } })
})

t.test('a file made executable is a change, and stays so when it is merged', async t => {
  const { as } = await sandbox(t)
  const actions = [{ action: 'chmod', file_path: 'src/engine.ts', execute_filemode: true }]
  const commit = { branch: 'docs/launch-checklist', commit_message: 'Run it', actions }
  const { id } = (await as('ada')('POST', `${P}/repository/commits`, commit)).data
  const changed = { new_path: 'src/engine.ts', a_mode: '100644', b_mode: '100755', diff: '' }
  t.match((await as('ada')('GET', `${P}/repository/commits/${id}/diff`)).data, [changed])
  const { data: merged } = await as('ada')('GET', `${P}/merge_requests/6/diffs`)
  t.match(
    merged.find((change: { new_path: string }) => change.new_path === 'src/engine.ts'),
    changed
  )
  t.equal((await as('ada')('PUT', `${P}/merge_requests/6/merge`)).data.state, 'merged')
  const file = await as('ada')('GET', `${P}/repository/files/src%2Fengine.ts?ref=main`)
  t.equal(file.data.execute_filemode, true)
})

t.test('a project that is refused a default branch stays as it is', async t => {
  const { as } = await sandbox(t)
  const before = (await as('ada')('GET', P)).data.description
  t.equal((await as('ada')('PUT', P, { description: 'New', default_branch: 'nope' })).status, 400)
  t.equal((await as('ada')('GET', P)).data.description, before)
})

t.test('a webhook has no token whose token is an empty text', async t => {
  const { as } = await sandbox(t)
  const hooks = '/projects/acme%2Frocket/hooks'
  const made = (token: string) => as('margaret')('POST', hooks, { url: 'https://ci.example/in', token })
  t.match((await made('')).data, { token_present: false })
  t.match((await made('s3cret')).data, { token_present: true })
})
