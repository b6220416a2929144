import type { OnReadOpts, Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { MIB } from '../../base/units.ts'
import { type RoomLimits, SharedRoom } from '../../collections/shared-room.ts'
import { FairTurns } from '../../fairness/fair-turns.ts'
import { turnShares } from '../../fairness/turn-shares.ts'
import { portsOf, queuesNow, type readQueues } from '../../load/socket-table.ts'
import { topOf } from './layers.ts'

/** Bytes that are read at once: the most that a TLS record holds, or several of the pieces of read-pace.ts. */
export const SHORT_READ_BYTES = 16 * 1024

/**
 * Most pieces that wait in a connection before they are merged into one. Each piece takes a hundred bytes beside its
 * content, and a forge can send them one byte at a time.
 */
const MAX_PIECES = 256

/** The buffer that the kernel reads into, for all connections. It is copied before anything else is read. */
const arriving = Buffer.allocUnsafeSlow(SHORT_READ_BYTES)

/** How many pieces wait in a connection, counted since it was last read to its end. */
const waiting = new WeakMap<Socket, number>()

/**
 * Options of node:net for connections to hosts that the operator did not choose. While nobody reads a connection, this
 * process holds at most twice SHORT_READ_BYTES of it, in few pieces. The rest stays in the kernel, where ForgeQueues
 * counts it. Without these options Node reads up to 64 KiB at once, and undici asks it to read as much ahead.
 */
export const shortReads = {
  highWaterMark: SHORT_READ_BYTES,
  onread: {
    buffer: arriving,
    callback(this: Socket, bytes: number): boolean {
      const piece = arriving.subarray(0, bytes)
      const before = this.readableLength === 0 ? 0 : (waiting.get(this) ?? 0)
      waiting.set(this, before === MAX_PIECES ? 1 : before + 1)
      if (before < MAX_PIECES) return this.push(copied(piece))
      // Not the socket's own `read`, which read-pace.ts replaces to pace the reader.
      return this.push(copied(Buffer.concat([Duplex.prototype.read.call(this), piece])))
    }
  } satisfies OnReadOpts
}

/** A piece in memory of its own: in Node's pool it would keep 64 KiB, with pieces of other connections. */
function copied(piece: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(piece.length)
  piece.copy(copy)
  return copy
}

interface ForgeQueueLimits {
  /**
   * Most bytes of answers that the kernel may hold. `each` is for one address of forges, which may be that of a forge
   * that many people use.
   */
  readonly answers: RoomLimits
  /**
   * Most bytes of requests that forges have not accepted: half as much again as the large requests that may be under
   * way (LargeRequests).
   */
  readonly requests: RoomLimits
  /** Once more than this many bytes have been written since the last look, another look is due. */
  readonly unseen: number
}

const forgeQueueLimits: ForgeQueueLimits = {
  answers: { all: 64 * MIB, each: 32 * MIB },
  requests: { all: 96 * MIB },
  unseen: 4 * MIB
}

/** A connection that was open when the look began. */
interface Looked {
  readonly socket: Duplex
  /** The holder that it is counted for. */
  readonly holder: string
  /** Resets the connection. */
  readonly lose: () => void
}

/**
 * Bounds the bytes that connections of forges hold while nobody reads them. Two kinds are counted. The first are
 * answers in the kernel that wait for a turn or for their reader. The second are requests that a forge has answered
 * before it accepted all of them, in the kernel and in this process. Kernel buffers count as memory of the container,
 * and the buffer of one connection takes megabytes. Only the kernel knows how much that is. If one holder has too much,
 * or all together have too much and it is the biggest, its connection that holds the most is reset first.
 */
export class ForgeQueues {
  readonly #limits: ForgeQueueLimits
  readonly #read: typeof readQueues | undefined
  /** One look may find hundreds of connections to reset, which are spread over turns of the event loop. */
  readonly #late = new FairTurns(turnShares.late)
  /** Bytes that had been written to each connection when it was last counted. */
  readonly #counted = new WeakMap<Duplex, number>()
  /** Bytes that were written to all connections since the last look, including those that have closed since. */
  #written = 0
  #isLooking = false

  /** @param limits default forgeQueueLimits @param read default readQueues */
  constructor(limits: Partial<ForgeQueueLimits> = {}, read?: typeof readQueues) {
    this.#limits = { ...forgeQueueLimits, ...limits }
    this.#read = read
  }

  /**
   * Asks the kernel, if any of the connections is not being read, or if much was written to them. If the kernel cannot
   * be asked, nothing is bounded. That is reported where callers' connections are looked at
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
    // A room drops the oldest place of a holder first, so the largest is entered first.
    for (const { bytes, holder, lose, socket } of found.toSorted((a, b) => b.bytes - a.bytes))
      if (bytes > 0) room.take(holder, bytes, () => this.#late.run(holder, () => !socket.destroyed && lose()))
  }
}

/** Whether so many bytes wait that Node has stopped reading from the kernel. */
const isStopped = ({ readableHighWaterMark, readableLength }: Duplex): boolean =>
  readableLength >= readableHighWaterMark
