import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import closeWithGrace from 'close-with-grace'
import { toolNames } from '../src/app.ts'
import { loadSettings } from '../src/config/secret-files.ts'
import { listen, serverWith } from '../src/server.ts'
import { startForge } from './forge/index.ts'
import { demoFlags } from './support/demo-flags.ts'

/*
 * `npm run demo`: a sandbox forge with sample data, this server in front of it, and a real MCP client that
 * works through a morning of a maintainer. Afterwards both stay up for a client of your own.
 * --once ends after the calls, on any free port; --port N, or PORT, chooses one (else 3000, or a free one when that is
 * taken).
 */

const { once, port } = commandLine()
const SETTLED = ['success', 'failed', 'canceled']
const LONGEST_PIPELINE_MS = 60_000
const print = (line = ''): void => void process.stdout.write(`${line}\n`)

/** Pipelines take seconds by the forge's clock, which runs ten times as fast here. */
const began = Date.now()
const forge = await startForge({ sample: true, now: () => began + (Date.now() - began) * 10 })
const token = forge.tokens.ada!
const settings = await loadSettings(
  {
    FORGE_API_URL: forge.apiUrl,
    FORGE_TOOLSETS: 'all',
    LOG_LEVEL: 'error',
    // Whoever tries it may do so on a machine that has much else to do.
    MAX_EVENT_LOOP_DELAY_MS: '0',
    PORT: port ?? (once ? '0' : '3000'),
    DRAIN_SECONDS: '0'
  },
  { tools: toolNames }
)
// The notes are for whoever runs a service for others.
const server = await serverWith({ ...settings, notes: [] })
const url = `${await listenSomewhere()}/mcp`

const client = await connect(token)
/** Who approves what Ada made. */
const colleague = await connect(forge.tokens.margaret!)

try {
  await tour()
} finally {
  await client.close()
  await colleague.close()
}
if (forge.violations.length > 0)
  throw new Error(`the forge's contract was broken:\n${forge.violations.join('\n')}`)
if (once) await stop()
else {
  sayHowToConnect()
  closeWithGrace({ delay: 5000 }, stop)
}

