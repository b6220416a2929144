import { Cancellation, type CancelSignal, onAbort, unlessAborted } from '../base/cancellation.ts'
import { weightOf } from '../json/shape.ts'
import type { Reply } from './answers/answer.ts'
import type { Keeping } from './answers/unparsed.ts'
import { cancelled, type ForgeError } from './errors.ts'
import type { Whose } from './guard/whose.ts'
import type { Held } from './reading/answer-room.ts'
import type { Reading } from './upstream.ts'

/**
 * Memory of a call's answers, in bytes, that is too little to be worth counting: no more than its request counts by
 * itself (edge/requests/request-head.ts). Most records take less, and thousands of calls may keep this much.
 */
const UNCOUNTED_BYTES = 8 * 1024

/**
 * Counts, for their holders, the answers of the forge that one call keeps until it is over. Once there is no room for
 * them, everything that the call waits for ends, because whoever waits keeps them.
 */
export class KeptAnswers implements Keeping {
  /** Ends reads when the caller goes, and when what is kept must be dropped. */
  readonly stop = new Cancellation()
  /** Aborts when what is kept must be dropped. */
  readonly lost = new Cancellation()
  readonly #reading: Reading
  /** Whose the latest answer is. */
  #whose: Whose
  readonly #forget: () => void
  /**
   * The kind of answer that counts most, of those that have arrived: a large one counts more than a stream, and a
   * stream more than small ones.
   */
  #greatest: 'small' | 'streamed' | 'large' = 'small'
  readonly #held = new Map<string, Held>()
  /** Memory of answers that were too small to be counted. */
  #few = 0
  /** Why what is kept must be dropped. */
  #lost: ForgeError | undefined
  #isOver = false

  /**
   * @param whose as of the requests
   * @param signal ends reads
   * @param ends whether the signal still ends them
   */
  constructor(reading: Reading, whose: Whose, signal: CancelSignal | undefined, ends: () => boolean) {
    this.#reading = reading
    this.#whose = { caller: whose.caller, from: whose.from, holder: whose.holder }
    this.#forget = onAbort(signal, () => {
      if (ends()) this.stop.abort()
    })
  }

  /** Sets the holder of the latest answer. */
  of(holder: string): void {
    if (holder !== this.#whose.holder) this.#whose = { ...this.#whose, holder }
  }

  /** Reports that an answer is read as it arrives. */
  streams(holder: string): void {
    this.of(holder)
    if (this.#greatest === 'small') this.#greatest = 'streamed'
  }

  /**
   * Counts more bytes of the latest answer.
   * @throws ForgeError too-large if there is no room for them, or was none before
   */
  keep(bytes: number): void {
    this.refuseLost()
    const held = this.#held.get(this.#whose.holder) ?? this.#take()
    held.grow(bytes)
    this.refuseLost()
  }

  #take(): Held {
    const held = this.#reading.room.kept(this.#whose, error => {
      this.#lost = error
      this.lost.abort()
      this.stop.abort()
    })
    this.#held.set(this.#whose.holder, held)
    return held
  }

  /**
   * Counts an answer. Only large ones were counted where they were read, but a call may keep many small ones.
   * @throws as `keep`
   */
  weigh({ body, holder, parsed, read }: Reply): void {
    if (holder !== undefined) this.of(holder)
    if (parsed !== undefined) {
      this.#greatest = 'large'
      this.keep(parsed.weight)
      return
    }
    const weight = read?.weight ?? weightOf(body)
    const before = this.#few
    this.#few += weight
    if (this.#few > UNCOUNTED_BYTES) this.keep(before > UNCOUNTED_BYTES ? weight : this.#few)
  }

  /**
   * Runs work on what is kept. For large answers, one piece of work follows another, and callers take turns. For
   * streams, the work takes the turn of a piece. It rejects as `keep` throws: what no longer has room is not worked on.
   */
  paced<T>(work: () => T): T | Promise<T> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost)
    if (this.#greatest === 'small') return work()
    const turns = this.#reading.largeAnswers
    return this.orLost(
      this.#greatest === 'large'
        ? turns.paced({ ...this.#whose, signal: this.lost }, work)
        : turns.stretch(this.#whose, work, this.lost)
    )
  }

  /** @throws ForgeError too-large once what was kept had to be dropped */
  refuseLost(): void {
    if (this.#lost !== undefined) throw this.#lost
    if (this.#isOver) throw cancelled()
  }

  /**
   * Waits for a promise. If what the call keeps has to be dropped meanwhile, this fails at once and says so, instead of
   * saying that the caller has gone.
   * @throws ForgeError too-large, and what `asked` fails with
   */
  orLost<T>(asked: Promise<T>): Promise<T> {
    return unlessAborted(asked, this.lost, () => this.#lost)
  }

  /** The same for a write, whose outcome is awaited in any case. */
  async wroteOrLost<T>(asked: Promise<T>): Promise<T> {
    try {
      return await asked
    } catch (error) {
      throw this.#lost ?? error
    }
  }

  /** Ends the call. Reads that are still under way are given up, and nothing that still arrives is kept. */
  release(): void {
    this.#forget()
    this.#isOver = true
    this.stop.abort()
    for (const held of this.#held.values()) held.leave()
  }
}
