import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { FairQueue, type Owner } from './fair-queue.ts'
import { CallProblem } from './problem.ts'

/*
 * Callers' regular expressions. They are ECMAScript, which backtracks, so they can be made to run for ever;
 * they run in a worker that is stopped when its time is up, while other callers' requests go on.
 */

export const MAX_PATTERNS = 20
export const MAX_PATTERN_LENGTH = 512

/** Milliseconds for all patterns of one call over all its paths. */
const BUDGET_MS = 250

/** Calls that wait to be matched. */
const WAITING = { all: 100, caller: 20 }

export interface MatchRequest {
  readonly patterns: readonly string[]
  /** Each entry's paths: old and new. */
  readonly entries: readonly (readonly string[])[]
}

/** Which entries match, or the pattern that is not one. */
export type MatchReply =
  | { readonly matches: readonly boolean[] }
  | { readonly invalid: string; readonly why: string }

/** Matches paths against callers' patterns off the event loop, one call at a time, callers taking turns. */
export class PatternMatcher {
  #worker: Worker | undefined
  readonly #queue = new FairQueue(
    WAITING,
    'Too many calls with excluded_file_patterns are under way. Try again in a few seconds.'
  )

  /**
   * Tells for each entry whether any pattern is found in any of its paths.
   * @throws CallProblem for an invalid pattern or one that takes too long, when too many wait or the caller goes
   */
  match(request: MatchRequest, owner: Owner): Promise<readonly boolean[]> {
    return this.#queue.run(owner, () => this.#run(request))
  }

  async close(): Promise<void> {
    await this.#worker?.terminate()
    this.#worker = undefined
  }

  async #run(request: MatchRequest): Promise<readonly boolean[]> {
    this.#worker ??= await startWorker()
    const reply = await ask(this.#worker, request)
    if (reply === undefined) {
      await this.close()
      throw new CallProblem(
        'excluded_file_patterns took too long to match: simplify them (nested repetition is slow).'
      )
    }
    if ('invalid' in reply)
      throw new CallProblem(
        `excluded_file_patterns: ${JSON.stringify(reply.invalid)} is not a regular expression (${reply.why}).`
      )
    return reply.matches
  }
}

async function startWorker(): Promise<Worker> {
  // The worker lies beside this file, as source or as build.
  const worker = new Worker(new URL(`./pattern-worker${extname(import.meta.url)}`, import.meta.url))
  await new Promise((resolve, reject) => {
    // Its first message says that it is loaded; loading must not count against a call's time.
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  // Of its end between two calls nobody is told: the next finds it out, by the time it waits.
  worker.on('error', () => {})
  // Not before it runs: with nothing else to do the process would end while a call waits for it.
  worker.unref()
  return worker
}

/** The worker's reply, or undefined when it did not come in time. */
function ask(worker: Worker, request: MatchRequest): Promise<MatchReply | undefined> {
  return new Promise((resolve, reject) => {
    const done = (reply: MatchReply | undefined) => {
      clearTimeout(timer)
      worker.off('error', reject)
      worker.off('message', done)
      resolve(reply)
    }
    const timer = setTimeout(done, BUDGET_MS, undefined)
    worker.once('message', done)
    worker.once('error', reject)
    worker.postMessage(request)
  })
}
