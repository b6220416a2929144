import { readFileSync } from 'node:fs'

/**
 * How many files this process may open; each connection is one (proc_pid_limits(5)). Node has raised the soft limit to
 * the hard limit by then.
 * @returns Infinity if there is no limit, and on systems other than Linux, where the kernel does not report it
 */
export function mostOpenFiles(path = '/proc/self/limits'): number {
  try {
    const soft = /^Max open files +(\d+)/m.exec(readFileSync(path, 'utf8'))?.[1]
    return soft === undefined ? Infinity : Number(soft)
  } catch {
    return Infinity
  }
}
