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
  /**
   * The memory of its headers, and of the part of its body that has arrived, as long as that is not counted elsewhere.
   */
  readonly head: RoomPlace
  /** Bytes of its body that are counted in `head`. */
  bodyBytes: number
  /** Starts handling the request; undefined once its turn has come. */
  begin: (() => void) | undefined
  /** Whether all of it had arrived when its turn came. */
  isWhole: boolean
  /** Its answer, once there is one. */
  unread: UnreadAnswer | undefined
}

/** The state of a connection, and of the requests that arrive over it. */
export interface Connection {
  readonly socket: Socket
  /** The connection as FairReads sees it. */
  readonly reader: ReadSocket
  /** The latest request, until it is answered and complete. */
  request: IncomingMessage | undefined
  /** The address of the latest request's caller. */
  address: string | undefined
  /** How many requests have begun. */
  requests: number
  /** When the latest request began, by the clock. */
  requestedAt: number
  /** Undefined for a connection of a proxy. */
  readonly place: RoomPlace | undefined
  /** On a proxy's connection this is set only while a request takes more than one read, and counts for its caller. */
  reads: FairRead | undefined
  /** The request that is arriving over a proxy's connection, and its caller. */
  coming: { readonly request: IncomingMessage; readonly caller: string } | undefined
  /** Requests in order of arrival, which is also the order of their answers. */
  readonly waiting: Map<ServerResponse, Waiting>
  /** The memory of the headers of the latest request, and of its trailers as they come. */
  head: RoomPlace | undefined
  /** Whether a head has begun to arrive and is not complete. */
  isHeadComing: boolean
  /** The memory of the part of that head that has arrived, once a read has ended within it. */
  unfinished: RoomPlace | undefined
  /** What has arrived of the body of the current request, and the request that it is counted for. */
  readonly body: { bytes: number; pieces: number; of: Waiting | undefined }
  /**
   * What the current read has brought so far: pieces of bodies and their bytes, names and values of incomplete heads
   * and trailers, and whether a request began in it.
   */
  readonly read: { pieces: number; bytes: number; texts: number; begins: boolean }
}

/**
 * The record of a connection that was just accepted.
 * @param place as in Connection
 */
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
 * buffer the data that is read before then, and resumes reading by itself afterwards.
 */
const isFull = (request: IncomingMessage | undefined): boolean =>
  request?.complete === false && request.readableLength >= request.readableHighWaterMark

/** Whether nothing is read from the connection at present, so that new data stays with the kernel. */
export const isStopped = ({ request, socket }: Connection): boolean => socket.isPaused() || isFull(request)

/**
 * Ends the connections that a server does not wait for while it shuts down. Node no longer enforces its own time limits
 * then.
 * @param now by the clock, in milliseconds
 * @param leftAt when the shutdown began, by the clock
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
  // Data of the connections accepted last is not read yet: ending them now would reset them and lose their requests.
  if (ms < limits.silentMs) return false
  if (ms < limits.headersMs) return socket.bytesRead === 0
  return waiting.size === 0 || (request?.complete === false && now - requestedAt >= limits.requestMs)
}

/** A request that has not arrived in time. */
export interface LateRequest {
  /** The holder in whose turn it is refused: the caller, or the connection's address while the caller is not known. */
  readonly holder: string
  /**
   * Whether it still has not arrived. When its turn comes, the connection may already carry the next request, which is
   * in time.
   */
  readonly isArriving: () => boolean
}

/**
 * The request that is arriving over a connection.
 * @param connection undefined if it was cut
 */
export function lateRequest(socket: Socket, connection: Connection | undefined): LateRequest {
  const holder = connection?.coming?.caller ?? holderOf(socket.remoteAddress ?? '')
  if (connection === undefined) return { holder, isArriving: () => true }
  const { request, requests } = connection
  // A request counts as begun once its head is complete.
  const late = request?.complete === false ? requests : requests + 1
  const isArriving = () =>
    connection.requests < late || (connection.requests === late && connection.request?.complete === false)
  return { holder, isArriving }
}

/**
 * Makes it possible to pause a connection in the same turn in which it is resumed, as happens after a complete request.
 * Otherwise the connection would read on: Node starts reading after that turn, and pausing again has no effect.
 */
export function holdPauses(socket: Socket): void {
  socket.on('resume', () => {
    if (socket.isPaused()) socket.emit('pause')
  })
}

/** From now on, the part of a request's body that has arrived is not counted with its headers. */
export function leaveBody({ body }: Connection, waiting: Waiting): void {
  waiting.head.grow(-waiting.bodyBytes)
  waiting.bodyBytes = 0
  if (body.of === waiting) body.of = undefined
}

/**
 * Ends the accounting of a request that is answered. Its headers count until the whole request has arrived, or its
 * connection is closed: Node keeps them until then, and discards the rest of the body.
 * @returns the record of the request
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

/** Ends the accounting of the current caller: the next request on a proxy's connection may be another caller's. */
export function leaveCaller(connection: Connection): void {
  const { reads } = connection
  connection.coming = undefined
  connection.reads = undefined
  reads?.leave()
}
