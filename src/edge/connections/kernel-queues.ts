import { Socket } from 'node:net'
import { type RoomPlace, SharedRoom } from '../../collections/shared-room.ts'
import { FairTurns } from '../../fairness/fair-turns.ts'
import { turnShares } from '../../fairness/turn-shares.ts'
import { portsOf, type QueueOf, queuesNow, type readQueues } from '../../load/socket-table.ts'
import { stopParsing } from './http-parser.ts'

interface QueueLimits {
  /** Bytes that the kernel holds for connections: data that is not acknowledged, and data that is not read. */
  readonly queued: { readonly all: number; readonly each: number }
  /**
   * How many bytes may be queued, counting those of the last look and those added since, before there is another look.
   */
  readonly queuedUnseen: number
  /** If more bytes of a connection than these may be queued, its end waits until the kernel says how many are. */
  readonly queuedAtEnd: number
  /** How long an answer may wait to be received, in milliseconds. */
  readonly unreadMs: number
}

interface KernelQueuesOptions {
  readonly limits: QueueLimits
  /** Clock in milliseconds. */
  readonly now: () => number
  /** To reset a connection whose holder leaves too much unread, or one that receives nothing for too long. */
  readonly cut: (socket: Socket, reason: 'queued' | 'slow') => void
  /** Called once, with the reason, if the kernel cannot be asked: nothing is bounded then. */
  readonly onBlind?: (error: unknown) => void
  /** Called with the error when the kernel could not be asked this time. */
  readonly onMissed?: (error: unknown) => void
  /** Default readQueues. */
  readonly read?: typeof readQueues
}

interface Watched {
  readonly socket: Socket
  readonly holder: string
  /** The holder in whose turns it is cut; on a proxy's connection, the proxy's address. */
  readonly turns: string
  readonly ports: number
  /** Whether nothing is read from it at present. */
  readonly isStopped: () => boolean
  place: RoomPlace | undefined
  /** Bytes that were queued at the last look, and how many of them were not acknowledged. */
  queued: number
  unsent: number
  /** Bytes that the kernel had been given by then, and how many of them were acknowledged. */
  given: number
  acknowledged: number
  /** Since when no more bytes have been acknowledged, by the clock. */
  since: number
  /** Closes the connection, which has ended but waits for its queue to be empty. */
  close: (() => void) | undefined
}

/**
 * Bounds the data that the kernel holds for connections, which counts as memory of the container. It holds answers that
 * it was given and the client has not acknowledged, for which a connection's buffer grows to megabytes, and data that
 * has arrived while nothing is read. Only the kernel knows how much that is. It is asked when it can be much.
 */
export class KernelQueues {
  readonly #options: KernelQueuesOptions
  readonly #room: SharedRoom
  readonly #watched = new Map<Socket, Watched>()
  /** One look may find a thousand connections to cut. */
  readonly #late = new FairTurns(turnShares.late)
  #isLooking = false
  #isBlind = false

  constructor(options: KernelQueuesOptions) {
    this.#options = options
    this.#room = new SharedRoom(options.limits.queued)
  }

  /** Bytes that were queued when the kernel was last asked. */
  get size(): number {
    return this.#room.size
  }

