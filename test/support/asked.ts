import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { messages } from './events.ts'
import { listen } from './listen.ts'
import { captureLog } from './log.ts'
import { request, TOKEN, testServer } from './server.ts'

/* Servers that ask before a harmful action, and clients that are asked. */

/** A forge that records every request except reads, and answers everything with the same record. */
export async function keptForge(t: Test) {
  const state = { record: { iid: 7, title: 'Login fails', name: 'main' } as object, changes: [] as string[] }
  const url = await listen(t, (incoming, response) => {
    incoming.resume()
    if (incoming.method !== 'GET') state.changes.push(`${incoming.method} ${incoming.url}`)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(state.record))
  })
  return { state, url }
}

/** A listening server with such a forge behind it, and the server's log. */
export async function asking(t: Test, settings: Record<string, string> = {}, forge?: { url: string }) {
  const { url } = forge ?? (await keptForge(t))
  const log = captureLog()
  const server = await testServer(
    t,
    { FORGE_API_URL: url, FORGE_CONFIRM: 'destructive', LOG_LEVEL: 'info', ...settings },
    log.stream
  )
  await server.listen({ host: '127.0.0.1', port: 0 })
  return { server, log, url: urlOf(server) }
}

const urlOf = (server: FastifyInstance): string =>
  `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/mcp`

interface Sent {
  readonly token?: string
  readonly headers?: Record<string, string>
  readonly signal?: AbortSignal
}

export const send = (url: string, body: unknown, { token = TOKEN, headers = {}, signal }: Sent = {}) =>
  fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'private-token': token,
      ...headers
    },
    body: JSON.stringify(body),
    ...(signal !== undefined && { signal })
  })

/**
 * Begins a session of a client that has those capabilities.
 * @returns a function that sends a message in the session
 */
export async function session(
  url: string,
  capabilities: object = { elicitation: {} },
  version = '2025-11-25'
) {
  const opened = await send(
    url,
    request('initialize', {
      protocolVersion: version,
      capabilities,
      clientInfo: { name: 'test', version: '1' }
    })
  )
  const id = opened.headers.get('mcp-session-id')!
  return {
    id,
    send: (body: unknown, sent: Sent = {}) =>
      send(url, body, { ...sent, headers: { 'mcp-session-id': id, ...sent.headers } })
  }
}

/** The messages of an answer, one by one, whether the answer is a stream or one object. */
// biome-ignore lint/suspicious/noExplicitAny: messages of every kind are looked into
export async function* answersOf(response: Response): AsyncGenerator<any, void> {
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) yield* messages(response)
  else yield await response.json()
}

export const reply = (id: unknown, result: unknown) => ({ jsonrpc: '2.0', id, result })
export const yes = { action: 'accept', content: { agree: true } }
