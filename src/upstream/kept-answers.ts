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
 * itself (edge/requests/request-head.ts). Most records stay below that, and thousands of calls may keep as much.
 */
const FEW_BYTES = 8 * 1024

/**
 * Counts what one call keeps of the forge's answers until it is over, for their holders. Once there is no room for it,
 * all that the call waits for ends, as whoever waits keeps it.
 */
export class KeptAnswers implements Keeping {
  /** Ends reads when the caller goes, and when what is kept must be dropped. */
  readonly stop = new Cancellation()
  /** Aborts when that must be dropped. */
  readonly lost = new Cancellation()
  readonly #reading: Reading | undefined
  /** Of the latest answer. */
  #whose: Whose
  readonly #forget: () => void
  /** What there was among the answers: a large one counts more than a stream, and that more than small ones. */
  #greatest: 'small' | 'streamed' | 'large' = 'small'
  readonly #held = new Map<string, Held>()
  /** Memory of answers that were too small to be counted. */
  #few = 0
  /** Why what it keeps must be dropped. */
  #lost: ForgeError | undefined
  #isOver = false

  /**
   * @param reading undefined if nothing is counted
   * @param whose as of the requests
   * @param signal ends reads
   * @param ends whether it does so still
   */
  constructor(
    reading: Reading | undefined,
    whose: Whose,
    signal: CancelSignal | undefined,
    ends: () => boolean = () => true
  ) {
    this.#reading = reading
    this.#whose = { caller: whose.caller, from: whose.from, holder: whose.holder }
    this.#forget = onAbort(signal, () => {
      if (ends()) this.stop.abort()
    })
  }

  /** Sets the holder of the answer that has arrived. */
  of(holder: string): void {
    if (holder !== this.#whose.holder) this.#whose = { ...this.#whose, holder }
  }

  /** Tells that an answer is read as it arrives. */
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
    held?.grow(bytes)
    this.refuseLost()
  }

  #take(): Held | undefined {
    const held = this.#reading?.room.kept(this.#whose, error => {
      this.#lost = error
      this.lost.abort()
      this.stop.abort()
    })
    if (held !== undefined) this.#held.set(this.#whose.holder, held)
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
    if (this.#few > FEW_BYTES) this.keep(before > FEW_BYTES ? weight : this.#few)
  }

  /**
   * Runs work on what is kept: for large answers one after another, callers taking turns; for streams like one of their
   * pieces. It rejects as `keep` throws: what has no room any longer is not worked on.
   */
  paced<T>(work: () => T): T | Promise<T> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost)
    const turns = this.#reading?.largeAnswers
    if (turns === undefined || this.#greatest === 'small') return work()
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
   * What the call waits for, unless what it keeps has to be dropped meanwhile: then it says so at once, and not that
   * its caller has gone.
   * @throws ForgeError too-large, and what `asked` fails with
   */
  orLost<T>(asked: Promise<T>): Promise<T> {
    return unlessAborted(asked, this.lost, () => this.#lost)
  }

  /** The same of a write, whose outcome is waited for all the same. */
  async wroteOrLost<T>(asked: Promise<T>): Promise<T> {
    try {
      return await asked
    } catch (error) {
      throw this.#lost ?? error
    }
  }

  /** The call is over: what of it is still read is given up, and nothing that comes all the same is kept. */
  release(): void {
    this.#forget()
    this.#isOver = true
    this.stop.abort()
    for (const held of this.#held.values()) held.leave()
  }
}
