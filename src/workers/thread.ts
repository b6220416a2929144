import { extname } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { type TransferListItem, Worker } from 'node:worker_threads'
import { type JobBudget, startClock } from './job-clock.ts'
import type { JobName, Jobs } from './jobs.ts'
import { Assembly } from './slices.ts'
import type { WorkerReply } from './worker.ts'

/** Milliseconds that a worker may take to load, even on a busy machine. */
const START_MS = 30_000

/** Most megabytes of a worker's heap: an answer of ten megabytes needs less than half of it. */
const resourceLimits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 }

/** A job that was not done: it took too long, or its worker ended (mostly because it ran out of memory). */
export class JobError extends Error {
  readonly why: 'late' | 'broken'
  constructor(why: JobError['why'], options?: ErrorOptions) {
    super(why === 'late' ? 'the job took too long' : 'the worker ended', options)
    this.name = 'JobError'
    this.why = why
  }
}

/** One worker thread, for one job at a time. */
export class Thread {
  readonly #worker: Worker
  #isOver = false
  #fail: (error: JobError) => void = () => {}

  /** Starts a worker. @throws JobError if it does not start */
  static async start(): Promise<Thread> {
    // V8 would put this flag, as of the chart, in place of the limits of a worker. The main thread has read it.
    setFlagsFromString('--max-old-space-size=0')
    // The file of the worker lies beside this file in the source, and beside the bundle in a build.
    const worker = new Worker(new URL(`./worker${extname(import.meta.url)}`, import.meta.url), {
      resourceLimits,
      // The flags of the process (profilers, loaders of tests) would only slow down the start.
      execArgv: []
    })
    const thread = new Thread(worker)
    // The first message says that the worker is loaded; loading must not count as time of a job.
    const timer = setTimeout(() => void thread.end(), START_MS)
    await new Promise<void>((resolve, reject) => {
      thread.#fail = reject
      worker.once('message', () => resolve())
    }).finally(() => clearTimeout(timer))
    // Not earlier: with nothing else to do, the process would end while a call waits for the worker.
    worker.unref()
    return thread
  }

  private constructor(worker: Worker) {
    this.#worker = worker
    const end = (cause?: unknown) => {
      this.#isOver = true
      this.#fail(new JobError('broken', { cause }))
    }
    worker.on('error', end)
    worker.on('exit', end)
  }

  /** Whether the thread has ended, and does no more jobs. */
  get isOver(): boolean {
    return this.#isOver
  }

  /**
   * Runs a job and returns its result.
   * @param input copied, except for what is transferred
   * @param budget the worker is ended when the job exceeds it; the time between the slices of the result does not count
   * @throws JobError
   */
  async run<Name extends JobName>(
    name: Name,
    input: Parameters<Jobs[Name]>[0],
    budget: JobBudget,
    transfer: readonly TransferListItem[] = []
  ): Promise<ReturnType<Jobs[Name]>> {
    const assembly = new Assembly()
    let { slice, last } = await this.#ask({ name, input }, budget, transfer)
    assembly.add(slice)
    while (!last) {
      // Each slice is handled in a turn of its own.
      await new Promise(setImmediate)
      ;({ slice, last } = await this.#ask('next', budget))
      assembly.add(slice)
    }
    return assembly.value as ReturnType<Jobs[Name]>
  }

  end(): Promise<unknown> {
    this.#isOver = true
    return this.#worker.terminate()
  }

  #ask(
    request: unknown,
    budget: JobBudget,
    transfer: readonly TransferListItem[] = []
  ): Promise<WorkerReply> {
    return new Promise((resolve, reject) => {
      if (this.#isOver) return reject(new JobError('broken'))
      const settle = () => {
        stop()
        this.#worker.off('message', done)
        this.#fail = () => {}
      }
      const done = (reply: WorkerReply) => {
        settle()
        resolve(reply)
      }
      this.#fail = error => {
        settle()
        reject(error)
      }
      const stop = startClock(this.#worker, budget, () => {
        this.#fail(new JobError('late'))
        void this.end()
      })
      this.#worker.once('message', done)
      this.#worker.postMessage(request, transfer)
    })
  }
}
