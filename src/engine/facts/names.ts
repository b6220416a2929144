import { isDeepStrictEqual } from 'node:util'
import { isStatus } from '../../results/failure.ts'
import { ArgumentError, CallProblem, FailedOutcome, PolicyProblem } from '../../results/problem.ts'
import { ForgeError, type ForgeStatusError } from '../../upstream/errors.ts'
import { sideBySide } from '../requests/side-by-side.ts'
import type { Fact, Known } from './known.ts'

/** What was remembered of a name from before the call, and how the forge is asked for it. */
interface Old {
  readonly value: Fact
  ask(): Promise<Fact>
}

/** Most names that are asked for again at once. */
const WIDTH = 4

/**
 * What names stand for, in one call: the ids of titles, usernames and paths, and the paths of ids. A name may go to
 * something else at any time, also by somebody at another replica, so what was remembered is good for reading alone: a
 * call that changes things asks the forge for each name once, and again after a person was asked. What it found is not
 * kept after it, as it may have renamed just that.
 */
export class Names {
  readonly #known: Known
  /** Of a call that asks itself; undefined for one that goes by what is remembered. */
  readonly #asked: Map<string, Promise<Fact | undefined>> | undefined
  /** By name; made with the first, as most calls have none. */
  #old: Map<string, Old> | undefined
  /** Whether what was remembered has been asked for again: once in a call. */
  #isRenewed = false

  /** @param isFresh whether each name is asked for in this call: where it changes things, or only some projects are served */
  constructor(known: Known, isFresh: boolean) {
    this.#known = known
    this.#asked = isFresh ? new Map() : undefined
  }

  /**
   * @param name which name it is, of what and where
   * @returns what `ask` returns, or returned earlier in this call; in one that only reads, also within the last minute
   * @throws what `ask` throws
   */
  async find<Value extends Fact>(name: string, ask: () => Promise<Value>): Promise<Value> {
    if (this.#asked !== undefined) return this.#once(this.#asked, name, ask)
    const what = `${name} after change ${this.#known.changes}`
    const old = this.#known.recall(what)
    if (old === undefined) return this.#known.remember(what, ask)
    if (!this.#isRenewed) {
      this.#old ??= new Map()
      this.#old.set(name, { value: old, ask })
    }
    return old as Value
  }

  async #once<Value extends Fact>(
    asked: Map<string, Promise<Fact | undefined>>,
    name: string,
    ask: () => Promise<Value>
  ): Promise<Value> {
    const found = asked.has(name) ? await asked.get(name) : undefined
    if (found !== undefined) return found as Value
    const asking = ask()
    // Who waits for it here says itself what it failed for.
    asked.set(
      name,
      asking.catch(() => undefined)
    )
    return asking
  }

  /** To be called when a call has waited for a person: meanwhile what was asked for may have become something else's. */
  forget(): void {
    this.#asked?.clear()
  }

  /** To be called when a read found nothing: forgets what is remembered of the caller's names if the read went by it. */
  doubt(): void {
    if (this.#old !== undefined) this.#known.changed()
  }

  /**
   * To be called when a read failed: asks again for each name by which it went as it was remembered, the first time.
   * @returns whether one stands for something else now, so that the same read may come to something: never where one
   * could not be asked for, as what the forge said first is then all that is known
   */
  async changed(): Promise<boolean> {
    const old = this.#old
    if (old === undefined) return false
    this.#old = undefined
    this.#isRenewed = true
    this.#known.changed()
    try {
      const isOther = await sideBySide(
        [...old],
        WIDTH,
        async ([name, { value, ask }]) => !isDeepStrictEqual(value, await this.find(name, ask))
      )
      return isOther.includes(true)
    } catch {
      return false
    }
  }
}

/** Problems that no name is the reason of: arguments, what the operator forbids, and what was carried out. */
const otherProblems = [ArgumentError, FailedOutcome, PolicyProblem]

/**
 * The words in which GraphQL says that there is nothing of a path. What else it reports, such as a query that is too complex
 * or took too long, comes of no name, and to ask again would cost the forge the same once more.
 */
const nothingThere = /\bnot found\b|\b(?:does not|doesn.t) exist\b(?! on type)|don.t have permission/i

/** Whether a read may have failed for what a name stands for. */
export const mayBeOfName = (error: unknown): boolean =>
  (isStatus(error, [404]) && !(error as ForgeStatusError).hasFixedPath) ||
  (error instanceof CallProblem && !otherProblems.some(of => error instanceof of)) ||
  (error instanceof ForgeError && error.fault === 'graphql' && nothingThere.test(error.message))
