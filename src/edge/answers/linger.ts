import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { finished } from 'node:stream'

/** Largest body, in bytes, that other callers may have to wait for on a connection that they share. */
const MAX_SHARED = 64 * 1024

/**
 * To be called before an answer is sent. If the connection is to be closed after the answer, it is closed only once the
 * body has arrived, or the server's own time limit for the body is over (RFC 9112, section 9.6). Closing it earlier
 * would reset the connection, and a client that writes its whole body before it reads would never see the answer.
 * @param isShared whether it is a proxy's connection. If a large body is still to come, it is closed as well, because
 * the proxy would put somebody else's request behind the rest of that body
 */
export function linger(request: IncomingMessage, answer: ServerResponse, isShared: () => boolean): void {
  if (request.complete) return
  if (isShared() && !(Number(request.headers['content-length']) <= MAX_SHARED))
    answer.setHeader('connection', 'close')
  else if (answer.shouldKeepAlive) return
  const { socket } = request
  // Node calls this method after the last answer on a connection.
  socket.destroySoon = () => void finished(request, () => Socket.prototype.destroySoon.call(socket))
}
