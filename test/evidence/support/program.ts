import { execFile } from 'node:child_process'
import { basename } from 'node:path'

/** A program that is not here, or that found no registry: a reason to skip, not a failure. */
export class Unavailable extends Error {}

/** What clients of registries say when there is no registry to be had. */
const offline =
  /no such host|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|network|dial tcp|Connection refused|NewConnectionError|Could not find a version|offline|proxyconnect|403 Forbidden/i

/** How npm is asked: a silent one, which its scripts inherit, would not say that it found no registry. */
export const quietly = ['--loglevel=error', '--ignore-scripts']

/**
 * Runs a program to its end.
 * @returns its standard output
 * @throws Unavailable where it is not installed or its registry does not answer; Error with what it said otherwise
 */
export function run(
  file: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}
): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      file,
      args,
      { maxBuffer: 100_000_000, timeout: 240_000, ...options },
      (error, stdout, stderr) => {
        if (error === null) return resolve(stdout)
        const said = `${stderr}${stdout}`.slice(-3000)
        if ((error as NodeJS.ErrnoException).code === 'ENOENT')
          reject(new Unavailable(`${file} is not installed`))
        else if (offline.test(said)) reject(new Unavailable(`${basename(file)} found no registry`))
        else reject(new Error(`${file} ${args.join(' ')}: ${error.message}\n${said}`))
      }
    )
  })
}
