import type { TransferListItem } from 'node:worker_threads'
import { FairQueue, type FairQueueLimits, QueueError, type WorkOwner } from '../fairness/fair-queue.ts'
import type { JobBudget } from './job-clock.ts'
import type { JobName, Jobs } from './jobs.ts'
import { JobError, Thread } from './thread.ts'

/** Milliseconds after which an idle worker is ended. */
const IDLE_MS = 60_000

/** The budget of one job, and the limits of the queue. */
export interface LineOptions extends FairQueueLimits, JobBudget {}

/** The errors that the user of a line throws for a job that was not done. */
export interface LineFaults {
  full(): Error
  /** The caller has gone, or the service is shutting down. */
  cancelled(): Error
  /** The job exceeded its budget, or its worker has ended. */
  failed(cause: JobError): Error
}

/**
 * Translates an error of a line.
 * @param error of a line
 * @returns the error to throw instead; any other error unchanged
 */
export function lineFault(error: unknown, { full, cancelled, failed }: LineFaults): unknown {
  if (error instanceof JobError) return failed(error)
  if (!(error instanceof QueueError)) return error
  return error.why === 'full' ? full() : cancelled()
}

/**
 * Runs jobs outside the event loop, one at a time in a thread of their own; callers take turns. Each kind of job has a
 * line of its own, so that a full line does not block other kinds. The thread starts with the first job and does not
 * keep the process alive. It is ended when it is idle or a job does not finish.
 */
export class WorkerLine {
  readonly #options: LineOptions
  readonly #queue: FairQueue
  #thread: Thread | undefined
  #idle: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: LineOptions) {
    this.#options = options
    this.#queue = new FairQueue(options)
  }

  /**
   * Runs a job and returns its result.
   * @param input copied, except for what is transferred
   * @param belongsHere called when the job's turn has come; if it returns false, the job is not run
   * @throws QueueError when the line is full, the caller goes before the turn, the line is closed, or `belongsHere`
   * returns false; JobError for a job that did not finish
   */
  run<Name extends JobName>(
    name: Name,
    input: Parameters<Jobs[Name]>[0],
    owner: WorkOwner,
    transfer?: readonly TransferListItem[],
    belongsHere = () => true
  ): Promise<ReturnType<Jobs[Name]>> {
    return this.#queue.run(owner, async () => {
      if (!belongsHere()) throw new QueueError('elsewhere')
      clearTimeout(this.#idle)
      try {
        const thread = await this.#ready()
        return await thread.run(name, input, this.#options, transfer)
      } finally {
        if (!this.#isClosed) this.#idle = setTimeout(() => this.#rest(), IDLE_MS).unref()
      }
    })
  }

  /** Ends the running job; waiting and later jobs are not started. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#rest()
  }

  async #ready(): Promise<Thread> {
    if (this.#isClosed) throw new QueueError('cancelled')
    if (this.#thread === undefined || this.#thread.isOver) this.#thread = await Thread.start()
    if (!this.#isClosed) return this.#thread
    // The line was closed while the thread started.
    await this.#rest()
    throw new QueueError('cancelled')
  }

  async #rest(): Promise<void> {
    clearTimeout(this.#idle)
    const thread = this.#thread
    this.#thread = undefined
    await thread?.end()
  }
}
