import type { Server as HttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'

/**
 * Listens on another address for a server: it gets the connections as its own, with its time-outs and all that bounds
 * them. Closing it stops what comes; what has come is the server's to end.
 * @param onFault told of what keeps it from listening, and of what befalls it then
 */
export function listenToo(
  server: HttpServer,
  at: { readonly host: string; readonly port: number },
  onFault: (error: Error) => void
): Server {
  const options = { allowHalfOpen: true, noDelay: true }
  return createServer(options, socket => server.emit('connection', socket))
    .on('error', onFault)
    .listen(at)
}
