import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { holderOf } from '../../base/holders.ts'
import type { RoomPlace } from '../../collections/shared-room.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import type { FairRead, ReadSocket } from './fair-reads.ts'
import type { UnreadAnswer } from './unread-answers.ts'

/** A request that is not completely answered yet. */
export interface Waiting {
  readonly caller: string
  /** The memory of its headers, and of what has arrived of its body as long as that is not counted elsewhere. */
  readonly head: RoomPlace
  /** Bytes of its body that are counted in `head`. */
  bodyBytes: number
  /** Starts handling it; undefined once its turn has come. */
  begin: (() => void) | undefined
  /** Whether all of it had arrived when its turn came. */
  isWhole: boolean
  /** Its answer, as far as there is one. */
  unread: UnreadAnswer | undefined
}

/** What is known of a connection, and of what arrives over it. */
export interface Connection {
  readonly socket: Socket
  /** The connection as FairReads sees it. */
  readonly reader: ReadSocket
  /** The latest request, until it is answered and complete. */
  request: IncomingMessage | undefined
  /** The address of its caller. */
  address: string | undefined
  /** How many requests have begun. */
  requests: number
  /** When that began, by the clock. */
  requestedAt: number
  /** Undefined for a connection of a proxy. */
  readonly place: RoomPlace | undefined
  /** For a connection of a proxy it is set only while a request takes more than one read, and counts for its caller. */
  reads: FairRead | undefined
  /** The request that is arriving over a connection of a proxy, and its caller. */
  coming: { readonly request: IncomingMessage; readonly caller: string } | undefined
  /** In order of arrival, which is that of the answers. */
  readonly waiting: Map<ServerResponse, Waiting>
  /** The memory of the headers of the latest request, and of trailers that come. */
  head: RoomPlace | undefined
  /** Whether a head has begun to come, and is not whole. */
  isHeadComing: boolean
  /** The memory of what has come of it, once a read has ended within it. */
  unfinished: RoomPlace | undefined
  /** What has arrived of the body of the current request, and the request that it is counted for. */
  readonly body: { bytes: number; pieces: number; of: Waiting | undefined }
  /**
   * What the current read has brought so far: pieces of bodies and their bytes, names and values of heads and trailers that
   * are not whole, and whether a request began in it.
   */
  readonly read: { pieces: number; bytes: number; texts: number; begins: boolean }
}

/** The record of a connection that was just accepted. @param place as in Connection */
export function connectionOf(socket: Socket, place: RoomPlace | undefined): Connection {
  const connection: Connection = {
    socket,
    reader: {
      pause: () => socket.pause(),
      resume: () => {
        if (!isFull(connection.request)) socket.resume()
      }
    },
    request: undefined,
    address: undefined,
    requests: 0,
    requestedAt: 0,
    place,
    reads: undefined,
    coming: undefined,
    waiting: new Map(),
    head: undefined,
    isHeadComing: false,
    unfinished: undefined,
    body: { bytes: 0, pieces: 0, of: undefined },
    read: { pieces: 0, bytes: 0, texts: 0, begins: false }
  }
  return connection
}

/**
 * Whether nothing consumes the request yet, because it waits for its turn or its caller is being looked up. Node would
 * buffer whatever is read before then, and reads on by itself afterwards.
 */
const isFull = (request: IncomingMessage | undefined): boolean =>
  request?.complete === false && request.readableLength >= request.readableHighWaterMark

/** Whether nothing is read from it at present, and what comes stays with the kernel. */
export const isStopped = ({ request, socket }: Connection): boolean => socket.isPaused() || isFull(request)

/**
 * Ends those connections for which a server that is leaving does not wait: Node no longer enforces its own time limits then.
 * @param now by the clock, in milliseconds
 * @param leftAt when it began to leave
 */
export function endLate(
  connections: Iterable<Connection>,
  now: number,
  leftAt: number,
  limits: ConnectionLimits
): void {
  for (const connection of connections)
    if (isTooLate(connection, now, leftAt, limits)) connection.socket.destroy()
}

function isTooLate(
  { request, requestedAt, socket, waiting }: Connection,
  now: number,
  leftAt: number,
  limits: ConnectionLimits
): boolean {
  const ms = now - leftAt
  // Data of the connections accepted last is not read yet: ending them now would reset them and lose the request.
  if (ms < limits.silentMs) return false
  if (ms < limits.headersMs) return socket.bytesRead === 0
  return waiting.size === 0 || (request?.complete === false && now - requestedAt >= limits.requestMs)
}

/** A request that has not arrived in its time. */
export interface LateRequest {
  /** In whose turn it is refused: of the caller, or as long as that is not known of the connection. */
  readonly holder: string
  /** Whether it still has not arrived: by the turn, the connection may carry the next one, which is in time. */
  readonly isArriving: () => boolean
}

/** The request that is arriving over a connection. @param connection undefined if it was cut */
export function lateRequest(socket: Socket, connection: Connection | undefined): LateRequest {
  const holder = connection?.coming?.caller ?? holderOf(socket.remoteAddress ?? '')
  if (connection === undefined) return { holder, isArriving: () => true }
  const { request, requests } = connection
  // It counts as begun once all of its head is there.
  const late = request?.complete === false ? requests : requests + 1
  const isArriving = () =>
    connection.requests < late || (connection.requests === late && connection.request?.complete === false)
  return { holder, isArriving }
}

/**
 * Makes pausing work in the same turn in which a connection is resumed, as after a complete request. Otherwise the
 * connection would read on: Node starts reading after that turn, and pausing it once more has no effect.
 */
export function holdPauses(socket: Socket): void {
  socket.on('resume', () => {
    if (socket.isPaused()) socket.emit('pause')
  })
}

/** From now on, what has come of the body of a request is not counted with its headers. */
export function leaveBody({ body }: Connection, waiting: Waiting): void {
  waiting.head.grow(-waiting.bodyBytes)
  waiting.bodyBytes = 0
  if (body.of === waiting) body.of = undefined
}

/**
 * Ends the accounting of a request that is answered. Its headers count until all of it has come, or its connection is
 * closed: Node keeps them for so long, and reads the rest of the body away.
 * @returns what was known of it
 */
export function leaveAnswered(connection: Connection, response: ServerResponse): Waiting {
  const { socket, waiting } = connection
  const { req: request } = response
  const answered = waiting.get(response)!
  waiting.delete(response)
  leaveBody(connection, answered)
  const leave = () => {
    answered.head.leave()
    // An idle connection keeps nothing of its last request.
    if (connection.request === request) connection.request = undefined
  }
  if (request.complete || socket.destroyed) leave()
  else request.once('close', leave)
  return answered
}

/** Ends the accounting of the current caller: the next request over a connection of a proxy may be another's. */
export function leaveCaller(connection: Connection): void {
  const { reads } = connection
  connection.coming = undefined
  connection.reads = undefined
  reads?.leave()
}
