import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished } from 'node:stream'

/**
 * To be called before an answer is sent. If a request asks to close the connection (`Connection: close`, HTTP/1.0),
 * Node closes it right after the answer, even if the body is still arriving. The rest of the body then causes a reset,
 * and a client that writes its whole body before reading never sees the answer. So the connection is closed only once
 * the body has arrived, or the server's own time limit for it is over (RFC 9112, section 9.6).
 */
export function linger(request: IncomingMessage, answer: ServerResponse): void {
  if (request.complete || answer.shouldKeepAlive) return
  const { socket } = request
  answer.shouldKeepAlive = true
  answer.once('finish', () => finished(request, () => socket.end()))
}