function commandLine() {
  try {
    return demoFlags(process.argv.slice(2), process.env)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\nnpm run demo -- [--once] [--port N]\n`)
    process.exit(1)
  }
}

async function tour(): Promise<void> {
  const { tools } = await client.listTools()
  print(
    `Connected to ${url}: ${tools.length} tools, ${Buffer.byteLength(JSON.stringify(tools))} bytes to list them.`
  )

  heading('What waits for review in acme/rocket?')
  const open = await call('list_merge_requests', { project_id: 'acme/rocket', state: 'opened' })
  for (const mr of open as Row[])
    print(`  !${mr.iid} ${mr.title} (${mr.source_branch}, ${mr.detailed_merge_status})`)

  const { iid } = (open as Row[]).find(
    ({ detailed_merge_status: status }) => status === 'discussions_not_resolved'
  )!
  heading(`What is discussed in !${iid}?`)
  const discussions = await call('mr_discussions', {
    project_id: 'acme/rocket',
    merge_request_iid: String(iid)
  })
  for (const { notes } of discussions as { notes: Row[] }[])
    for (const note of notes)
      print(
        `  ${(note.author as Row).username}: ${firstLine(note.body)}${note.resolvable ? resolution(note) : ''}`
      )

  heading('Ada answers, and opens a thread.')
  const mergeRequest = { project_id: 'acme/rocket', merge_request_iid: String(iid) }
  const body = 'I rebase this after lunch.'
  const note = (await call('create_merge_request_note', { ...mergeRequest, body })) as Row
  print(`  note ${note.id}: ${body}`)
  const thread = (await call('create_merge_request_thread', {
    ...mergeRequest,
    body: 'Which test covers this?'
  })) as Row
  const resolved = (await call('resolve_merge_request_thread', {
    ...mergeRequest,
    discussion_id: thread.id,
    resolved: true
  })) as Row
  print(`  thread ${String(thread.id).slice(0, 8)}: resolved by ${(resolved.resolved_by as Row).username}`)

  heading('Which issues are Ada’s?')
  for (const issue of (await call('my_issues', {})) as Row[])
    print(`  #${issue.iid} ${issue.title}${issue.labels ? ` [${issue.labels}]` : ''}`)

  await failedPipeline(new Set(tools.map(tool => tool.name)))
  await oneChange()

  heading('And a mistake, to see what it says:')
  const wrong = await client.callTool({
    name: 'get_issue',
    arguments: { project_id: 'acme/rocket', issue_iid: '9999' }
  })
  print(`  ${(wrong.content as { text: string }[])[0]?.text}`)
}

/** Needs the pipelines toolset. */
async function failedPipeline(tools: ReadonlySet<string>): Promise<void> {
  if (!tools.has('get_pipeline_job_output')) return
  heading('Why did the pipeline fail?')
  const [pipeline] = (await call('list_pipelines', { project_id: 'acme/rocket', status: 'failed' })) as Row[]
  const jobs = await call('list_pipeline_jobs', {
    project_id: 'acme/rocket',
    pipeline_id: String(pipeline?.id),
    scope: 'failed'
  })
  const [job] = jobs as Row[]
  print(`  pipeline ${pipeline?.id} on ${pipeline?.ref}, job ${job?.name}; the end of its log:`)
  const log = await client.callTool({
    name: 'get_pipeline_job_output',
    arguments: { project_id: 'acme/rocket', job_id: String(job?.id), limit: 16 }
  })
  for (const line of (log.content as { text: string }[])[0]!.text.split('\n')) print(`    ${line}`)
}

/** One piece of work from end to end: code found, changed, tested, mended and merged. */
async function oneChange(): Promise<void> {
  const project_id = 'acme/rocket'
  const branch = 'burn-less'
  heading('From finding the code to merging the change: the engine shall burn 10 a second.')
  const [hit] = (await call('search_code', { project_id, query: 'BURN_RATE' })) as Row[]
  const file = String(hit?.path)
  print(`  BURN_RATE is in ${file}`)
  const code = await textOf('get_file_contents', { project_id, path: file })
  await call('create_branch', { project_id, branch, ref: 'main' })
  await commit('Burn 10 a second', file, code.replace('BURN_RATE = 12', 'BURN_RATE = 10'))
  const request = (await call('create_merge_request', {
    project_id,
    title: 'Burn 10 a second',
    source_branch: branch,
    target_branch: 'main'
  })) as Row
  const merge_request_iid = String(request.iid)
  print(`  !${merge_request_iid} ${request.title}; its pipeline: ${await pipeline()}`)

  const diagnosis = (await call('diagnose_pipeline', { project_id, ref: branch })) as {
    failed_jobs: Row[]
    failed_tests: { tests: Row[] }
  }
  const [test] = diagnosis.failed_tests.tests
  print(`  job ${diagnosis.failed_jobs[0]?.name}: ${test?.name} (${test?.file}) ${test?.message}`)
  const testCode = await textOf('get_file_contents', { project_id, path: String(test?.file), ref: branch })
  await commit('Expect what is left', String(test?.file), testCode.replace('.level, 40)', '.level, 50)'))
  print(`  the test is mended; its pipeline: ${await pipeline()}`)

  const review = (await call('review_merge_request', { project_id, merge_request_iid })) as {
    merge_request: Row
    merging: Row
    changed_files: Row[]
  }
  print(`  ${review.changed_files.map(({ path }) => path).join(', ')} changed; ${review.merging.status}`)
  const { sha } = review.merge_request
  await call('approve_merge_request', { project_id, merge_request_iid, sha }, colleague)
  print('  Margaret approves')
  const merged = (await call('merge_merge_request', { project_id, merge_request_iid, sha })) as Row
  print(`  !${merge_request_iid} is ${merged.state}`)

  async function commit(commit_message: string, file_path: string, content: string): Promise<void> {
    const actions = [{ action: 'update', file_path, content }]
    const made = (await call('commit_files', { project_id, branch, commit_message, actions })) as Row
    print(`  commit ${String(made.id).slice(0, 8)}: ${commit_message}`)
  }

  async function pipeline(): Promise<string> {
    const { id } = (await call('create_pipeline', { project_id, ref: branch })) as Row
    for (const end = Date.now() + LONGEST_PIPELINE_MS; Date.now() < end; await sleep(200)) {
      const { status } = (await call('get_pipeline', { project_id, pipeline_id: String(id) })) as Row
      if (SETTLED.includes(String(status))) return String(status)
    }
    throw new Error(`pipeline ${id} does not end`)
  }
}

type Row = Record<string, unknown>

async function connect(token: string): Promise<Client> {
  const client = new Client({ name: 'demo', version: '1.0.0' })
  const requestInit = { headers: { 'Private-Token': token } }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
  return client
}

async function call(name: string, args: Record<string, unknown>, by = client): Promise<unknown> {
  return JSON.parse(await textOf(name, args, by))
}

async function textOf(name: string, args: Record<string, unknown>, by = client): Promise<string> {
  const result = await by.callTool({ name, arguments: args })
  const [first] = result.content as { text: string }[]
  if (result.isError) throw new Error(`${name}: ${first?.text}`)
  return first!.text
}

function heading(text: string): void {
  print()
  print(text)
}

function firstLine(text: unknown): string {
  return String(text).split('\n', 1)[0]!
}

function resolution(note: Row): string {
  return note.resolved ? ' (resolved)' : ' (unresolved)'
}

async function listenSomewhere(): Promise<string> {
  try {
    return await listen(server)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    if (port !== undefined) {
      process.stderr.write(`port ${port} is taken by another program: end that, or choose another --port.\n`)
      process.exit(1)
    }
    print('Port 3000 is taken by another program: this runs on another one.')
    return server.listen({ host: '127.0.0.1', port: 0 })
  }
}

async function stop(): Promise<void> {
  await server.close()
  await forge.close()
}

function sayHowToConnect(): void {
  const configuration = { mcpServers: { forge: { type: 'http', url, headers: { 'Private-Token': token } } } }
  const ping = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'my_issues', arguments: {} } }
  print()
  print('Still running. Connect your own client:')
  print()
  print(`  MCP URL  ${url}`)
  print(`  Token    ${token} (header Private-Token; this is ada, a maintainer)`)
  print(
    `  Forge    ${forge.url} (a sandbox: nothing leaves this machine, and its clock runs ten times as fast)`
  )
  print()
  print(JSON.stringify(configuration, null, 2))
  print()
  print(`  curl -s ${url} -H 'Content-Type: application/json' -H 'Private-Token: ${token}' \\`)
  print(`    -d '${JSON.stringify(ping)}'`)
  print()
  print('Ctrl-C stops it.')
}
