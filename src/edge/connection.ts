import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Place } from '../shared-room.ts'
import type { FairRead, Reader } from './fair-reads.ts'
import type { UnreadAnswer } from './unread-answers.ts'

/** A request that is not answered whole yet. */
export interface Waiting {
  readonly caller: string
  /** What it takes of memory by itself, and what has come of its body while nobody else counts that. */
  readonly head: Place
  /** Of its body, in `head`. */
  bodyBytes: number
  /** Begins the work for it; undefined once its turn has come. */
  begin: (() => void) | undefined
  /** Its answer, or what there is of it. */
  unread: UnreadAnswer | undefined
}

/** What is known of a connection, and of what comes over it. */
export interface Connection {
  readonly socket: Socket
  /** The connection as those see it who divide the reading of all. */
  readonly reader: Reader
  /** What has come last, perhaps not all of it yet. */
  request: IncomingMessage | undefined
  /** Undefined for a proxy's. */
  readonly place: Place | undefined
  /** Of a proxy's only while the request that comes takes more than one read: it counts for that one's caller. */
  reads: FairRead | undefined
  /** The request of a proxy's that comes now, and whose it is. */
  coming: { readonly request: IncomingMessage; readonly caller: string } | undefined
  /** In order of arrival, which is that of the answers. */
  readonly waiting: Map<ServerResponse, Waiting>
  /** Of the request that comes now, and who it is counted for. */
  readonly body: { bytes: number; pieces: number; of: Waiting | undefined }
  /** What was read at once, up to now: pieces of bodies, and whether a request began in it. */
  readonly read: { pieces: number; begins: boolean }
}

/** One that has just been taken. @param place as of Connection */
export function connectionOf(socket: Socket, place: Place | undefined): Connection {
  const connection: Connection = {
    socket,
    reader: {
      pause: () => socket.pause(),
      resume: () => {
        if (!isFull(connection.request)) socket.resume()
      }
    },
    request: undefined,
    place,
    reads: undefined,
    coming: undefined,
    waiting: new Map(),
    body: { bytes: 0, pieces: 0, of: undefined },
    read: { pieces: 0, begins: false }
  }
  return connection
}

/**
 * Whether nobody takes what has come of a request, be it that it waits for its turn or that its caller is looked up:
 * Node reads on once somebody does, and would keep whatever is read before.
 */
const isFull = (request: IncomingMessage | undefined): boolean =>
  request?.complete === false && request.readableLength >= request.readableHighWaterMark

/**
 * Paused in the turn in which it was to go on, as after a request that was whole, a connection would read on: Node begins
 * to read after that, and to pause it again does nothing.
 */
export function holdPauses(socket: Socket): void {
  socket.on('resume', () => {
    if (socket.isPaused()) socket.emit('pause')
  })
}

/** What comes next over a connection of a proxy is perhaps another caller's. */
export function leaveCaller(connection: Connection): void {
  const { reads } = connection
  connection.coming = undefined
  connection.reads = undefined
  reads?.leave()
}
