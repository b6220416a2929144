import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { HeadRefusal } from '../requests/request-head.ts'
import { endAnswered } from './last-answer.ts'

/** As in ConnectionsOptions. */
interface TunnelRefusers {
  readonly isProxy: (address: string) => boolean
  readonly callerOf: (request: IncomingMessage) => string | undefined
  readonly onRefused?: (refusal: HeadRefusal, address: string | undefined) => void
}

/** The target is another host, and this server allows no method for it (RFC 9110, sections 9.3.6 and 10.2.1). */
const noTunnel: HeadRefusal = { status: 405, reason: 'method', hint: 'CONNECT: this server is no proxy.' }

/**
 * Answers a request for a tunnel (CONNECT). Node would close its connection without an answer, and a proxy would then
 * take the server to be down for all of its callers.
 */
export function refuseTunnel(request: IncomingMessage, socket: Socket, refusers: TunnelRefusers): void {
  const { isProxy, callerOf, onRefused } = refusers
  // Node has removed its own listeners, and an error without a listener would end the process.
  socket.on('error', () => socket.destroy())
  const { _httpMessage: begun } = socket as Socket & { _httpMessage?: unknown }
  // Do not write into the answer to an earlier request.
  if (begun != null || !socket.writable) {
    socket.destroy()
    return
  }
  onRefused?.(noTunnel, callerOf(request))
  endAnswered(socket, isProxy(socket.remoteAddress ?? ''), noTunnel.status, 'There are no tunnels here.', {
    allow: ''
  })
}
