import { Socket } from 'node:net'
import { type RoomPlace, SharedRoom } from '../../collections/shared-room.ts'
import { FairTurns } from '../../fairness/fair-turns.ts'
import { turnShares } from '../../fairness/turn-shares.ts'
import { portsOf, type QueueOf, queuesNow, type readQueues } from '../../load/socket-table.ts'
import { stopParsing } from './http-parser.ts'

export interface QueueLimits {
  /** Bytes that the kernel holds of connections: what is not acknowledged, and what is not read. */
  readonly queued: { readonly all: number; readonly each: number }
  /** Bytes that may have been added since the last look, with what it found, before there is another. */
  readonly queuedUnseen: number
  /** Bytes of one connection for which its end waits until it is known how much of them is queued. */
  readonly queuedAtEnd: number
  /** How long an answer may wait to be received, in milliseconds. */
  readonly unreadMs: number
}

export interface KernelQueuesOptions {
  readonly limits: QueueLimits
  /** Clock in milliseconds. */
  readonly now: () => number
  /** Is to reset the connection of a holder who leaves too much, or one that receives nothing for too long. */
  readonly cut: (socket: Socket, reason: 'queued' | 'slow') => void
  /** Called once, with why the kernel cannot be asked: nothing is bounded then. */
  readonly onBlind?: (error: unknown) => void
  /** Called with why it could not be asked this time. */
  readonly onMissed?: (error: unknown) => void
  /** Default readQueues. */
  readonly read?: typeof readQueues
}

interface Watched {
  readonly socket: Socket
  readonly holder: string
  /** In whose turns it is cut: the holder's, or the proxy's. */
  readonly turns: string
  readonly ports: number
  /** Whether nothing is read from it at present. */
  readonly isStopped: () => boolean
  place: RoomPlace | undefined
  /** What was queued at the last look, and how much of that was not acknowledged. */
  queued: number
  unsent: number
  /** Bytes that the kernel had been given by then, and those of them that were acknowledged. */
  given: number
  acknowledged: number
  /** Since when no more is acknowledged, by the clock. */
  since: number
  /** Closes the connection, whose end waits for its queue to be empty. */
  close: (() => void) | undefined
}

/**
 * Bounds what the kernel holds of connections, which counts as memory of the container: answers that are given to it
 * and not acknowledged, for which the buffer of a connection grows to megabytes, and what has come while nothing is
 * read. Only the kernel knows how much that is, and it is asked where it can be much.
 */
export class KernelQueues {
  readonly #options: KernelQueuesOptions
  readonly #room: SharedRoom
  readonly #watched = new Map<Socket, Watched>()
  /** A look may find a thousand connections to cut. */
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
   * @param holder whom it is counted for; undefined for a connection of a proxy, which counts for itself
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
    // However it comes to its end: once closed, the kernel keeps for minutes what is queued, and nothing reaches it.
    socket._destroy = (error, done) => {
      let running: NodeJS.Timeout | undefined
      const close = () => {
        clearTimeout(running)
        watched.close = undefined
        Socket.prototype._destroy.call(socket, error, done)
      }
      if (!this.#isToWait(watched, error)) return close()
      watched.close = close
      // Nothing else may keep the process running until the next looks.
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

  /** Whether a connection that has ended is not closed yet. */
  keeps(socket: Socket): boolean {
    return this.#watched.get(socket)?.close !== undefined
  }

  /** Ends a connection at once, and has the kernel drop what it holds of it. */
  reset(socket: Socket): void {
    const watched = this.#watched.get(socket)
    socket.resetAndDestroy()
    watched?.close?.()
  }

  /** Asks the kernel, if there can be much to find. To be called twice a second or so. */
  look(): Promise<void> | undefined {
    return this.#isLooking || this.#isBlind || !this.#isDue() ? undefined : this.#look()
  }

  async #look(): Promise<void> {
    this.#isLooking = true
    const { onBlind, onMissed, read } = this.#options
    // By what was given before: otherwise something seems to be acknowledged that was given during the look.
    const given = new Map([...this.#watched.values()].map(watched => [watched, givenTo(watched.socket)]))
    try {
      this.#take(given, await queuesNow(read))
    } catch (error) {
      this.#isBlind = saysNothing.has((error as NodeJS.ErrnoException).code)
      // Also if it is files that are lacking: each connection that waits for its end is one.
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
    // Only after what has become less: nobody is to lose anything for what is no longer there.
    for (const [watched, by] of grown)
      if (watched.place !== undefined) watched.place.grow(by)
      else watched.place = this.#room.take(watched.holder, by, () => this.#cut(watched, 'queued'))
  }

  /** Notes what is acknowledged, ends what may end, and cuts what has not moved for too long. */
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

  /** @param isToCut whether it still is to be cut in its turn */
  #cut({ socket, turns }: Watched, reason: 'queued' | 'slow', isToCut: () => boolean = () => true): void {
    const { cut } = this.#options
    this.#late.run(turns, () => this.#watched.has(socket) && isToCut() && cut(socket, reason))
  }
}

/** Codes of errors that mean that there are no such tables, or not for this process. */
const saysNothing: ReadonlySet<string | undefined> = new Set(['ENOENT', 'EACCES', 'EPERM'])

/** Bytes that the kernel has been given. */
const givenTo = (socket: Socket): number => socket.bytesWritten - socket.writableLength
