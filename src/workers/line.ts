import type { TransferListItem } from 'node:worker_threads'
import { FairQueue, type FairQueueLimits, type Owner } from './fair-queue.ts'
import type { JobName, Jobs } from './jobs.ts'
import { Thread } from './thread.ts'

/** Milliseconds after which a worker that has nothing to do is ended. */
const IDLE_MS = 60_000

export interface LineOptions extends FairQueueLimits {
  /** Milliseconds for one job, after which its worker is ended. */
  readonly budgetMs: number
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

  constructor(options: LineOptions) {
    this.#options = options
    this.#queue = new FairQueue(options)
  }

  /**
   * @param input a copy of it, but for what is transferred
   * @throws QueueError when the line is full or the caller goes before its turn, JobError for a job that did not end
   */
  run<Name extends JobName>(
    name: Name,
    input: Parameters<Jobs[Name]>[0],
    owner: Owner,
    transfer?: readonly TransferListItem[]
  ): Promise<ReturnType<Jobs[Name]>> {
    return this.#queue.run(owner, async () => {
      clearTimeout(this.#idle)
      try {
        if (this.#thread === undefined || this.#thread.isOver) this.#thread = await Thread.start()
        return await this.#thread.run(name, input, this.#options.budgetMs, transfer)
      } finally {
        this.#idle = setTimeout(() => this.close(), IDLE_MS).unref()
      }
    })
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const thread = this.#thread
    this.#thread = undefined
    await thread?.end()
  }
}
