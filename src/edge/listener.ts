import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

/** A scraper sends a line and some headers, at once. */
const REQUEST_MS = 10_000

/** Longer than the usual interval between two scrapes. */
const KEEP_ALIVE_MS = 72_000

/** Answers a request, or throws: then the answer is 500. */
export type PlainHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/**
 * A listener beside Fastify's own. What its handler throws, at once or later, ends that request and nothing else:
 * outside of Fastify an error that nobody catches ends the process.
 * @param onFault told of what was thrown, and of what befalls the listener itself
 */
export function plainListener(handle: PlainHandler, onFault: (error: unknown) => void): Server {
  const server = createServer({
    requestTimeout: REQUEST_MS,
    headersTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: 1_000
  })
  server.on('request', async (request, response) => {
    try {
      await handle(request, response)
    } catch (error) {
      onFault(error)
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end()
    }
  })
  // Whoever listens hears of it too; once it listens, nobody would.
  server.on('error', onFault)
  return server
}

/** The path of a request as it was sent, without its query. No URL is made of it: not every target is one. */
export const pathOf = ({ url = '/' }: IncomingMessage): string => url.split('?', 1)[0]!
