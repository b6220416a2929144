import type { Socket } from 'node:net'
import { InOrder, type Linked } from '../../collections/in-order.ts'
import { type RoomPlace, SharedRoom } from '../../collections/shared-room.ts'
import { FairTurns } from '../../fairness/fair-turns.ts'
import { turnShares } from '../../fairness/turn-shares.ts'

interface UnreadLimits {
  /** Bytes of answers that their callers have not received yet. */
  readonly unread: { readonly all: number; readonly each: number }
  /** How long an answer may wait to be received, in milliseconds. */
  readonly unreadMs: number
}

/** An answer that its caller has not completely received. */
export interface UnreadAnswer extends Linked<UnreadAnswer> {
  readonly caller: string
  readonly socket: Socket
  place: RoomPlace | undefined
  /** When it was completely handed to the connection, by the clock; undefined before, and once it is received. */
  givenAt: number | undefined
}

/** The answers that this process holds because their callers have not received them yet. */
export class UnreadAnswers {
  readonly #limits: UnreadLimits
  readonly #now: () => number
  readonly #cut: (socket: Socket, reason: 'unread' | 'slow') => void
  readonly #room: SharedRoom
  readonly #late = new FairTurns(turnShares.late)
  /** Oldest first. */
  readonly #given = new InOrder<UnreadAnswer>()

  /**
   * @param now clock in milliseconds
   * @param cut called with the connection of a holder who leaves too much unread, or of an answer that waits for too
   * long
   */
  constructor(
    limits: UnreadLimits,
    now: () => number,
    cut: (socket: Socket, reason: 'unread' | 'slow') => void
  ) {
    this.#limits = limits
    this.#now = now
    this.#cut = cut
    this.#room = new SharedRoom(limits.unread)
  }

  /** Bytes that are held. */
  get size(): number {
    return this.#room.size
  }

  begin(caller: string, socket: Socket): UnreadAnswer {
    return { caller, socket, place: undefined, givenAt: undefined, previous: undefined, next: undefined }
  }

  /** Counts a part of an answer that waits for the rest of it. */
  partMade(answer: UnreadAnswer, bytes: number): void {
    if (answer.givenAt !== undefined) return
    answer.place ??= this.#take(answer, 0)
    answer.place.grow(bytes)
  }

  /** Counts an answer that is about to be sent; to be called once. */
  give(answer: UnreadAnswer, bytes: number): void {
    if (answer.givenAt !== undefined) return
    answer.place?.leave()
    answer.place = this.#take(answer, bytes)
    answer.givenAt = this.#now()
    this.#given.append(answer)
  }

  /** To be called when the answer was received, or its connection was closed. */
  end(answer: UnreadAnswer): void {
    answer.place?.leave()
    if (answer.givenAt !== undefined) this.#given.remove(answer)
    answer.givenAt = undefined
  }

  /**
   * Cuts the connections of answers that have waited too long to be received. It cuts them in turns, because there may
   * be a thousand.
   */
  sweep(): void {
    const late = this.#now() - this.#limits.unreadMs
    let { first: answer } = this.#given
    while (answer?.givenAt !== undefined && answer.givenAt <= late) {
      const { next } = answer
      this.#cutLate(answer)
      answer = next
    }
  }

  #cutLate(answer: UnreadAnswer): void {
    this.#late.run(answer.caller, () => answer.givenAt !== undefined && this.#cut(answer.socket, 'slow'))
  }

  #take({ caller, socket }: UnreadAnswer, bytes: number): RoomPlace {
    return this.#room.take(caller, bytes, () => this.#cut(socket, 'unread'))
  }
}
