import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { startClock } from '../../src/workers/job-clock.ts'

/** A worker that has used so many milliseconds each time it is asked; the last goes on. */
function worker(...used: readonly number[]) {
  let asked = 0
  return {
    get asked() {
      return asked
    },
    cpuUsage: async () => ({ user: used[Math.min(asked++, used.length - 1)]! * 1000, system: 0 })
  }
}

const lateness = (of: Parameters<typeof startClock>[0], budgetMs: number, wallMs?: number) =>
  new Promise<number>(resolve => {
    const began = performance.now()
    startClock(of, { budgetMs, ...(wallMs !== undefined && { wallMs }) }, () =>
      resolve(performance.now() - began)
    )
  })

t.test('a job is late when its worker has used its budget, and not by the clock before', async t => {
  const busy = worker(300, 305, 305, 319, 320)
  await lateness(busy, 20, 60_000)
  t.equal(busy.asked, 5, 'what it used before the job does not count')
})

t.test('a job that is not let run ends by the clock all the same', async t => {
  t.ok((await lateness(worker(0), 10, 100)) >= 95)
})

t.test('where the processor is not told, or is not to count, the clock does', async t => {
  t.ok((await lateness({}, 20, 60_000)) >= 15)
  t.ok((await lateness(worker(0), 20)) >= 15)
})

t.test(
  'a job that is done is never late, be it asked about then, nor one whose worker has ended',
  async t => {
    const late = () => t.fail('late')
    startClock(worker(0, 100), { budgetMs: 5, wallMs: 20 }, late)()
    let answer = (_: { user: number; system: number }) => {}
    const slow = {
      cpuUsage: () => new Promise<{ user: number; system: number }>(resolve => (answer = resolve))
    }
    const stop = startClock(slow, { budgetMs: 5, wallMs: 10_000 }, late)
    const stopEnded = startClock(
      { cpuUsage: () => Promise.reject(new Error('not running')) },
      { budgetMs: 5, wallMs: 10_000 },
      late
    )
    await sleep(30)
    stop()
    stopEnded()
    answer({ user: 1e9, system: 0 })
    await sleep(10)
    t.pass()
  }
)
