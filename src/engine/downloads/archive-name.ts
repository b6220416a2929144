import { parse } from 'node:path'

/** What ends the name of a file until it is whole. */
export const PART = '.part'

export const archiveName = (job: string): string => `artifacts_job_${job}.zip`

/** The name of another file beside those that have it already. @param at from 2 on */
export function namesake(name: string, at: number): string {
  const { name: stem, ext } = parse(name)
  return `${stem}-${at}${ext}`
}

const archive = /^artifacts_job_\d+(?:-\d+)?\.zip(?:\.part)?$/

/** Whether this service writes files of that name. All others in the download folder are somebody else's. */
export const isArchive = (name: string): boolean => archive.test(name)
