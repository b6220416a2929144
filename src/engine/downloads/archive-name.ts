import { parse } from 'node:path'

/** The suffix of a file's name until the file is complete. */
export const PART = '.part'

/** The file name for the archive of a job's artifacts. */
export const archiveName = (job: string): string => `artifacts_job_${job}.zip`

/** The name with a number, for a file beside others of the same name. @param at the number, from 2 */
export function namesake(name: string, at: number): string {
  const { name: stem, ext } = parse(name)
  return `${stem}-${at}${ext}`
}

const archive = /^artifacts_job_\d+(?:-\d+)?\.zip(?:\.part)?$/

/**
 * Whether this service writes files with such a name. All other files in the download folder belong to somebody else.
 */
export const isArchive = (name: string): boolean => archive.test(name)
