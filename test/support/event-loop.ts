import type { Test } from 'tap'
import { threadMs } from '../../src/load/thread-ms.ts'

/*
 * How long something holds the event loop. It is told in processor time of this thread, and against a piece of work
 * measured in the same run: a busy or slow machine makes both longer.
 */

/** Takes milliseconds of this thread's processor time. */
export function spend(ms: number): void {
  const end = threadMs() + ms
  while (threadMs() < end);
}

/** Runs of which the least counts: what else the machine does makes one longer, and nothing makes it shorter. */
const RUNS = 3

/**
 * The longest time that nothing else could run, in milliseconds of processor time; the least of three runs, or of those
 * up to one that is below what is allowed.
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
    // Refusing takes time, too.
    if ((error as Error).name === 'AssertionError') throw error
  }
  tick()
  running = false
  return longest
}

/**
 * Milliseconds of this thread's processor that some work takes, however busy the machine is: a bound on it is for what
 * would grow out of proportion, many times what it takes.
 */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = threadMs()
  await work()
  return threadMs() - before
}

/** Linux brings the time of a thread that runs up to date with each of its ticks: one hold may be told longer by that. */
export const TICK_MS = 4

const TURNS = 12

/** Work of some ten milliseconds on a machine of 2023, in milliseconds of processor time here. */
export async function yardstick(): Promise<number> {
  const records = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `name ${id}`, tags: ['a', 'b'] }))
  const all = await cpuMsOf(() => {
    for (let turn = 0; turn < TURNS; turn++) JSON.parse(JSON.stringify(records))
  })
  return all / TURNS
}

/**
 * Something as bad as it can be made, and how long it may hold the event loop: in yardsticks, and at least twice what it
 * takes on a quiet machine. What grows out of proportion takes many times that; what else the machine does takes less.
 */
export type HeldRow = readonly [title: string, tens: number, run: () => unknown]

/** Asserts of each that it holds the event loop no longer than it may. */
export async function holdNoLonger(t: Test, rows: readonly HeldRow[]): Promise<void> {
  let unit = await yardstick()
  for (const [title, tens, run] of rows) {
    const allowed = () => tens * unit + TICK_MS
    let took = await held(run, allowed())
    // What begins on the machine between one measurement and the other makes one of them longer: measured together.
    for (let again = 0; again < 3 && took >= allowed(); again++) {
      unit = await yardstick()
      took = await held(run, allowed())
    }
    t.ok(took < allowed(), `${title}: ${took.toFixed(1)} ms of at most ${allowed().toFixed(1)}`)
  }
}

/** What is worth a line to loop-holds.ts where a yardstick takes ten milliseconds, in yardsticks. */
const WORTH_COUNTING = 0.3

/**
 * All that a process was held by holds of which each is worth counting, in milliseconds: on a slow machine what takes a
 * moment elsewhere takes as long as they do, and does not count.
 */
export const heldByLong = (holds: readonly number[], yardstickMs: number): number =>
  holds.filter(ms => ms > WORTH_COUNTING * yardstickMs).reduce((all, ms) => all + ms, 0)

/** Milliseconds of each hold that a process has told which was started with loop-holds.ts, the longest first. */
export const holdsIn = (output: string): readonly number[] =>
  [...output.matchAll(/^held ([\d.]+)$/gm)].map(([, ms]) => Number(ms)).sort((a, b) => b - a)

/**
 * How much of a time a process may be held like that.
 * @param share where a yardstick takes ten milliseconds: a machine that takes longer for one takes longer for each hold,
 * but something is left to others on any
 */
export const mostHeld = (share: number, yardstickMs: number): number =>
  Math.min(0.6, share * Math.max(1, yardstickMs / 10))
