import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type RoomLimits, SharedRoom } from '../../collections/shared-room.ts'
import { portsOf, queuesNow, type readQueues } from '../../edge/socket-table.ts'
import { FairTurns } from '../../fairness/fair-turns.ts'
import { turnShares } from '../../fairness/turn-shares.ts'

/**
 * Most bytes that the kernel may hold of answers; `each` is for one address of forges, which may be that of a forge that
 * many use.
 */
const stoppedLimits: RoomLimits = { all: 64 * 1024 * 1024, each: 32 * 1024 * 1024 }

/** A connection that was open when the look began. */
export interface Looked {
  readonly socket: Duplex
  /** Whom it is counted for. */
  readonly holder: string
  /** Resets it. */
  readonly lose: () => void
}

/**
 * Bounds what the kernel holds of answers while nobody reads them, as they wait for a turn or for their reader: it counts
 * as memory of the container, and the buffer of a connection that was once read quickly takes megabytes. Only the kernel
 * knows how much that is. Of a holder with too much, or the biggest one, what holds most goes first.
 */
export class StoppedAnswers {
  readonly #limits: RoomLimits
  readonly #read: typeof readQueues | undefined
  /** A look may find hundreds to reset. */
  readonly #late = new FairTurns(turnShares.late)
  #isLooking = false

  /** @param read default readQueues */
  constructor(limits = stoppedLimits, read?: typeof readQueues) {
    this.#limits = limits
    this.#read = read
  }

  /**
   * Asks the kernel, if any of the connections is not being read. Where it cannot be asked, nothing is bounded: that is
   * told where callers' connections are looked at (edge/kernel-queues.ts).
   */
  async look(open: readonly Looked[]): Promise<void> {
    const stopped = open.filter(({ socket }) => isStopped(socket))
    if (this.#isLooking || stopped.length === 0) return
    this.#isLooking = true
    const queueOf = await queuesNow(this.#read).catch(() => undefined)
    this.#isLooking = false
    if (queueOf === undefined) return
    const found = stopped.map(one => {
      const { localPort = 0, remotePort = 0, remoteAddress } = one.socket as Partial<Socket>
      return { ...one, unread: queueOf(portsOf(localPort, remotePort), remoteAddress)?.unread ?? 0 }
    })
    const room = new SharedRoom(this.#limits)
    // Of a holder, the room drops what has come first.
    for (const { holder, lose, socket, unread } of found.sort((a, b) => b.unread - a.unread))
      room.take(holder, unread, () => this.#late.run(holder, () => !socket.destroyed && lose()))
  }
}

/** Node reads no more from the kernel once this much waits. */
const isStopped = ({ readableHighWaterMark, readableLength }: Duplex): boolean =>
  readableLength >= readableHighWaterMark
