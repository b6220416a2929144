import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished } from 'node:stream'

/**
 * Before an answer is sent: Node ends a connection whose request asks for that (`Connection: close`, HTTP/1.0) with the
 * answer, though the body is still to come. What comes then resets it, and who writes all of the body before reading
 * never sees the answer. So it ends once the body has come, or the server's own limit of time for it is over
 * (RFC 9112, 9.6).
 */
export function linger(request: IncomingMessage, answer: ServerResponse): void {
  if (request.complete || answer.shouldKeepAlive) return
  const { socket } = request
  answer.shouldKeepAlive = true
  answer.once('finish', () => finished(request, () => socket.end()))
}
