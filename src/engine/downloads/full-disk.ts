import { statfs } from 'node:fs/promises'
import type { Lacking, Writing } from './ledger.ts'

/** Does something that takes room on a disk. @throws what it fails with */
export type OnDisk = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Where the disk has less room than the limits allow, older files make it for what fails for want of bytes or inodes.
 * Room that helps nothing is taken by others, so it is made once for each piece of work: all archives would go without
 * one being saved.
 * @param lacking what the disk has none of, asked when it is full
 * @param onFull called with the error each time an older file has made room
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

/** Whether a disk has no room left, or none for this process. */
export const isFull = ({ code }: NodeJS.ErrnoException): boolean => code === 'ENOSPC' || code === 'EDQUOT'

/** What the full disk of a folder has none of: bytes where it cannot be told, or has no number of inodes. */
export const lackingIn = (folder: string): Promise<Lacking> =>
  statfs(folder).then(
    ({ files, ffree }) => (files > 0 && ffree === 0 ? 'inodes' : 'bytes'),
    () => 'bytes'
  )
