import { readdir, statfs } from 'node:fs/promises'
import { MIB } from '../base/units.ts'
import type { Config } from '../config/schema.ts'
import { callersFolder } from '../engine/downloads/store.ts'
import { type Finding, found } from './finding.ts'

/** MiB of free space below which a warning is given: archives are often larger. */
const MIN_FREE_MIB = 100
/** Free inodes below which a warning is given: each archive takes one or two, and its caller's folder another. */
const MIN_FREE_INODES = 1000

/** Finds how much space there is for archives. The folder was already checked to exist and to be writable. */
export async function downloadsFinding(config: Config): Promise<Finding> {
  const { FORGE_DOWNLOAD_DIR: folder, FORGE_DOWNLOAD_TOTAL_MB: most } = config
  if (folder === '') return found('skip', 'downloads', 'FORGE_DOWNLOAD_DIR is not set.')
  const { bavail, blocks, bsize, ffree, files } = await statfs(folder)
  const inodes = { free: ffree, whole: files }
  const mib = (count: number) => Math.floor((count * bsize) / MIB)
  if (!config.STREAMABLE_HTTP) return roomFinding(mib(bavail), mib(blocks), 0, false, inodes)
  const makesRoom = (await readdir(folder).catch(() => [])).some(name => callersFolder.test(name))
  return roomFinding(mib(bavail), mib(blocks), most, makesRoom, inodes)
}

/**
 * @param free MiB that are free
 * @param whole MiB of the whole disk
 * @param most MiB that may be kept; 0 for no limit
 * @param makesRoom whether there are archives that could be removed to make room
 * @param inodes how many are free, of how many; 0 if the file system does not count them
 */
export function roomFinding(
  free: number,
  whole: number,
  most: number,
  makesRoom: boolean,
  inodes: { readonly free: number; readonly whole: number } = { free: 0, whole: 0 }
): Finding {
  const warn = (says: string) => found('warn', 'downloads', says, more)
  const fail = (says: string) => found('fail', 'downloads', `no archive can be saved: ${says}`, room)
  // Some file systems do not count, and report no blocks or inodes at all.
  if (free < 1 && whole > 0 && !makesRoom) return fail('the disk of FORGE_DOWNLOAD_DIR is full.')
  if (inodes.free < 1 && inodes.whole > 0 && !makesRoom)
    return fail('the disk of FORGE_DOWNLOAD_DIR has no inode left, so that it takes no file.')
  if (free < MIN_FREE_MIB) return warn(`${free} MiB are left on the disk of FORGE_DOWNLOAD_DIR.`)
  if (inodes.free < MIN_FREE_INODES && inodes.whole > 0)
    return found(
      'warn',
      'downloads',
      `${inodes.free} inodes are left on the disk of FORGE_DOWNLOAD_DIR: it takes no more files than that.`,
      room
    )
  if (whole < most) return warn(`the disk of FORGE_DOWNLOAD_DIR has ${whole} MiB, and ${most} may be kept.`)
  return found('ok', 'downloads', `${free} MiB are left on the disk of FORGE_DOWNLOAD_DIR.`)
}

const room = 'Remove files from it, or give it a larger disk.'
const more = 'Give it a larger disk, or make FORGE_DOWNLOAD_TOTAL_MB smaller.'
