import type { FastifyInstance } from 'fastify'
import type { DestinationStream } from 'pino'
import type { Test } from 'tap'
import { createServer } from '../../src/server.ts'
import { principalOf } from '../../src/session/credential.ts'

export const TOKEN = 'glpat-test-test-test-test'
export const OTHER_TOKEN = 'glpat-other-other-other-1'

/** A server that is ready but does not listen, closed after the test. */
export async function testServer(
  t: Test,
  settings: Record<string, string> = {},
  log?: DestinationStream
): Promise<FastifyInstance> {
  const quiet = {
    LOG_LEVEL: 'silent',
    FORGE_API_URL: 'http://127.0.0.1:9',
    DRAIN_SECONDS: '0'
  }
  // A machine that is busy with other tests must not count as overload of this server.
  const server = await createServer({ ...quiet, MAX_EVENT_LOOP_DELAY_MS: '0', ...settings }, log)
  t.teardown(() => server.close())
  return server
}

/** Marks a token as accepted by the forge. Callers with other tokens are not told which projects are served. */
export const taken = (server: FastifyInstance, token = TOKEN) =>
  server.triedTokens!.taken(principalOf({ kind: 'private-token', token }))

export interface PostOptions {
  token?: string | undefined
  headers?: Record<string, string | string[]>
  /** A text is sent unchanged, anything else as JSON. */
  body: unknown
  /** The caller's address. */
  remoteAddress?: string
}

/** POST /mcp without a network. */
export function post(
  server: FastifyInstance,
  { token = TOKEN, headers = {}, body, remoteAddress = '127.0.0.1' }: PostOptions
) {
  return server.inject({
    method: 'POST',
    url: '/mcp',
    remoteAddress,
    headers: {
      host: 'localhost',
      'content-type': 'application/json',
      ...(token !== '' && { 'private-token': token }),
      ...headers
    },
    payload: typeof body === 'string' ? body : JSON.stringify(body)
  })
}

export const request = (method: string, params?: unknown, id: string | number = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params !== undefined && { params })
})

export const initialize = (version = '2025-11-25') =>
  request('initialize', {
    protocolVersion: version,
    capabilities: {},
    clientInfo: { name: 'test', version: '1' }
  })

export const call = (name: unknown, args?: unknown, id: string | number = 1) =>
  request('tools/call', { name, arguments: args }, id)
