import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8'

const MIB = 1024 * 1024

/** MiB of each of the three halves that V8 gives what is young, unless it is told: 64 since its version 13. */
const semiSpace = (flags: string): number => {
  const told = /--max[-_]semi[-_]space[-_]size=(\d+)/.exec(flags)?.[1]
  return told === undefined ? (Number.parseInt(process.versions.v8, 10) >= 13 ? 64 : 16) : Number(told)
}

const young = 3 * semiSpace(`${process.env.NODE_OPTIONS} ${process.execArgv.join(' ')}`) * MIB

/**
 * Bytes that may grow old, as --max-old-space-size says: with more, V8 ends the process. Its heap_size_limit counts the
 * young ones besides, which in a small container are half as much again.
 */
export const heapLimit = (): number => getHeapStatistics().heap_size_limit - young

/** Bytes of those that are used. */
export const heapUsed = (): number =>
  getHeapSpaceStatistics().reduce(
    (sum, { space_name: name, space_used_size: used }) => (name.startsWith('new_') ? sum : sum + used),
    0
  )
