import { LRUCache } from 'lru-cache'
import { siteOf, turnHolderOf } from '../base/holders.ts'
import { atMost } from '../collections/at-most.ts'
import { QueueError, type WorkOwner } from '../fairness/fair-queue.ts'
import { CallProblem } from '../results/problem.ts'
import { type LineFaults, lineFault, WorkerLine } from '../workers/line.ts'
import { JobError } from '../workers/thread.ts'
import { ofGlob } from './globs.ts'
import type { MatchReply, MatchRequest } from './match-patterns.ts'

/*
 * Matches callers' regular expressions. They are ECMAScript, which backtracks, so a pattern can run forever; they run
 * in a worker that is stopped when its time is up, while other callers' requests continue.
 */

export const MAX_PATTERNS = 20
export const MAX_PATTERN_LENGTH = 512

/**
 * For all patterns of one call, matched against all its paths: most CPU time and, for busy machines, most wall-clock
 * time, both in milliseconds; then the most calls that may wait, in total and of one caller.
 */
const limits = { budgetMs: 250, wallMs: 10_000, all: 100, caller: 20 }

/** A call whose patterns take more milliseconds is slow: usual ones take less than one. */
const SLOW_MS = 20
/** How long callers with slow patterns wait in a separate queue, in milliseconds. */
const APART_MS = 60_000
/** Most networks and addresses that are remembered as slow. */
const MAX_APART = 10_000

/** A queue of calls that wait to be matched. */
export type MatchLine = Pick<WorkerLine, 'run' | 'close'>

/**
 * Matches paths against callers' patterns off the event loop, one call at a time, with callers taking turns. Patterns
 * that were stopped, or whose worker has ended, cost a new worker each and up to a quarter of a second of its time;
 * patterns that are only just fast enough may cost as much. Callers who send such patterns therefore share a separate
 * queue.
 */
export class PatternMatcher {
  readonly #line: MatchLine
  readonly #apart: MatchLine
  readonly #slow = new LRUCache<string, true>(atMost(MAX_APART, APART_MS))

  constructor(line: MatchLine = new WorkerLine(limits), apart: MatchLine = new WorkerLine(limits)) {
    this.#line = line
    this.#apart = apart
  }

  /**
   * Tells for each entry whether any pattern matches any of its paths.
   * @throws CallProblem if a pattern is invalid or takes too long, if too many calls wait, or if the caller disconnects
   */
  async match(request: MatchRequest, owner: WorkOwner): Promise<readonly boolean[]> {
    const reply = await this.#reply(request, owner).catch(error => {
      if (error instanceof JobError) this.#putApart(owner)
      throw lineFault(error, problems)
    })
    if ('invalid' in reply)
      throw new CallProblem(
        `excluded_file_patterns: ${JSON.stringify(reply.invalid)} is not a regular expression (${reply.why}), such as ${ofGlob(reply.invalid) ?? '\\.lock$ or ^docs/'}.`
      )
    if (reply.ms > SLOW_MS) this.#putApart(owner)
    return reply.matches
  }

  #putApart(owner: WorkOwner): void {
    this.#slow.set(lineOf(owner), true)
  }

  async #reply(request: MatchRequest, owner: WorkOwner): Promise<MatchReply> {
    const isQuick = () => !this.#slow.has(lineOf(owner))
    try {
      if (isQuick()) return await this.#line.run('matchPatterns', request, owner, [], isQuick)
    } catch (error) {
      // Another call of the same caller was stopped while this one waited.
      if (!(error instanceof QueueError && error.why === 'elsewhere')) throw error
    }
    return this.#apart.run('matchPatterns', request, owner)
  }

  async close(): Promise<void> {
    await Promise.all([this.#line.close(), this.#apart.close()])
  }
}

/**
 * Callers of one network are put apart together: otherwise another address of the network could use the usual queue for
 * slow patterns again.
 */
const lineOf = (owner: WorkOwner): string => siteOf(turnHolderOf(owner))

const problems: LineFaults = {
  full: () =>
    new CallProblem('Too many calls with excluded_file_patterns are under way. Try again in a few seconds.'),
  cancelled: () => new CallProblem('The call was cancelled.'),
  failed: () =>
    new CallProblem(
      'excluded_file_patterns took too long to match: simplify them (nested repetition is slow).'
    )
}
