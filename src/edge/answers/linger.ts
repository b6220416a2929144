import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { finished } from 'node:stream'

/** Most bytes of a body for which others may wait on a connection that they share. */
const MOST_SHARED = 64 * 1024

/**
 * To be called before an answer is sent. Where the connection is to be closed after it, that is done only once the body
 * has arrived, or the server's own time limit for it is over (RFC 9112, section 9.6): the rest of it would cause a
 * reset, and a client that writes its whole body before reading never sees the answer.
 * @param isShared whether it is a proxy's: with a large body that is still to come it is closed, too, as the proxy would
 * put somebody else's request behind what is left of it
 */
export function linger(request: IncomingMessage, answer: ServerResponse, isShared: () => boolean): void {
  if (request.complete) return
  if (isShared() && !(Number(request.headers['content-length']) <= MOST_SHARED))
    answer.setHeader('connection', 'close')
  else if (answer.shouldKeepAlive) return
  const { socket } = request
  // Node calls this where an answer is the connection's last.
  socket.destroySoon = () => void finished(request, () => Socket.prototype.destroySoon.call(socket))
}
