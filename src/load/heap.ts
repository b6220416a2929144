import { totalmem } from 'node:os'
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8'
import { MIB } from '../base/units.ts'

const flags = `${process.env.NODE_OPTIONS} ${process.execArgv.join(' ')}`

/**
 * The limit that a flag sets, in bytes: the flag is a number of MiB, or a percentage of the container's memory or,
 * without a container limit, the machine's.
 */
function told(): number | undefined {
  const flag = [...flags.matchAll(/--max[-_]old[-_]space[-_]size([-_]percentage)?=([\d.]+)/g)].at(-1)
  if (flag === undefined) return undefined
  const [, isShare, value] = flag
  return isShare === undefined ? Number(value) * MIB : (memory() * Number(value)) / 100
}

/** Bytes of memory; a container without a limit has the memory of the machine. */
const memory = (): number => Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem())

const toldLimit = told()

/**
 * Most bytes of long-lived objects: beyond that, V8 ends the process. V8's heap_size_limit also includes the young
 * spaces: three of up to 64 MiB, each a 32nd of the old space unless the machine has little memory.
 */
export function heapLimit(): number {
  const { heap_size_limit: all } = getHeapStatistics()
  return Math.min(toldLimit ?? Math.max((all * 32) / 35, all - 3 * 64 * MIB), all)
}

/** Bytes of long-lived objects in use. */
export const heapUsed = (): number =>
  getHeapSpaceStatistics().reduce(
    (sum, { space_name: name, space_used_size: used }) => (name.startsWith('new_') ? sum : sum + used),
    0
  )
