import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type Server } from 'node:http'
import type { Connections } from './connections.ts'

/** A scraper sends a line and some headers, at once. */
const REQUEST_MS = 10_000

/** Longer than the usual interval between two scrapes. */
const KEEP_ALIVE_MS = 72_000

export interface PlainAnswer {
  readonly status: number
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string
}

export interface PlainListenerOptions {
  /** Answers a request, or throws: then the answer is 500. */
  readonly handle: (request: IncomingMessage) => Promise<PlainAnswer>
  readonly connections: Connections
  /** Told of what was thrown, and of what befalls the listener once it listens. */
  readonly onFault: (error: unknown) => void
}

/**
 * A listener beside Fastify's own, with the same bounds on its connections. What its handler throws, at once or
 * later, ends that request and nothing else: outside of Fastify an error that nobody catches ends the process.
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
  // Who calls listen hears of what keeps it from listening.
  server.on('error', error => {
    if (server.listening) onFault(error)
  })
  return server
}

/** The path of a request as it was sent, without its query. No URL is made of it: not every target is one. */
export const pathOf = ({ url = '/' }: IncomingMessage): string => url.split('?', 1)[0]!
