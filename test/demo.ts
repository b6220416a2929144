import { parseArgs } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import closeWithGrace from 'close-with-grace'
import { createServer, listen } from '../src/server.ts'
import { startForge } from './forge/index.ts'

/*
 * `npm run demo`: a sandbox forge with sample data, this server in front of it, and a real MCP client that
 * works through a morning of a maintainer. Afterwards both stay up for a client of your own.
 * --once ends after the calls; --port N chooses the port (default 3000, or a free one when that is taken).
 */

const { values } = parseArgs({
  options: { once: { type: 'boolean' }, port: { type: 'string', default: '3000' } }
})
const print = (line = ''): void => void process.stdout.write(`${line}\n`)

const forge = await startForge({ sample: true })
const token = forge.tokens.ada!
const server = await createServer({
  FORGE_API_URL: forge.apiUrl,
  FORGE_TOOLSETS: 'all',
  LOG_LEVEL: 'warn',
  PORT: values.once ? '0' : values.port,
  DRAIN_SECONDS: '0'
})
const url = `${await listenSomewhere()}/mcp`

const client = new Client({ name: 'demo', version: '1.0.0' })
await client.connect(
  new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { 'Private-Token': token } } })
)

try {
  await tour()
} finally {
  await client.close()
}
if (forge.violations.length > 0)
  throw new Error(`the forge's contract was broken:\n${forge.violations.join('\n')}`)
if (values.once) await stop()
else {
  sayHowToConnect()
  closeWithGrace({ delay: 5000 }, stop)
}

async function tour(): Promise<void> {
  const { tools } = await client.listTools()
  print(
    `Connected to ${url}: ${tools.length} tools, ${Buffer.byteLength(JSON.stringify(tools))} bytes to list them.`
  )

  heading('What waits for review in acme/rocket?')
  const open = await call('list_merge_requests', { project_id: 'acme/rocket', state: 'opened' })
  for (const mr of open as Row[])
    print(`  !${mr.iid} ${mr.title} (${mr.source_branch} → ${mr.target_branch}, ${mr.detailed_merge_status})`)

  const { iid } = (open as Row[]).toSorted(
    (a, b) => Number(b.user_notes_count) - Number(a.user_notes_count)
  )[0]!
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
  const note = await call('create_merge_request_note', {
    ...mergeRequest,
    body: 'I rebase this after lunch.'
  })
  print(`  note ${(note as Row).id}: ${(note as Row).body}`)
  const thread = (await call('create_merge_request_thread', {
    ...mergeRequest,
    body: 'Which test covers this?'
  })) as Row
  const resolved = (await call('resolve_merge_request_thread', {
    ...mergeRequest,
    discussion_id: thread.id,
    resolved: true
  })) as { notes: Row[] }
  print(`  thread ${String(thread.id).slice(0, 8)}: resolved ${resolved.notes[0]?.resolved}`)

  heading('Which issues are Ada’s?')
  for (const issue of (await call('my_issues', {})) as Row[])
    print(`  ${(issue.references as Row).full} ${issue.title} [${issue.labels}]`)

  await failedPipeline(new Set(tools.map(tool => tool.name)))

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

type Row = Record<string, unknown>

async function call(name: string, args: Record<string, unknown>): Promise<unknown> {
  const result = await client.callTool({ name, arguments: args })
  const [first] = result.content as { text: string }[]
  if (result.isError) throw new Error(`${name}: ${first?.text}`)
  return JSON.parse(first!.text)
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
  print(`  Forge    ${forge.url} (a sandbox: nothing leaves this machine)`)
  print()
  print(JSON.stringify(configuration, null, 2))
  print()
  print(`  curl -s ${url} -H 'Content-Type: application/json' -H 'Private-Token: ${token}' \\`)
  print(`    -d '${JSON.stringify(ping)}'`)
  print()
  print('Ctrl-C stops it.')
}
