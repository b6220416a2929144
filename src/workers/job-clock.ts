import type { Worker } from 'node:worker_threads'

/** How long one job of a worker may take. */
export interface JobBudget {
  /** Milliseconds, after which the worker is ended: of its own processor where `wallMs` is more, else of the clock. */
  readonly budgetMs: number
  /** Milliseconds of the clock at most, so that a busy machine is charged to nobody; default budgetMs. */
  readonly wallMs?: number
}

/** Milliseconds between two looks at what a worker has used, at least. */
const LOOK_MS = 10

/**
 * Tells once that a job has used up its budget. Before Node 24.6, which cannot be asked for another thread's processor
 * time, the clock is what counts.
 * @returns what stops it, as the job is done
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
  // One that has ended says so itself.
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
