import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { HeadRefusal } from '../requests/request-head.ts'
import { endAnswered } from './last-answer.ts'

/** As of ConnectionsOptions. */
export interface TunnelRefusers {
  readonly isProxy: (address: string) => boolean
  readonly callerOf: (request: IncomingMessage) => string | undefined
  readonly onRefused?: (refusal: HeadRefusal, address: string | undefined) => void
}

/** The target is another host, of which this one allows no method (RFC 9110, sections 9.3.6 and 10.2.1). */
const noTunnel: HeadRefusal = { status: 405, reason: 'method', hint: 'CONNECT: this server is no proxy.' }

/**
 * Answers a request for a tunnel (CONNECT), whose connection Node closes without a word otherwise: a proxy takes the
 * server to be down then, for all of its callers.
 */
export function refuseTunnel(request: IncomingMessage, socket: Socket, refusers: TunnelRefusers): void {
  const { isProxy, callerOf, onRefused } = refusers
  // Node has taken its own listeners away, and an error without one would end the process.
  socket.on('error', () => socket.destroy())
  const { _httpMessage: begun } = socket as Socket & { _httpMessage?: unknown }
  // Nothing is written into the answer to a request before it.
  if (begun != null || !socket.writable) {
    socket.destroy()
    return
  }
  onRefused?.(noTunnel, callerOf(request))
  endAnswered(socket, isProxy(socket.remoteAddress ?? ''), noTunnel.status, 'There are no tunnels here.', {
    allow: ''
  })
}
