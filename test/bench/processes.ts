import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

/** A program under test or one that serves it. */
export interface Program {
  readonly child: ChildProcess
  readonly url: string
  /** CPU seconds it has used, where the system tells (Linux). */
  cpuSeconds(): number | undefined
}

export interface StartOptions {
  readonly args?: readonly string[]
  readonly nodeArgs?: readonly string[]
  /** The Node it runs on; default this one. */
  readonly node?: string
  readonly env?: Readonly<Record<string, string>>
  /** Runs on this core only, where cores can be chosen. */
  readonly core?: number
  readonly stderr?: 'inherit' | 'pipe'
}

const hasTaskset = (() => {
  try {
    execFileSync('taskset', ['-p', String(process.pid)], { stdio: 'ignore' })
    return availableParallelism() > 1
  } catch {
    return false
  }
})()

/** Whether programs are pinned, so that what loads them takes nothing from them. */
export const canPin = hasTaskset

/** Moves this process to one core. */
export function pinSelf(core: number): void {
  if (hasTaskset) execFileSync('taskset', ['-acp', String(core), String(process.pid)], { stdio: 'ignore' })
}

/** Starts a program that writes "listening at <url>", and gives it once it has. Its log goes nowhere. */
export async function start(
  file: string,
  { args = [], nodeArgs = [], node = process.execPath, env = {}, core, stderr = 'inherit' }: StartOptions = {}
) {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const words = [node, ...nodeArgs, path, ...args]
  const pinned = core === undefined || !hasTaskset ? words : ['taskset', '-c', String(core), ...words]
  const child = spawn(pinned[0]!, pinned.slice(1), {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', stderr]
  })
  process.once('exit', () => child.kill('SIGKILL'))
  const url = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout!.on('data', chunk => {
      if (text.length < 10_000) text += chunk
      const address = /listening at (http:[^"\s]+)/.exec(text)?.[1]
      if (address !== undefined) resolve(address)
    })
    child.once('exit', code => reject(new Error(`${file} ended with ${code}:\n${text}`)))
  })
  const program: Program = { child, url, cpuSeconds: () => cpuSecondsOf(child.pid!) }
  return program
}

/** From /proc, in clock ticks of a hundredth of a second. */
function cpuSecondsOf(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return undefined
  }
}
