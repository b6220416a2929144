import type { Server as HttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import { BACKLOG } from './connection-limits.ts'

/**
 * Listens on another address on behalf of a server, which handles the connections as its own, with its time-outs and
 * limits. Closing this listener stops new connections; open connections stay with the server.
 * @param onFault called with errors, both while starting to listen and later
 */
export function listenToo(
  server: HttpServer,
  at: { readonly host: string; readonly port: number },
  onFault: (error: Error) => void
): Server {
  const options = { allowHalfOpen: true, noDelay: true }
  return createServer(options, socket => server.emit('connection', socket))
    .on('error', onFault)
    .listen({ ...at, backlog: BACKLOG })
}
