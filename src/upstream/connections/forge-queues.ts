import type { OnReadOpts, Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { MIB } from '../../base/units.ts'
import { type RoomLimits, SharedRoom } from '../../collections/shared-room.ts'
import { FairTurns } from '../../fairness/fair-turns.ts'
import { turnShares } from '../../fairness/turn-shares.ts'
import { portsOf, queuesNow, type readQueues } from '../../load/socket-table.ts'
import { topOf } from './layers.ts'

/** As many bytes as a record of TLS has at most, or a piece of an answer several times over (read-pace.ts). */
export const SHORT_READ_BYTES = 16 * 1024

/**
 * Most pieces that wait in a connection before they are made one. Each takes a hundred bytes beside its own, and a
 * forge can send them one byte at a time.
 */
const MOST_PIECES = 256

/** Where the kernel puts what is read, for all connections: it is copied before anything else is read. */
const arriving = Buffer.allocUnsafeSlow(SHORT_READ_BYTES)

/** How many pieces wait in a connection, since it was last read to its end. */
const waiting = new WeakMap<Socket, number>()

/**
 * Options of node:net for connections to hosts that the operator did not choose: of what comes while nobody reads it,
 * the process takes twice as many bytes at most, in few pieces, and the rest counts below. Node reads up to 64 KiB at
 * once, and as much ahead by undici's wish.
 */
export const shortReads = {
  highWaterMark: SHORT_READ_BYTES,
  onread: {
    buffer: arriving,
    callback(this: Socket, bytes: number): boolean {
      const piece = arriving.subarray(0, bytes)
      const before = this.readableLength === 0 ? 0 : (waiting.get(this) ?? 0)
      waiting.set(this, before === MOST_PIECES ? 1 : before + 1)
      if (before < MOST_PIECES) return this.push(Buffer.from(piece))
      // Not its own `read`, which keeps the pace of its reader.
      return this.push(Buffer.concat([Duplex.prototype.read.call(this), piece]))
    }
  } satisfies OnReadOpts
}

interface ForgeQueueLimits {
  /**
   * Most bytes that the kernel may hold of answers; `each` is for one address of forges, which may be that of a forge
   * that many use.
   */
  readonly answers: RoomLimits
  /**
   * Most bytes of requests that are not taken: half as much again as the large ones that are under way (LargeRequests).
   */
  readonly requests: RoomLimits
  /** Bytes that may have been written since the last look before there is another. */
  readonly unseen: number
}

const forgeQueueLimits: ForgeQueueLimits = {
  answers: { all: 64 * MIB, each: 32 * MIB },
  requests: { all: 96 * MIB },
  unseen: 4 * MIB
}

/** A connection that was open when the look began. */
export interface Looked {
  readonly socket: Duplex
  /** Whom it is counted for. */
  readonly holder: string
  /** Resets it. */
  readonly lose: () => void
}

/**
 * Bounds what connections of forges hold while nobody reads it: in the kernel answers that wait for a turn or for their
 * reader, and requests that a forge has answered before it took them, also those that the process still has. It counts
 * as memory of the container, and the buffer of a connection takes megabytes. Only the kernel knows how much that is.
 * Of a holder with too much, or the biggest one, what holds most goes first.
 */
export class ForgeQueues {
  readonly #limits: ForgeQueueLimits
  readonly #read: typeof readQueues | undefined
  /** A look may find hundreds to reset. */
  readonly #late = new FairTurns(turnShares.late)
  /** Bytes that had been written to each when it was last counted. */
  readonly #counted = new WeakMap<Duplex, number>()
  /** Bytes that were written to all of them since the last look, also to those that have closed. */
  #written = 0
  #isLooking = false

  /** @param limits default forgeQueueLimits @param read default readQueues */
  constructor(limits: Partial<ForgeQueueLimits> = {}, read?: typeof readQueues) {
    this.#limits = { ...forgeQueueLimits, ...limits }
    this.#read = read
  }

  /**
   * Asks the kernel, if any of the connections is not being read, or much was written to them. Where it cannot be
   * asked, nothing is bounded: that is told where callers' connections are looked at
   * (edge/connections/kernel-queues.ts).
   */
  async look(open: readonly Looked[]): Promise<void> {
    if (this.#isLooking || !this.#isDue(open)) return
    this.#isLooking = true
    const queueOf = await queuesNow(this.#read).catch(() => undefined)
    this.#isLooking = false
    if (queueOf === undefined) return
    const found = open.map(one => {
      const { localPort = 0, remotePort = 0, remoteAddress } = one.socket as Partial<Socket>
      const { unread = 0, unsent = 0 } = queueOf(portsOf(localPort, remotePort), remoteAddress) ?? {}
      return {
        one,
        unread: isStopped(one.socket) ? unread : 0,
        untaken: unsent + topOf(one.socket).writableLength
      }
    })
    this.#fit(
      this.#limits.answers,
      found.map(({ one, unread }) => ({ ...one, bytes: unread }))
    )
    this.#fit(
      this.#limits.requests,
      found.map(({ one, untaken }) => ({ ...one, bytes: untaken }))
    )
  }

  #isDue(open: readonly Looked[]): boolean {
    for (const { socket } of open) {
      const { bytesWritten = 0 } = topOf(socket) as Partial<Socket>
      this.#written += bytesWritten - (this.#counted.get(socket) ?? 0)
      this.#counted.set(socket, bytesWritten)
    }
    const isDue = this.#written > this.#limits.unseen || open.some(({ socket }) => isStopped(socket))
    if (isDue) this.#written = 0
    return isDue
  }

  #fit(limits: RoomLimits, found: readonly (Looked & { readonly bytes: number })[]): void {
    const room = new SharedRoom(limits)
    // Of a holder, the room drops what has come first.
    for (const { bytes, holder, lose, socket } of found.toSorted((a, b) => b.bytes - a.bytes))
      if (bytes > 0) room.take(holder, bytes, () => this.#late.run(holder, () => !socket.destroyed && lose()))
  }
}

/** Node reads no more from the kernel once this much waits. */
const isStopped = ({ readableHighWaterMark, readableLength }: Duplex): boolean =>
  readableLength >= readableHighWaterMark
