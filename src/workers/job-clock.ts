import type { Worker } from 'node:worker_threads'

/** The time that one job of a worker may take. */
export interface JobBudget {
  /**
   * Milliseconds after which the worker is ended. They are processor time of the worker if `wallMs` is larger,
   * otherwise wall-clock time.
   */
  readonly budgetMs: number
  /**
   * Most milliseconds of wall-clock time; default budgetMs. If it is larger, a busy machine does not count against
   * jobs.
   */
  readonly wallMs?: number
}

/** Shortest interval, in milliseconds, between two looks at the time that a worker has used. */
const LOOK_MS = 10

/**
 * Calls `late` once when a job has used up its budget. Before Node 24.6, which is the first to report the processor
 * time of another thread, wall-clock time counts.
 * @returns a function that stops the clock when the job is done
 */
export function startClock(
  worker: Partial<Pick<Worker, 'cpuUsage'>>,
  { budgetMs, wallMs = budgetMs }: JobBudget,
  late: () => void
): () => void {
  if (wallMs <= budgetMs || worker.cpuUsage === undefined) {
    const timer = setTimeout(late, budgetMs)
    return () => clearTimeout(timer)
  }
  // A worker that has ended reports that itself.
  const used = () =>
    worker.cpuUsage!().then(
      ({ user, system }) => (user + system) / 1000,
      () => undefined
    )
  let isOver = false
  const stop = () => {
    isOver = true
    clearTimeout(timer)
    clearTimeout(backstop)
  }
  const end = () => {
    stop()
    late()
  }
  const before = used()
  const look = async () => {
    const [at, now] = await Promise.all([before, used()])
    if (isOver || at === undefined || now === undefined) return
    const left = budgetMs - (now - at)
    if (left <= 0) end()
    else timer = setTimeout(look, Math.max(left, LOOK_MS))
  }
  let timer = setTimeout(look, budgetMs)
  const backstop = setTimeout(end, wallMs)
  return stop
}
