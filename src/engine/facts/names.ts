import { isStatus } from '../../results/failure.ts'
import { ArgumentError, CallProblem, FailedOutcome, PolicyProblem } from '../../results/problem.ts'
import { ForgeError } from '../../upstream/errors.ts'
import type { Fact, Known } from './known.ts'

/**
 * What names stand for, in one call: the ids of titles, usernames and paths, and the paths of ids. A name may go to
 * something else at any time, also by somebody at another replica, so what was remembered is good for reading alone: a
 * call that changes things asks the forge for each name once. What it found is not kept after it, as it may have renamed
 * just that.
 */
export class Names {
  readonly #known: Known
  /** Of a call that asks itself; undefined for one that goes by what is remembered. */
  readonly #asked: Map<string, Promise<Fact | undefined>> | undefined
  /** Whether something of it was remembered from before this call. */
  #isOld = false

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
    this.#isOld = true
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

  /**
   * To be called when a read came to nothing: forgets what is remembered of the caller's names if the read went by it.
   * @returns whether it did, so that the same may come to something now
   */
  doubted(): boolean {
    if (!this.#isOld) return false
    this.#isOld = false
    this.#known.changed()
    return true
  }
}

/** Problems that no name is the reason of: arguments, what the operator forbids, and what was carried out. */
const otherProblems = [ArgumentError, FailedOutcome, PolicyProblem]

/** Whether a read may have failed for what a name stands for. */
export const mayBeOfName = (error: unknown): boolean =>
  isStatus(error, [404]) ||
  (error instanceof CallProblem && !otherProblems.some(of => error instanceof of)) ||
  (error instanceof ForgeError && error.fault === 'graphql')
