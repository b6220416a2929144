import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type Server } from 'node:http'
import type { Connections } from './connections.ts'

/** Time limit for a request, in milliseconds: a scraper sends a line and a few headers at once. */
const REQUEST_MS = 10_000

/** In milliseconds; longer than the usual interval between two scrapes. No proxy stands in front of this listener. */
const KEEP_ALIVE_MS = 72_000

interface PlainAnswer {
  readonly status: number
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string
}

export interface PlainListenerOptions {
  /** Answers a request. If it throws, the answer is 500. */
  readonly handle: (request: IncomingMessage) => Promise<PlainAnswer>
  readonly connections: Connections
  /** Called with the errors that a handler throws, and with errors of the listener once it listens. */
  readonly onFault: (error: unknown) => void
}

/**
 * A listener next to Fastify's own, with the same limits on its connections. An error of its handler, synchronous or
 * not, ends only that request: outside of Fastify, an uncaught error would end the process.
 */
export function plainListener({ handle, connections, onFault }: PlainListenerOptions): Server {
  const server = createServer({
    requestTimeout: REQUEST_MS,
    headersTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: 1_000
  })
  const answer = async (request: IncomingMessage): Promise<PlainAnswer> => {
    try {
      return await handle(request)
    } catch (error) {
      onFault(error)
      return { status: 500 }
    }
  }
  server.on('request', async (request, response) => {
    const { status, headers, body = '' } = await answer(request)
    connections.answer(response, Buffer.byteLength(body))
    response.writeHead(status, headers).end(body)
  })
  connections.guard(server)
  // Errors that occur before it listens are reported to the caller of listen.
  server.on('error', error => {
    if (server.listening) onFault(error)
  })
  return server
}