  /**
   * Watches a connection until it is closed.
   * @param holder the holder that it counts for; undefined for a proxy's connection, which counts for itself
   * @param isStopped whether nothing is read from it at present
   */
  add(socket: Socket, holder: string | undefined, isStopped: () => boolean): void {
    const { localPort = 0, remoteAddress, remotePort = 0 } = socket
    const watched: Watched = {
      socket,
      holder: holder ?? `${remoteAddress} ${remotePort}`,
      turns: holder ?? `${remoteAddress}`,
      ports: portsOf(localPort, remotePort),
      isStopped,
      place: undefined,
      queued: 0,
      unsent: 0,
      given: 0,
      acknowledged: 0,
      since: 0,
      close: undefined
    }
    this.#watched.set(socket, watched)
    socket.once('close', () => {
      this.#watched.delete(socket)
      watched.place?.leave()
    })
    // Applies however the connection ends: once it is closed, the kernel keeps its queue for minutes, and nothing can
    // reach that data.
    socket._destroy = (error, done) => {
      let running: NodeJS.Timeout | undefined
      const close = () => {
        clearTimeout(running)
        watched.close = undefined
        Socket.prototype._destroy.call(socket, error, done)
      }
      if (!this.#isToWait(watched, error)) return close()
      watched.close = close
      // Keeps the process running until the next looks, as nothing else may.
      running = setTimeout(() => {}, 2_000)
      socket.pause()
      stopParsing(socket)
    }
  }

  #isToWait({ socket, acknowledged }: Watched, error: (Error & { code?: string }) | null): boolean {
    if (this.#isBlind || (socket as { resetAndClosing?: boolean }).resetAndClosing === true) return false
    // The other side has ended it: nothing is queued any more.
    if (error?.code === 'ECONNRESET' || error?.code === 'EPIPE') return false
    return socket.bytesWritten - acknowledged > this.#options.limits.queuedAtEnd
  }

  /** Whether a connection has ended and is not closed yet. */
  keeps(socket: Socket): boolean {
    return this.#watched.get(socket)?.close !== undefined
  }

  /** Ends a connection at once, and makes the kernel drop its data. */
  reset(socket: Socket): void {
    const watched = this.#watched.get(socket)
    socket.resetAndDestroy()
    watched?.close?.()
  }

  /** Asks the kernel, if much may be queued. To be called about twice a second. */
  look(): Promise<void> | undefined {
    return this.#isLooking || this.#isBlind || !this.#isDue() ? undefined : this.#look()
  }

  async #look(): Promise<void> {
    this.#isLooking = true
    const { onBlind, onMissed, read } = this.#options
    // Noted before the look: otherwise bytes that are given during the look would seem to be acknowledged.
    const given = new Map([...this.#watched.values()].map(watched => [watched, givenTo(watched.socket)]))
    try {
      this.#take(given, await queuesNow(read))
    } catch (error) {
      this.#isBlind = saysNothing.has((error as NodeJS.ErrnoException).code)
      // Also if the process has no files left: each connection that waits for its end uses one.
      for (const { close } of this.#watched.values()) close?.()
      if (this.#isBlind) onBlind?.(error)
      else onMissed?.(error)
    }
    this.#isLooking = false
  }

  #isDue(): boolean {
    let unseen = this.#room.size
    for (const { close, given, isStopped, socket } of this.#watched.values()) {
      unseen += socket.bytesWritten - given
      if (close !== undefined || unseen > this.#options.limits.queuedUnseen || isStopped()) return true
    }
    return false
  }

  #take(given: ReadonlyMap<Watched, number>, queueOf: QueueOf): void {
    const grown: [Watched, number][] = []
    for (const [watched, bytes] of given) {
      if (!this.#watched.has(watched.socket)) continue
      const { unread = 0, unsent = 0 } = queueOf(watched.ports, watched.socket.remoteAddress) ?? {}
      this.#note(watched, bytes, unsent)
      const by = unread + unsent - watched.queued
      watched.queued += by
      if (watched.queued === 0) {
        watched.place?.leave()
        watched.place = undefined
      } else if (by < 0) watched.place?.grow(by)
      else if (by > 0) grown.push([watched, by])
    }
    // Growth is counted after everything that became less: nobody is to lose a connection because of data that is gone.
    for (const [watched, by] of grown)
      if (watched.place !== undefined) watched.place.grow(by)
      else watched.place = this.#room.take(watched.holder, by, () => this.#cut(watched, 'queued'))
  }

  /**
   * Notes which bytes are acknowledged, closes connections whose queue is empty, and cuts those that have not moved for
   * too long.
   */
  #note(watched: Watched, given: number, unsent: number): void {
    const { now } = this.#options
    const acknowledged = given - unsent
    const hasMoved = watched.unsent === 0 || unsent === 0 || acknowledged > watched.acknowledged
    watched.given = given
    watched.unsent = unsent
    if (hasMoved) {
      watched.acknowledged = Math.max(acknowledged, watched.acknowledged)
      watched.since = now()
    } else if (this.#isSlow(watched)) this.#cut(watched, 'slow', () => this.#isSlow(watched))
    if (unsent === 0) watched.close?.()
  }

  #isSlow({ since }: Watched): boolean {
    return this.#options.now() - since >= this.#options.limits.unreadMs
  }

  /** @param isToCut whether the connection is still to be cut when its turn comes */
  #cut({ socket, turns }: Watched, reason: 'queued' | 'slow', isToCut: () => boolean = () => true): void {
    const { cut } = this.#options
    this.#late.run(turns, () => this.#watched.has(socket) && isToCut() && cut(socket, reason))
  }
}

/** Error codes that mean that the kernel has no such tables, or does not show them to this process. */
const saysNothing: ReadonlySet<string | undefined> = new Set(['ENOENT', 'EACCES', 'EPERM'])

/** Bytes that the kernel has been given. */
const givenTo = (socket: Socket): number => socket.bytesWritten - socket.writableLength
