import { execFile } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { basename } from 'node:path'

/**
 * A program that is not installed, or whose registry cannot be reached. This is a reason to skip a test, not a failure.
 */
export class Unavailable extends Error {}

/** Messages of registry clients that cannot reach their registry. */
const offline =
  /no such host|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|network|dial tcp|Connection refused|NewConnectionError|Could not find a version|offline|proxyconnect|403 Forbidden|failed to (?:download|query replaced source)/i

/** Messages of toolchains that do not meet a package's requirements. */
const unfit = /requires go >=|requires rustc|ensurepip is not available/i

/** Milliseconds that a program may run by default. */
const LONGEST_MS = 240_000

interface Options {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  /** Milliseconds after which its result counts as unavailable. */
  readonly patience?: number
  /** Lowers its priority, because it works long and other processes come first. */
  readonly givesWay?: boolean
}

/** Options for npm. A silent level, which its scripts inherit, would hide that no registry was reached. */
export const quietly = ['--loglevel=error', '--ignore-scripts']

/**
 * Runs a program until it ends.
 * @returns its standard output
 * @throws Unavailable if it is not installed, is too old, or its registry does not answer; otherwise Error with its
 * output
 */
export function run(
  file: string,
  args: readonly string[],
  { patience, givesWay, ...options }: Options = {}
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      file,
      args,
      { maxBuffer: 100_000_000, timeout: patience ?? LONGEST_MS, ...options },
      (error, stdout, stderr) => {
        if (error === null) return resolve(stdout)
        const said = `${stderr}${stdout}`.slice(-3000)
        if ((error as NodeJS.ErrnoException).code === 'ENOENT')
          reject(new Unavailable(`${file} is not installed`))
        else if (patience !== undefined && error.killed)
          reject(new Unavailable(`${basename(file)} took more than ${Math.round(patience / 60_000)} minutes`))
        else if (unfit.test(said)) reject(new Unavailable(`${basename(file)} is too old, or lacks a part`))
        else if (offline.test(said)) reject(new Unavailable(`${basename(file)} found no registry`))
        else reject(new Error(`${file} ${args.join(' ')}: ${error.message}\n${said}`))
      }
    )
    if (givesWay && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  })
}
