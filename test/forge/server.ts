import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { answer, type Incoming, type Journal, MAX_RECORDED, type RecordedRequest } from './answer.ts'
import { ForgeError, type Reply } from './http.ts'
import type { Fault, ForgeState } from './state.ts'

const MAX_BODY = 2_000_000

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY) throw new ForgeError(413, { message: '413 Request Entity Too Large' })
    chunks.push(chunk)
  }
  // latin1 preserves the bytes of a form's files.
  const isForm = request.headers['content-type']?.startsWith('multipart/form-data')
  return Buffer.concat(chunks).toString(isForm ? 'latin1' : 'utf8')
}

const parsed = (body: string): unknown => {
  if (body === '') return undefined
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

const record = (state: ForgeState, journal: Journal, incoming: Incoming): RecordedRequest => {
  const query: RecordedRequest['query'] = {}
  for (const [key, value] of new URLSearchParams(incoming.search)) {
    const known = query[key]
    query[key] = known === undefined ? value : [...[known].flat(), value]
  }
  const { method, path, search, headers } = incoming
  const entry = { at: state.now(), method, path, query, search, headers, body: parsed(incoming.body) }
  const recorded: RecordedRequest = { ...entry, operation: undefined, status: 0 }
  journal.requests.push(recorded)
  if (journal.requests.length > MAX_RECORDED) journal.requests.shift()
  return recorded
}

const asReply = (error: unknown): Reply => {
  if (error instanceof ForgeError) return { status: error.status, body: error.body, headers: error.headers }
  const reason = error instanceof Error ? error.stack : String(error)
  return { status: 500, body: { message: '500 Internal Server Error', sandbox: reason } }
}

const send = (response: ServerResponse, reply: Reply, requestId: string, head: boolean) => {
  const { body } = reply
  const payload =
    body === undefined || Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body)
  const headers: Record<string, string> = {
    'cache-control': 'max-age=0, private, must-revalidate',
    vary: 'Origin',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    'x-runtime': '0.021042',
    'x-gitlab-meta': JSON.stringify({ correlation_id: requestId, version: '1' })
  }
  if (payload !== undefined) {
    headers['content-type'] = 'application/json'
    headers['content-length'] = String(Buffer.byteLength(payload))
  }
  response.writeHead(reply.status, { ...headers, ...reply.headers })
  response.end(head ? undefined : payload)
}

const takeFault = (state: ForgeState, { method, path, search }: Incoming): Fault | undefined => {
  const fault = state.faults.find(
    ({ match, times }) => times > 0 && match.test(`${method} ${path}?${search}`)
  )
  if (fault) fault.times--
  return fault
}

/** Applies a planned fault. It returns undefined if the call is still to be served. */
const suffer = async (response: ServerResponse, fault: Fault): Promise<Reply | undefined> => {
  if (fault.delayMs) await sleep(fault.delayMs, undefined, { ref: false })
  if (fault.hangUp) response.destroy()
  if (fault.status === undefined && !fault.hangUp) return undefined
  return {
    status: fault.status ?? 0,
    headers: fault.headers ?? {},
    body: fault.body ?? { message: `${fault.status}` }
  }
}

/** The sandbox's HTTP server, not yet listening. */
export const createForgeServer = (state: ForgeState, journal: Journal): Server =>
  createServer(async (request, response) => {
    const [path = '/', search = ''] = (request.url ?? '/').split(/\?(.*)/s)
    const method = request.method ?? 'GET'
    const requestId = `01${state.hash('request', journal.requests.length, state.now()).slice(0, 24).toUpperCase()}`
    let recorded: RecordedRequest | undefined
    let reply: Reply
    try {
      const incoming = { method, path, search, headers: request.headers, body: await readBody(request) }
      recorded = record(state, journal, incoming)
      const fault = takeFault(state, incoming)
      reply = (fault && (await suffer(response, fault))) ?? answer(state, journal, incoming, recorded)
    } catch (error) {
      reply = asReply(error)
    }
    if (recorded) recorded.status = reply.status
    if (!response.destroyed) send(response, reply, requestId, method === 'HEAD')
  })
