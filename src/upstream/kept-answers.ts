import { Cancellation, onAbort } from '../cancellation.ts'
import { weightOf } from '../json-shape.ts'
import type { Owner } from '../workers/fair-queue.ts'
import type { Reply } from './answers/answer.ts'
import { cancelled, type ForgeError } from './errors.ts'
import type { Held } from './guard/answer-room.ts'
import type { HeavyAnswers } from './guard/heavy.ts'
import type { Reading } from './upstream.ts'

/** Characters of answers of one call that are not worth counting: nearly all calls have fewer. */
const FEW_CHARS = 16 * 1024

/** What one call keeps of the forge's answers until it is over, counted for their holders. */
export class KeptAnswers {
  /** Ends what only reads when the caller goes, and when what is kept has to. */
  readonly stop = new Cancellation()
  readonly #reading: Reading | undefined
  readonly #owner: Omit<Owner, 'signal'>
  /** Of the answer that came last, as of holderOfAnswer. */
  #holder: string
  readonly #forget: () => void
  /** Once there was a large answer. */
  #heavy: HeavyAnswers | undefined
  /** Once there was a stream. */
  #streamed: HeavyAnswers | undefined
  readonly #held = new Map<string, Held>()
  /** Characters of answers that were too few to be counted. */
  #few = 0
  /** Why what it keeps has to go. */
  #lost: ForgeError | undefined

  /** @param reading undefined where nothing is counted @param owner whose the call is */
  constructor(reading: Reading | undefined, holder: string, { caller, from, signal }: Owner) {
    this.#reading = reading
    this.#owner = { caller, from }
    this.#holder = holder
    this.#forget = onAbort(signal, () => this.stop.abort())
  }

  /** Tells whose answer has come. */
  of(holder: string): void {
    this.#holder = holder
  }

  /** Tells of one that is read as it arrives. */
  streams(holder: string): void {
    this.#holder = holder
    this.#streamed = this.#reading?.heavy
  }

  /** Counts so many bytes more of what has come last. @throws ForgeError too-large where they, or those before them, find no room */
  keep(bytes: number): void {
    this.refuseLost()
    const held = this.#held.get(this.#holder) ?? this.#take()
    held?.grow(bytes)
    this.refuseLost()
  }

  #take(): Held | undefined {
    const held = this.#reading?.room.kept(this.#holder, error => {
      this.#lost = error
      // What waits for more would keep it until then.
      this.stop.abort()
    })
    if (held !== undefined) this.#held.set(this.#holder, held)
    return held
  }

  /** Counts an answer: only a large one was parsed where it was read, and of small ones a call may keep many. @throws as `keep` */
  weigh({ body, holder, parsed }: Reply): void {
    if (holder !== undefined) this.of(holder)
    if (parsed !== undefined) {
      this.#heavy = this.#reading?.heavy
      this.keep(parsed.weight)
      return
    }
    this.#few += body.length
    if (this.#few > FEW_CHARS) this.keep(weightOf(body))
  }

  /** Runs work on what is kept: of large answers one after another, callers in turns, of streams as one of their pieces. */
  paced<T>(work: () => T): T | Promise<T> {
    if (this.#heavy !== undefined) return this.#heavy.paced(this.#owner, work)
    const whose = { ...this.#owner, holder: this.#holder }
    return this.#streamed === undefined ? work() : this.#streamed.stretch(whose, work)
  }

  /** @throws ForgeError too-large once what was kept had to go */
  refuseLost(): void {
    if (this.#lost !== undefined) throw this.#lost
  }

  /** What ended for lack of room says so, and not that its caller has gone. */
  async orLost<T>(asked: Promise<T>): Promise<T> {
    try {
      return await asked
    } catch (error) {
      throw this.#lost ?? error
    }
  }

  /** The call is over: what of it is still read is given up, and nothing that comes all the same is kept. */
  release(): void {
    this.#forget()
    this.#lost ??= cancelled()
    this.stop.abort()
    for (const held of this.#held.values()) held.leave()
  }
}
