import type { TransferListItem } from 'node:worker_threads'
import { FairQueue, type FairQueueLimits, type Owner, QueueError } from './fair-queue.ts'
import type { JobBudget } from './job-clock.ts'
import type { JobName, Jobs } from './jobs.ts'
import { JobError, Thread } from './thread.ts'

/** Milliseconds after which a worker that has nothing to do is ended. */
const IDLE_MS = 60_000

/** What one job may take, and how many may wait. */
export interface LineOptions extends FairQueueLimits, JobBudget {}

/** What its user throws for a job that the line did not do. */
export interface LineFaults {
  full(): Error
  /** The caller has gone, or the service leaves. */
  cancelled(): Error
  /** The job took too much, or its worker has ended. */
  failed(cause: JobError): Error
}

/** @param error of a line @returns what to throw in its place; an error that is not the line's is itself */
export function lineFault(error: unknown, { full, cancelled, failed }: LineFaults): unknown {
  if (error instanceof JobError) return failed(error)
  if (!(error instanceof QueueError)) return error
  return error.why === 'full' ? full() : cancelled()
}

/**
 * Jobs off the event loop, one at a time in a thread of their own; callers take turns. What is of one kind has a line
 * of its own, so that whoever fills it keeps nobody from others. The thread begins with the first job, keeps no process
 * from its end, and ends itself when it has nothing to do, or when a job does not end.
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
   * @param input a copy of it, but for what is transferred
   * @param belongsHere asked when its turn has come
   * @throws QueueError when the line is full, the caller goes before its turn or the line is closed, JobError for a job
   * that did not end
   */
  run<Name extends JobName>(
    name: Name,
    input: Parameters<Jobs[Name]>[0],
    owner: Owner,
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

  /** Ends the job under way; what waits, and what comes later, is not begun. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#rest()
  }

  async #ready(): Promise<Thread> {
    if (this.#isClosed) throw new QueueError('cancelled')
    if (this.#thread === undefined || this.#thread.isOver) this.#thread = await Thread.start()
    if (!this.#isClosed) return this.#thread
    // Closed while it began.
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
