import { execFile } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { basename } from 'node:path'

/** A program that is not here, or that found no registry: a reason to skip, not a failure. */
export class Unavailable extends Error {}

/** What clients of registries say when there is no registry to be had. */
const offline =
  /no such host|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|network|dial tcp|Connection refused|NewConnectionError|Could not find a version|offline|proxyconnect|403 Forbidden|failed to (?:download|query replaced source)/i

/** What toolchains say that are not what a package wants. */
const unfit = /requires go >=|requires rustc|ensurepip is not available/i

/** Longest that a program may run unless it is told, in milliseconds. */
const LONGEST_MS = 240_000

interface Options {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  /** Milliseconds after which what it brings counts as not to be had. */
  readonly patience?: number
  /** It works long, and what runs beside it comes first. */
  readonly givesWay?: boolean
}

/** How npm is asked: a silent one, which its scripts inherit, would not say that it found no registry. */
export const quietly = ['--loglevel=error', '--ignore-scripts']

/**
 * Runs a program to its end.
 * @returns its standard output
 * @throws Unavailable where it is not installed, is too old, or its registry does not answer; Error with what it said
 * otherwise
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
