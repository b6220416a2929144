import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'

/*
 * The system resolver blocks a thread for as long as a name server keeps silent, and Node has four of them, for
 * files and compression too. Names that callers choose must not take them all.
 */

export interface LookupLimits {
  /** Look-ups at once. */
  readonly atOnce: number
  /** Look-ups that wait; more fail at once. */
  readonly queue: number
  /** Milliseconds for which an answer is used without asking again. */
  readonly freshMs: number
  /** Names that are remembered. */
  readonly names: number
}

export const lookupLimits: LookupLimits = { atOnce: 2, queue: 500, freshMs: 30_000, names: 1_000 }

type Callback = Parameters<LookupFunction>[2]
type Found = string | LookupAddress[]

interface Answer {
  readonly found: Found
  readonly family: number | undefined
  readonly at: number
}

/**
 * A resolver that asks a few names at a time, one look-up a name however many want it, and remembers what it
 * found for a short time. Who connects checks every answer, remembered or not (addresses.ts).
 * @param now clock in milliseconds
 */
export function sharedLookup(
  now: () => number,
  lookup: LookupFunction = systemLookup as LookupFunction,
  { atOnce, queue, freshMs, names }: LookupLimits = lookupLimits
): LookupFunction {
  const answers = new Map<string, Answer>()
  const wanted = new Map<string, Callback[]>()
  const waiting: (() => void)[] = []
  let running = 0

  const remember = (key: string, answer: Answer): void => {
    answers.delete(key)
    answers.set(key, answer)
    if (answers.size > names) answers.delete(answers.keys().next().value!)
  }

  const ask = (key: string, ...[hostname, options]: Parameters<LookupFunction>): void => {
    running++
    lookup(hostname, options, (error, found, family) => {
      running--
      const callbacks = wanted.get(key) ?? []
      wanted.delete(key)
      if (error === null) remember(key, { found, family, at: now() })
      waiting.shift()?.()
      for (const callback of callbacks) callback(error, found, family)
    })
  }

  return (hostname, options, callback) => {
    const key = `${hostname} ${options.family ?? 0} ${options.hints ?? 0} ${options.all === true}`
    const known = answers.get(key)
    if (known !== undefined && now() - known.at < freshMs)
      return process.nextTick(callback, null, known.found, known.family)
    const others = wanted.get(key)
    if (others !== undefined) return void others.push(callback)
    if (running >= atOnce && waiting.length >= queue)
      return process.nextTick(callback, Object.assign(new Error('too many look-ups'), { code: 'EBUSY' }), '')
    wanted.set(key, [callback])
    const begin = () => ask(key, hostname, options, callback)
    if (running < atOnce) begin()
    else waiting.push(begin)
  }
}
