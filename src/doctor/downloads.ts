import { readdir, statfs } from 'node:fs/promises'
import type { Config } from '../config/schema.ts'
import { callersFolder } from '../engine/downloads/store.ts'
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
  if (!config.STREAMABLE_HTTP) return roomFinding(mib(bavail), mib(blocks), 0, false)
  const makesRoom = (await readdir(folder).catch(() => [])).some(name => callersFolder.test(name))
  return roomFinding(mib(bavail), mib(blocks), most, makesRoom)
}

/**
 * @param free MiB that are free
 * @param whole MiB of the whole disk
 * @param most MiB that may be kept; 0 for no limit
 * @param makesRoom whether there are archives that make room for new ones
 */
export function roomFinding(free: number, whole: number, most: number, makesRoom: boolean): Finding {
  const warn = (says: string) => found('warn', 'downloads', says, more)
  // Some file systems do not count, and have no blocks at all.
  if (free < 1 && whole > 0 && !makesRoom)
    return found(
      'fail',
      'downloads',
      'no archive can be saved: the disk of FORGE_DOWNLOAD_DIR is full.',
      room
    )
  if (free < LITTLE) return warn(`${free} MiB are left on the disk of FORGE_DOWNLOAD_DIR.`)
  if (whole < most) return warn(`the disk of FORGE_DOWNLOAD_DIR has ${whole} MiB, and ${most} may be kept.`)
  return found('ok', 'downloads', `${free} MiB are left on the disk of FORGE_DOWNLOAD_DIR.`)
}

const room = 'Remove something from it, or give it a larger disk.'
const more = 'Give it a larger disk, or make FORGE_DOWNLOAD_TOTAL_MB smaller.'
