import { readFileSync } from 'node:fs'

/**
 * How many files this process may open, of which each connection is one (proc_pid_limits(5); Node has raised the soft
 * limit to the hard one by then).
 * @returns Infinity if there is no limit, and elsewhere than on Linux, where the kernel does not say it
 */
export function mostOpenFiles(path = '/proc/self/limits'): number {
  try {
    const soft = /^Max open files +(\d+)/m.exec(readFileSync(path, 'utf8'))?.[1]
    return soft === undefined ? Infinity : Number(soft)
  } catch {
    return Infinity
  }
}
