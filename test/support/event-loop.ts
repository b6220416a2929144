import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { threadMs } from '../../src/load/thread-ms.ts'

/*
 * Measures how long something holds the event loop. The time is this thread's processor time, and it is compared with a
 * piece of work that is measured in the same run: a busy or slow machine makes both longer.
 */

/** Works for a number of milliseconds of this thread's processor time. */
export function spend(ms: number): void {
  const end = threadMs() + ms
  while (threadMs() < end);
}

/**
 * How many times a run is repeated. The shortest counts: other work of the machine can make a run longer, but nothing
 * makes it shorter.
 */
const RUNS = 3

/**
 * The longest time in which nothing else could run, in milliseconds of processor time. It is the shortest result of
 * three runs. It stops early when a run stays below `allowed`.
 */
export async function held(run: () => unknown, allowed = 0): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < RUNS && least >= allowed; turn++) least = Math.min(least, await heldOnce(run))
  return least
}

async function heldOnce(run: () => unknown): Promise<number> {
  let longest = 0
  let last = threadMs()
  let running = true
  const tick = () => {
    const now = threadMs()
    longest = Math.max(longest, now - last)
    last = now
    if (running) setImmediate(tick)
  }
  setImmediate(tick)
  try {
    await run()
  } catch (error) {
    // Refusing takes time, too, so errors count as the end of the work.
    if ((error as Error).name === 'AssertionError') throw error
  }
  tick()
  running = false
  return longest
}

/**
 * Milliseconds of this thread's processor time that some work takes, however busy the machine is. A bound on it should
 * be many times what the work takes, to catch what grows out of proportion.
 */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = threadMs()
  await work()
  return threadMs() - before
}

/**
 * Linux updates the processor time of a running thread at each of its ticks. So a single hold may seem longer by this
 * much.
 */
export const TICK_MS = 4

const TURNS = 12

/**
 * Measures a piece of work that takes about ten milliseconds on a machine of 2023. The result is in milliseconds of
 * processor time here.
 */
export async function yardstick(): Promise<number> {
  const records = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `name ${id}`, tags: ['a', 'b'] }))
  const all = await cpuMsOf(() => {
    for (let turn = 0; turn < TURNS; turn++) JSON.parse(JSON.stringify(records))
  })
  return all / TURNS
}

/**
 * The worst case of something, and how long it may hold the event loop, in yardsticks. The limit is at least twice what
 * it takes on a quiet machine. What grows out of proportion takes many times the limit; other work of the machine adds
 * less.
 */
export type HeldRow = readonly [title: string, tens: number, run: () => unknown]

/** Asserts that none of the rows holds the event loop longer than it may. */
export async function holdNoLonger(t: Test, rows: readonly HeldRow[]): Promise<void> {
  let unit = await yardstick()
  for (const [title, tens, run] of rows) {
    const allowed = () => tens * unit + TICK_MS
    let took = await held(run, allowed())
    // Other work may start on the machine between the two measurements and make one of them longer. So they are
    // repeated together.
    for (let again = 0; again < 3 && took >= allowed(); again++) {
      unit = await yardstick()
      took = await held(run, allowed())
    }
    t.ok(took < allowed(), `${title}: ${took.toFixed(1)} ms of at most ${allowed().toFixed(1)}`)
  }
}

/**
 * The shortest hold that counts, in yardsticks: what loop-holds.ts reports where a yardstick takes ten milliseconds.
 */
const WORTH_COUNTING = 0.3

/**
 * The sum of the holds that are long enough to count, in milliseconds. On a slow machine, work that takes a moment
 * elsewhere takes as long as a reported hold there, and does not count.
 */
export const heldByLong = (holds: readonly number[], yardstickMs: number): number =>
  holds.filter(ms => ms > WORTH_COUNTING * yardstickMs).reduce((all, ms) => all + ms, 0)

const loopHolds = fileURLToPath(new URL('loop-holds.ts', import.meta.url))

/** The environment of a process that reports its holds (holdsIn). */
export const tellsHolds = ({ NODE_OPTIONS } = { NODE_OPTIONS: '' }): { NODE_OPTIONS: string } => ({
  NODE_OPTIONS: `${NODE_OPTIONS} --import=${loopHolds}`
})

/** The milliseconds of each hold that such a process has reported, the longest first. */
export const holdsIn = (output: string): readonly number[] =>
  [...output.matchAll(/^held ([\d.]+)$/gm)].map(([, ms]) => Number(ms)).sort((a, b) => b - a)

/**
 * The share of a time for which a process may be held in this way.
 * @param share the limit where a yardstick takes ten milliseconds; it grows on a slower machine, where each hold takes
 * longer, but never beyond 0.6, so that something is left to others on any machine
 */
export const mostHeld = (share: number, yardstickMs: number): number =>
  Math.min(0.6, share * Math.max(1, yardstickMs / 10))
