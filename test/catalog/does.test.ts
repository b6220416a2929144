import t from 'tap'
import { toolsets } from '../../tools/index.ts'
import { startForge } from '../forge/index.ts'
import { othersOf } from '../support/others-of.ts'
import { call, post, testServer } from '../support/server.ts'

/*
 * A tool says of what it changes which tools do the same: with one of those it is denied, too. Of what it shows it says
 * which tools show the same.
 */

const rows = toolsets.flatMap(({ rows }) => rows)
const rocket = { project_id: 'acme/rocket' }
const gauge = { ...rocket, merge_request_iid: '3' }
const search = ['<<<<<<< SEARCH', 'a', '=======', 'b', '>>>>>>> REPLACE'].join('\n')

type Run = (tool: string, args: object) => Promise<string>

/** A call of each such tool in which it does all that it can. */
const calls: Readonly<Record<string, (run: Run) => object | Promise<object>>> = {
  submit_review: async run => {
    const [{ discussion_id }] = JSON.parse(await run('review_merge_request', gauge)).unresolved_threads
    return {
      ...gauge,
      comments: [{ path: 'src/dashboard.ts', line: 3, body: 'Say what unit.' }],
      replies: [{ discussion_id, body: 'Done.', resolved: true }],
      summary: 'Good work.',
      verdict: 'approve'
    }
  },
  backport_merge_request: () => ({ ...rocket, merge_request_iid: '1', target_branch: 'release/1.4' }),
  update_issue_description_patch: async run => {
    await run('update_issue', { ...rocket, issue_iid: '1', description: 'a' })
    return { ...rocket, issue_iid: '1', patch_type: 'search_replace', patch: search, create_note: true }
  },
  upload_attachment: () => ({ ...rocket, filename: 'a.txt', content: 'a' })
}

/** The tools of one request that make a request. */
function madeBy(method: string, path: string): string[] {
  const isMade = (request: string) =>
    ['/projects/{id}', '/groups/{id}'].some(place => {
      const route = `/api/v4${request.slice(request.indexOf(' ') + 1).replace('{PG}', place)}`
      return (
        request.startsWith(`${method} `) &&
        new RegExp(`^${route.replaceAll(/\{[+.]?\w+\}/g, '[^/]+')}$`).test(path)
      )
    })
  return rows.filter(row => row.kind === 'rest' && [row.request].flat().some(isMade)).map(({ name }) => name)
}

t.test('a tool that changes things by code of its own names the tools that make its requests', async t => {
  const forge = await startForge({ sample: true })
  t.teardown(() => forge.close())
  const server = await testServer(t, { FORGE_API_URL: forge.apiUrl, FORGE_TOOLSETS: 'all' })
  const run: Run = async (tool, args) => {
    const { result } = (await post(server, { token: forge.tokens.ada!, body: call(tool, args) })).json()
    if (result.isError) throw new Error(result.content[0].text)
    return result.content[0].text
  }
  const faults: string[] = []
  for (const row of rows) {
    if (row.kind !== 'custom' || row.class === 'read') continue
    const args = await calls[row.name]!(run)
    const before = forge.requests.length
    await run(row.name, args)
    for (const { method, path } of forge.requests.slice(before)) {
      const makers = method === 'GET' ? [] : madeBy(method, path)
      if (makers.length > 0 && !makers.some(maker => othersOf(row).includes(maker)))
        faults.push(`${row.name} does what ${makers.join(' or ')} does: ${method} ${path}`)
    }
  }
  t.same(faults, [])
})

/**
 * What a forge does besides what a request asks of it: the tools that are for that, or why none is. What is a part of what
 * is deleted goes with it, as comments go with an issue: who may delete the whole may delete that.
 */
const besides: Readonly<Record<string, readonly string[] | string>> = {
  add_merge_request_to_merge_train: ['merge_merge_request'],
  create_merge_request: ['delete_branch'],
  create_release: ['create_tag', 'create_release_link'],
  delete_branch: 'open merge requests from it lose their source, and stay',
  delete_draft_note: 'nothing',
  delete_issue: 'its comments, links and reactions are its parts',
  delete_issue_emoji_reaction: 'nothing',
  delete_issue_link: 'nothing',
  delete_issue_note: 'its reactions are its parts',
  delete_issue_note_emoji_reaction: 'nothing',
  delete_label: 'issues lose it, and stay',
  delete_merge_request_approval_rule: 'nothing',
  delete_merge_request_discussion_note: ['delete_merge_request_note'],
  delete_merge_request_emoji_reaction: 'nothing',
  delete_merge_request_note: ['delete_merge_request_discussion_note'],
  delete_merge_request_note_emoji_reaction: 'nothing',
  delete_milestone: 'issues lose it, and stay',
  delete_package: 'its files are its parts',
  delete_pipeline_schedule: 'its variables are its parts',
  delete_registry_tag: 'other tags of the image may go, which the same tool deletes',
  delete_release: 'its links are its parts, and its tag stays',
  delete_release_link: 'nothing',
  delete_snippet: 'its files and comments are its parts',
  delete_tag: ['delete_release'],
  delete_variable: 'nothing',
  delete_webhook: 'nothing',
  delete_wiki_page: 'nothing',
  erase_job: 'its log and its artifacts are its parts',
  fork_project: ['create_project'],
  mark_all_todos_done: ['mark_todo_done'],
  merge_merge_request: ['delete_branch'],
  move_issue: ['create_issue', 'update_issue'],
  purge_dependency_proxy_cache: 'nothing',
  remove_member: ['update_issue', 'update_merge_request'],
  unprotect_branch: 'nothing',
  update_merge_request: ['delete_branch'],
  update_project: ['delete_branch']
}

t.test('a tool of one request names the tools whose work the forge does with it', async t => {
  const faults: string[] = []
  for (const row of rows) {
    const others = besides[row.name]
    if (row.kind === 'rest' && row.class === 'destructive' && others === undefined)
      faults.push(`what else does the forge do with ${row.name}? The answer goes into besides, above`)
    for (const other of Array.isArray(others) ? others : [])
      if (!othersOf(row).includes(other)) faults.push(`${row.name} does what ${other} does`)
  }
  const names = new Set(rows.map(({ name }) => name))
  t.same([...faults, ...Object.keys(besides).filter(name => !names.has(name))], [])
})

t.test('what other tools show of a record is left out by all tools of that record', async t => {
  const shown = new Map<unknown, Map<string, string[]>>()
  for (const { name, record, shows } of rows) {
    if (record === undefined) continue
    const ways = shown.get(record) ?? new Map()
    const way = JSON.stringify(shows ?? {})
    shown.set(record, ways.set(way, [...(ways.get(way) ?? []), name]))
  }
  t.same(
    [...shown.values()].filter(ways => ways.size > 1).map(ways => Object.fromEntries(ways)),
    []
  )
})
