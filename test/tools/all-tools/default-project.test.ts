import t, { type Test } from 'tap'
import { listen } from '../../support/listen.ts'
import { call, initialize, post, testServer } from '../../support/server.ts'
import { textsOf } from '../../support/texts.ts'

/** An answer of its own for what ends so. */
const empty = /^\/[^?]*\/(?:issues|search|users)\b/

/** Calls a tool without naming a project. @returns what it says, and the requests that it made */
async function caller(t: Test, settings: Record<string, string>) {
  const asked: string[] = []
  const forge = await listen(t, ({ method, url }, response) => {
    asked.push(`${method} ${url!.replace('/api/v4', '')}`)
    response
      .setHeader('content-type', 'application/json')
      .end(empty.test(url!) ? '[]' : '{"id":1,"title":"Notes"}')
  })
  const server = await testServer(t, { FORGE_API_URL: forge, FORGE_TOOLSETS: 'all', ...settings })
  return async (tool: string, args: object) => {
    asked.length = 0
    const { result } = (await post(server, { body: call(tool, args) })).json()
    return { text: textsOf(result).join('\n'), asked: [...asked] }
  }
}

const place = /^[A-Z]+ \/projects\/acme%2Frocket\//

const changes: readonly (readonly [tool: string, args: object])[] = [
  ['create_label', { name: 'bug', color: '#ff0000' }],
  ['update_label', { label: 'bug', new_name: 'fault' }],
  ['update_milestone', { milestone_id: 9, title: 'Autumn' }],
  ['set_variable', { key: 'TOKEN', value: 'x' }],
  ['update_wiki_page', { slug: 'docs', content: 'x' }],
  ['update_webhook', { hook_id: 4, url: 'https://hooks.example' }],
  ['test_webhook', { hook_id: 4, event: 'push' }],
  ['set_member', { user_id: 2, role: 'developer' }]
]

/** What is the caller's own where no project is named. */
const owned: typeof changes = [
  ['list_snippets', {}],
  ['get_snippet', { snippet_id: 7 }],
  ['create_snippet', { title: 'Notes', files: [{ file_path: 'a.md', content: 'x' }] }],
  ['update_snippet', { snippet_id: 7, title: 'Notes' }],
  ['delete_snippet', { snippet_id: 7, confirm: 'Notes' }],
  ['list_events', { scope: 'all' }],
  ['list_runners', {}]
]

/** What goes with no project. */
const ofNone: typeof changes = [
  ['search', { scope: 'projects', query: 'rocket' }],
  ['search', { scope: 'snippet_titles', query: 'notes' }],
  ['find_users', { search: 'ada', active: true }],
  ['find_users', { search: 'ada', active: false }]
]

t.test(
  'the default project stands in where a thing is read or changed that its caller has not placed',
  async t => {
    const run = await caller(t, { FORGE_PROJECT_ID: 'acme/rocket' })
    for (const [tool, args] of changes) {
      const { asked } = await run(tool, args)
      t.ok(asked.length > 0, tool)
      for (const request of asked) t.match(request, place, tool)
    }
    const { asked } = await run('update_label', { group_id: '7', label: 'bug', new_name: 'fault' })
    t.same(asked, ['PUT /groups/7/labels/bug'], 'a group is another place')
  }
)

t.test('it does not stand in where none means the caller’s own, nor where none would do', async t => {
  const run = await caller(t, { FORGE_PROJECT_ID: 'acme/rocket' })
  for (const [tool, args] of [...owned, ...ofNone]) {
    const { asked } = await run(tool, args)
    t.ok(asked.length > 0, tool)
    for (const request of asked) t.notMatch(request, /\/projects\//, tool)
  }
})

t.test('a change says in which project it was made, where that stood in', async t => {
  const run = await caller(t, { FORGE_PROJECT_ID: 'acme/rocket' })
  const said = /This was done in "acme\/rocket": this project of the server stands in where none is named/
  const label = { name: 'bug', color: '#ff0000' }
  t.match((await run('create_label', label)).text, said)
  t.notMatch((await run('create_label', { ...label, project_id: 'acme/rocket' })).text, said)
})

const deletions: readonly (readonly [tool: string, args: object])[] = [
  ['delete_label', { label: 'bug' }],
  ['delete_milestone', { milestone_id: 9, confirm: 'Notes' }],
  ['delete_variable', { key: 'TOKEN' }],
  ['delete_wiki_page', { slug: 'docs' }],
  ['delete_webhook', { hook_id: 4, confirm: 'Notes' }],
  ['remove_member', { user_id: 2, confirm: 'Notes' }]
]

t.test('what deletes has to be told of which project, where others may be meant', async t => {
  const run = await caller(t, { FORGE_PROJECT_ID: 'acme/rocket' })
  const why =
    'must be provided: the default project of this server does not stand in where something is deleted or removed.'
  for (const [tool, args] of deletions)
    t.same(await run(tool, args), { text: `'project_id' or 'group_id' ${why}`, asked: [] }, tool)
  const webhook = { hook_id: 4, confirm: 'Notes', project_id: 'acme/rocket' }
  for (const request of (await run('delete_webhook', webhook)).asked) t.match(request, place)
})

t.test('the only project that is served stands in for whatever is done', async t => {
  const run = await caller(t, { FORGE_ALLOWED_PROJECT_IDS: 'acme/rocket' })
  for (const [tool, args] of [
    ...changes,
    ...owned.slice(0, 5),
    ['delete_variable', { key: 'TOKEN' }] as const
  ]) {
    const { asked } = await run(tool, args)
    t.ok(asked.length > 0, tool)
    for (const request of asked) t.match(request, place, tool)
  }
})

t.test('an empty list of the project that stood in says that only that was looked at', async t => {
  const said = /Only \\?"acme\/rocket\\?" was looked at/
  for (const setting of ['FORGE_ALLOWED_PROJECT_IDS', 'FORGE_PROJECT_ID']) {
    const run = await caller(t, { [setting]: 'acme/rocket' })
    for (const [tool, args] of [
      ['search', { scope: 'issues', query: 'footer' }],
      ['list_issues', { scope: 'all' }],
      ['find_users', { search: 'ada' }]
    ] as const) {
      t.match((await run(tool, args)).text, said, tool)
      t.notMatch((await run(tool, { ...args, project_id: 'acme/rocket' })).text, said, tool)
    }
  }
})

t.test('the instructions say that a project stands in where none is named', async t => {
  const begins = async (settings: Record<string, string>) =>
    (await post(await testServer(t, settings), { body: initialize() })).json().result.instructions
  const says = /the one project of this server stands in/
  t.match(await begins({ FORGE_ALLOWED_PROJECT_IDS: 'acme/rocket' }), says)
  t.notMatch(await begins({ FORGE_ALLOWED_PROJECT_IDS: 'acme/rocket,acme/docs' }), says)
})
