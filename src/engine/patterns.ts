import { type Owner, QueueError } from '../workers/fair-queue.ts'
import { WorkerLine } from '../workers/line.ts'
import { JobError } from '../workers/thread.ts'
import type { MatchRequest } from './match-patterns.ts'
import { CallProblem } from './problem.ts'

/*
 * Callers' regular expressions. They are ECMAScript, which backtracks, so they can be made to run for ever;
 * they run in a worker that is stopped when its time is up, while other callers' requests go on.
 */

export const MAX_PATTERNS = 20
export const MAX_PATTERN_LENGTH = 512

/** Milliseconds for all patterns of one call over all its paths, and calls that wait to be matched. */
const limits = { budgetMs: 250, all: 100, caller: 20 }

/** Matches paths against callers' patterns off the event loop, one call at a time, callers taking turns. */
export class PatternMatcher {
  readonly #line = new WorkerLine(limits)

  /**
   * Tells for each entry whether any pattern is found in any of its paths.
   * @throws CallProblem for an invalid pattern or one that takes too long, when too many wait or the caller goes
   */
  async match(request: MatchRequest, owner: Owner): Promise<readonly boolean[]> {
    const reply = await this.#line.run('matchPatterns', request, owner).catch(error => {
      throw problemOf(error)
    })
    if ('invalid' in reply)
      throw new CallProblem(
        `excluded_file_patterns: ${JSON.stringify(reply.invalid)} is not a regular expression (${reply.why}), such as \\.lock$ or ^docs/.`
      )
    return reply.matches
  }

  close(): Promise<void> {
    return this.#line.close()
  }
}

function problemOf(error: unknown): unknown {
  if (error instanceof QueueError)
    return new CallProblem(
      error.why === 'full'
        ? 'Too many calls with excluded_file_patterns are under way. Try again in a few seconds.'
        : 'The call was cancelled.'
    )
  if (!(error instanceof JobError) || error.why !== 'late') return error
  return new CallProblem(
    'excluded_file_patterns took too long to match: simplify them (nested repetition is slow).'
  )
}
