import { realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Settings } from '../config/load.ts'
import { fileOf, secrets } from '../config/secret-files.ts'
import { type Finding, found } from './finding.ts'

/** Mode bits that allow everybody to read a file, and to pass through a folder. */
const READ = 0o004
const PASS = 0o001

/**
 * Whether everybody on this machine may read a file: its own mode allows it, and so does that of each folder on the
 * way.
 * @param modeOf the mode of a file or folder
 * @throws what modeOf throws
 */
export async function isOpenToAll(
  path: string,
  modeOf: (path: string) => Promise<number> = async at => (await stat(at)).mode
): Promise<boolean> {
  if (((await modeOf(path)) & READ) === 0) return false
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (((await modeOf(folder)) & PASS) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

/**
 * Whether an orchestrator has mounted a file, so that the container is its only reader: Kubernetes, whose volumes link
 * to a folder with a name that begins with two dots, or Docker.
 */
const isMounted = (path: string): boolean => path.startsWith('/run/secrets/') || path.includes('/..')

/**
 * Warns of secret files that everybody on this machine may read.
 * @param given settings without those from files
 */
export async function secretFileFindings(env: NodeJS.ProcessEnv, given: Settings): Promise<Finding[]> {
  // On Windows, modes say nothing about access, and Node cannot read the access control lists.
  if (env.KUBERNETES_SERVICE_HOST !== undefined || process.platform === 'win32') return []
  const findings: Finding[] = []
  for (const variable of secrets.map(fileOf)) {
    const named = given[variable]
    // A file that does not exist, or cannot be examined, is reported elsewhere.
    const path = named && (await realpath(named).catch(() => undefined))
    if (path && !isMounted(path) && (await isOpenToAll(path).catch(() => false)))
      findings.push(
        found(
          'warn',
          'configuration',
          `${variable} names a file that everybody on this machine may read.`,
          'Let only the user of this service read it: chmod 600.'
        )
      )
  }
  return findings
}
