import { isDeepStrictEqual } from 'node:util'
import { isStatus } from '../../results/failure.ts'
import { ArgumentError, CallProblem, FailedOutcome, PolicyProblem } from '../../results/problem.ts'
import { ForgeError, type ForgeStatusError } from '../../upstream/errors.ts'
import { sideBySide } from '../requests/side-by-side.ts'
import type { Fact, Known } from './known.ts'

/** A value that was remembered for a name before the call, and the function that asks the forge for it. */
interface Old {
  readonly value: Fact
  ask(): Promise<Fact>
}

/** Most names that are asked for again at once. */
const WIDTH = 4

/**
 * What names stand for, within one call: the ids of titles, usernames and paths, and the paths of ids. A name may move
 * to another thing at any time, also by a change at another replica. So remembered values are used only by reads. A
 * call that changes things asks the forge for each name once, and again after a person was asked. Its results are not
 * kept after the call, which may have renamed the very thing.
 */
export class Names {
  readonly #known: Known
  /** The names asked in this call; undefined for a call that uses remembered values. */
  readonly #asked: Map<string, Promise<Fact | undefined>> | undefined
  /** By name. The map is made with the first one, as most calls have none. */
  #old: Map<string, Old> | undefined
  /** Whether the remembered names have been asked again, which happens once in a call. */
  #isRenewed = false

  /**
   * @param isFresh whether each name is asked in this call: if it changes things, or if only some projects are served
   */
  constructor(known: Known, isFresh: boolean) {
    this.#known = known
    this.#asked = isFresh ? new Map() : undefined
  }

  /**
   * @param name identifies the name, with its kind and place
   * @returns what `ask` returns, or returned earlier in this call; in a call that only reads, also within the last
   *   minute
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
    // A caller that waits for it asks again itself, and gets the error of its own request.
    asked.set(
      name,
      asking.catch(() => undefined)
    )
    return asking
  }

  /** To be called when a call has waited for a person: meanwhile, names may have moved to other things. */
  forget(): void {
    this.#asked?.clear()
  }

  /**
   * To be called when a read found nothing. If the read used remembered names, the caller's remembered names are
   * forgotten.
   */
  doubt(): void {
    if (this.#old !== undefined) this.#known.changed()
  }

  /**
   * To be called when a read failed. The first time, it asks again for each remembered name that the read used.
   * @returns whether a name stands for something else now, so that repeating the read may succeed. It is false if a
   *   name could not be asked: then only the forge's first answer is known
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

/**
 * Problems that are never caused by a name: wrong arguments, the operator's policy, and outcomes of work that was done.
 */
const otherProblems = [ArgumentError, FailedOutcome, PolicyProblem]

/**
 * The words with which GraphQL says that a path does not exist. Other errors, such as a query that is too complex or
 * took too long, are not caused by names, and repeating the query would cost the forge the same again.
 */
const nothingThere = /\bnot found\b|\b(?:does not|doesn.t) exist\b(?! on type)|don.t have permission/i

/** Whether a read may have failed because of what a name stands for. */
export const mayBeOfName = (error: unknown): boolean =>
  (isStatus(error, [404]) && !(error as ForgeStatusError).hasFixedPath) ||
  (error instanceof CallProblem && !otherProblems.some(of => error instanceof of)) ||
  (error instanceof ForgeError && error.fault === 'graphql' && nothingThere.test(error.message))
