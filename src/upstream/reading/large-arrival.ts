import { tooSlow } from '../answers/body.ts'
import type { SentRequest } from '../connections/sent-request.ts'
import { LARGE_ANSWER_BYTES } from './answer-cost.ts'
import type { LargeTurn } from './large-turn.ts'
import { type Arriving, AWAY_BYTES } from './slow-arrivals.ts'

/**
 * A large answer while it arrives. It needs a turn for that. While it waits for one, its forge has to wait, too,
 * because data that is not read takes no memory here. Its time passes only while it waits for its forge.
 */
export class LargeArrival implements Arriving {
  bytes = 0
  readonly from: string
  isAwaited = true
  readonly #turn: LargeTurn
  readonly #sentRequest: SentRequest
  /** How many bytes may arrive before it needs a turn. */
  #allowed = LARGE_ANSWER_BYTES
  #isOver = false
  /** What is left of its time, in milliseconds, and since when that time has been passing. */
  #left: number
  #since = 0
  #timer: NodeJS.Timeout | undefined

  constructor(turn: LargeTurn, sentRequest: SentRequest) {
    this.#turn = turn
    this.from = turn.from
    this.#sentRequest = sentRequest
    this.#left = turn.collectMs
  }

  /** @param bytes that have arrived in all */
  grow(bytes: number): void {
    this.bytes = bytes
    if (bytes <= this.#allowed) return
    this.#allowed = Number.POSITIVE_INFINITY
    const turn = this.#turn.begin()
    if (turn === undefined) this.#goOn()
    else this.#pause(turn)
  }

  loseTurn(): void {
    this.#allowed = this.bytes + AWAY_BYTES
    this.#turn.lend()
  }

  giveUp(): void {
    this.#sentRequest.stop(tooSlow())
  }

  /** The answer is complete, or given up: nothing more arrives. */
  whole(): void {
    this.isAwaited = false
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  /** The answer has been read, or is given up. */
  end(): void {
    this.whole()
    this.#turn.slow?.end(this)
  }

  #pause(turn: Promise<void>): void {
    this.isAwaited = false
    this.#sentRequest.pause()
    if (this.#timer !== undefined) this.#left -= performance.now() - this.#since
    clearTimeout(this.#timer)
    this.#timer = undefined
    turn.then(() => {
      // Its turn may come after its caller has gone.
      if (this.#isOver) return
      this.isAwaited = true
      this.#goOn()
      this.#sentRequest.resume()
    }, this.#sentRequest.stop.bind(this.#sentRequest))
  }

  #goOn(): void {
    this.#turn.slow?.hold(this)
    if (this.#timer !== undefined) return
    this.#since = performance.now()
    this.#timer = setTimeout(() => this.giveUp(), this.#left).unref()
  }
}
