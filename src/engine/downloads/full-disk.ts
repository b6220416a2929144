import { statfs } from 'node:fs/promises'
import type { Lacking, Writing } from './ledger.ts'

/** Does work that takes room on a disk. @throws the error of the work */
export type OnDisk = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Retries work that fails because the disk has too few bytes or inodes, after removing older files. The disk may be
 * full before the limits are reached. Room is made only once for each piece of work: if others take the room at once,
 * all archives would be removed without one being saved.
 * @param lacking tells what the disk has none of; called when it is full
 * @param onFull called with the error each time an older file was removed to make room
 */
export const makingRoom =
  (
    { makeRoom }: Pick<Writing, 'makeRoom'>,
    lacking: () => Promise<Lacking>,
    onFull: (error: NodeJS.ErrnoException) => void = () => {}
  ): OnDisk =>
  async work => {
    try {
      return await work()
    } catch (error) {
      const fault = error as NodeJS.ErrnoException
      if (!isFull(fault) || !(await makeRoom(await lacking()))) throw fault
      onFull(fault)
      return work()
    }
  }

/** Whether a disk has no room left, or no room for this process. */
export const isFull = ({ code }: NodeJS.ErrnoException): boolean => code === 'ENOSPC' || code === 'EDQUOT'

/**
 * What the full disk of a folder has none of. It is `bytes` if that cannot be determined, or if the file system has no
 * fixed number of inodes.
 */
export const lackingIn = (folder: string): Promise<Lacking> =>
  statfs(folder).then(
    ({ files, ffree }) => (files > 0 && ffree === 0 ? 'inodes' : 'bytes'),
    () => 'bytes'
  )
