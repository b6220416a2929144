import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import { Agent, request } from 'undici'

/*
 * The least that answers MCP over HTTP: Fastify and undici, one GET for each call, its text put into the answer as it
 * came. No session, no validation, no limit, no log. floor.ts FORGE LISTING: the forge's origin, and a file with the
 * result of tools/list.
 */

interface Message {
  readonly id: number
  readonly method: string
  readonly params: { readonly name: string; readonly arguments: Readonly<Record<string, string>> }
}

/** Bytes that are told of a log. */
const LOG_END = 64 * 1024

const [forge, listing] = process.argv.slice(2)
const dispatcher = new Agent()
const fastify = Fastify()
const tools = listing === undefined ? {} : JSON.parse(readFileSync(listing, 'utf8'))

const paths: Readonly<Record<string, (of: Readonly<Record<string, string>>) => string>> = {
  get_project: () => '',
  get_merge_request: of => `/merge_requests/${of.merge_request_iid}`,
  list_merge_requests: () => '/merge_requests',
  get_issue: of => `/issues/${of.issue_iid}`,
  list_issues: () => '/issues',
  list_pipelines: () => '/pipelines',
  get_repository_tree: () => '/repository/tree',
  get_pipeline_job_output: of => `/jobs/${of.job_id}/trace`
}

async function call({ params: { name, arguments: of } }: Message, token: string): Promise<unknown> {
  const { body } = await request(
    `${forge}/api/v4/projects/${encodeURIComponent(of.project_id!)}${paths[name]!(of)}`,
    { dispatcher, headers: { accept: 'application/json', 'private-token': token } }
  )
  const text = await (name === 'get_pipeline_job_output' ? endOf(body) : body.text())
  return { content: [{ type: 'text', text }] }
}

async function endOf(body: AsyncIterable<Buffer>): Promise<string> {
  const kept: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    kept.push(chunk)
    size += chunk.length
    while (size - kept[0]!.length >= LOG_END) size -= kept.shift()!.length
  }
  return Buffer.concat(kept).toString()
}

const begun = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'floor', version: '1' }
}

fastify.post<{ Body: Message }>('/mcp', async ({ headers, body }, reply) => {
  const { id, method } = body
  if (method === 'tools/call')
    return { jsonrpc: '2.0', id, result: await call(body, String(headers['private-token'])) }
  if (method === 'tools/list') return { jsonrpc: '2.0', id, result: tools }
  reply.header('mcp-session-id', randomUUID())
  return { jsonrpc: '2.0', id, result: begun }
})

await fastify.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
process.once('SIGTERM', () => process.exit())
