import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { startForge } from '../forge/index.ts'
import { untouched } from './live/plan.ts'
import { runLive } from './live/run.ts'
import { enter } from './support/ledger.ts'
import { rows } from './support/toolsets.ts'

/* The live run itself, rehearsed on the sandbox forge, in an empty group that is made for it there. */

/** A forge before the sandbox: it has the operations that only a live run wants, and notes what is asked. */
async function rehearse(t: Test, isEmpty: boolean) {
  const forge = await startForge({ sample: true })
  const asked: string[] = []
  const deleted = new Set<string>()
  const token = forge.tokens.margaret!
  const rocket = forge.state.projects.find(({ path }) => path === 'rocket')!
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request
    asked.push(`${method} ${url}`)
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const say = (status: number, value: unknown) => response.writeHead(status).end(JSON.stringify(value))
    const gone = /^\/api\/v4\/((?:projects|groups)\/\d+)$/.exec(url)?.[1]
    if (method === 'DELETE' && gone !== undefined) {
      deleted.add(gone)
      return say(202, {})
    }
    const [path, query] = url.split('?')
    const inside = /\/groups\/([^/]+)\/subgroups$/.exec(path!)?.[1]
    const below = forge.state.groups.filter(({ parent }) => parent?.path === inside)
    if (inside !== undefined)
      return say(
        200,
        below.map(({ id, path }) => ({ id, full_path: `${inside}/${path}` }))
      )
    const headers = { ...(request.headers as Record<string, string>), host: '' }
    const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}
    const answer = await fetch(`${forge.url}${path}${query === undefined ? '' : `?${query}`}`, {
      method,
      headers,
      ...body
    })
    // A new project of the sandbox has jobs when it is told so, not by a file.
    if (method === 'POST' && path === '/api/v4/projects') forge.state.projects.at(-1)!.ci = rocket.ci
    const type = answer.headers.get('content-type') ?? 'application/json'
    response.writeHead(answer.status, { 'content-type': type }).end(Buffer.from(await answer.arrayBuffer()))
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  t.teardown(() => Promise.all([forge.close(), server.close(), server.closeAllConnections()]))
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v4`
  if (isEmpty)
    await fetch(`${forge.apiUrl}/groups`, {
      method: 'POST',
      headers: { 'private-token': token, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'live', path: 'live' })
    })
  const lines: string[] = []
  const namespace = isEmpty ? 'live' : 'acme'
  const run = runLive({ apiUrl, token, namespace, print: line => lines.push(line) })
  return { run, lines, asked, deleted, forge }
}

/** Tools that are refused in the rehearsal → why a real forge may answer them. */
const refused: Record<string, string> = {
  ...Object.fromEntries(
    ['get_environment', 'get_deployment', 'mark_todo_done', 'get_package', 'delete_package'].map(name => [
      name,
      'the sandbox cannot be given one'
    ])
  ),
  ...Object.fromEntries(
    ['list_registry_tags', 'get_registry_tag', 'delete_registry_tag'].map(name => [
      name,
      'an image has to be pushed first, which no request of the interface does'
    ])
  ),
  ...Object.fromEntries(
    ['list_job_artifacts', 'get_job_artifact_file', 'download_job_artifacts', 'keep_job_artifacts'].map(
      name => [name, 'no job ran far enough to leave artifacts']
    )
  ),
  set_member: "the token's owner is a member by the group already",
  remove_member: "the token's owner is a member by the group already",
  approve_merge_request: 'whoever made it may not approve it',
  unapprove_merge_request: 'it was not approved',
  play_pipeline_job: 'the job is not to be played by hand',
  list_merge_trains: 'a new project has no merge trains',
  add_merge_request_to_merge_train: 'a new project has no merge trains'
}

/** How many tools may be new since somebody thought of this: each is told. */
const NEW = 8

t.test('a live run works every tool and deletes what it made', async t => {
  const { run, lines, asked, deleted } = await rehearse(t, true)
  await run
  const outcomes = new Map(lines.map(line => line.split(' | ') as [string, string]))
  const of = (name: string) => outcomes.get(`| ${name}`)
  const answered = rows.filter(({ name }) => of(name) === 'ok').map(({ name }) => name)
  const unexplained: string[] = []
  for (const { name } of rows) {
    if (name in untouched) t.match(of(name), /^not worked: /, name)
    else if (name in refused && answered.includes(name))
      unexplained.push(`${name} is answered now: its line in live.evidence.ts goes`)
    else if (!(name in refused) && !answered.includes(name))
      unexplained.push(`${name} is refused: say in live/plan.ts what it is to be given (${of(name)})`)
  }
  for (const line of unexplained) t.comment(line)
  t.ok(unexplained.length <= NEW, `of tools that are not as they were there are ${unexplained.length}`)
  enter('live', {
    title: '8 Rehearsal of a live run',
    source: 'the sandbox forge',
    confirmed: { 'tools answered': answered.length, 'tools in all': rows.length },
    differences: [
      ...Object.entries({ ...untouched, ...refused }).map(([name, why]) => `${name}: ${why}`),
      ...unexplained
    ]
  })
  const made = asked.filter(request => /^POST .*\/(projects|groups|fork)$/.test(request))
  t.equal(deleted.size, made.length, 'all that was made in the group')
  t.same(
    lines.filter(line => /still there/.test(line)),
    []
  )
})

t.test('a namespace that is not empty is refused, and nothing is changed in it', async t => {
  const { run, lines, asked } = await rehearse(t, false)
  await t.rejects(run, { message: /is not empty/ })
  t.same(lines, [])
  t.same(
    asked.filter(request => !request.startsWith('GET ')),
    []
  )
})
