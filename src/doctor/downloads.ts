import { statfs } from 'node:fs/promises'
import type { Config } from '../config/schema.ts'
import { type Finding, found } from './finding.ts'

const MIB = 1024 * 1024
/** MiB of free space below which a warning is given: archives are often larger. */
const LITTLE = 100

/** Finds how much space there is for archives, whose folder was already checked to exist and to be writable. */
export async function downloadsFinding(config: Config): Promise<Finding> {
  const { FORGE_DOWNLOAD_DIR: folder, FORGE_DOWNLOAD_TOTAL_MB: most } = config
  if (folder === '') return found('skip', 'downloads', 'FORGE_DOWNLOAD_DIR is not set.')
  const { bavail, blocks, bsize } = await statfs(folder)
  const mib = (count: number) => Math.floor((count * bsize) / MIB)
  return roomFinding(mib(bavail), mib(blocks), config.STREAMABLE_HTTP ? most : 0)
}

/**
 * @param free MiB that are free
 * @param whole MiB of the whole disk
 * @param most MiB that may be kept; 0 for no limit
 */
export function roomFinding(free: number, whole: number, most: number): Finding {
  const warn = (says: string) => found('warn', 'downloads', says, more)
  if (free < LITTLE) return warn(`${free} MiB are left on the disk of FORGE_DOWNLOAD_DIR.`)
  if (whole < most) return warn(`the disk of FORGE_DOWNLOAD_DIR has ${whole} MiB, and ${most} may be kept.`)
  return found('ok', 'downloads', `${free} MiB are left on the disk of FORGE_DOWNLOAD_DIR.`)
}

const more = 'Give it a larger disk, or make FORGE_DOWNLOAD_TOTAL_MB smaller.'
