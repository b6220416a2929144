import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../support/listen.ts'

/** A program that listens. */
export interface Program {
  readonly child: ChildProcess
  /** http://127.0.0.1:PORT */
  readonly url: string
  /** CPU seconds it has used, where the system tells (Linux). */
  cpuSeconds(): number | undefined
  /** Ends it, so that a profile is written. */
  stop(): Promise<void>
}

interface StartOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Runs on this core only, where cores can be chosen. */
  readonly core?: number | undefined
  readonly stderr?: 'inherit' | 'pipe' | 'ignore'
}

/** Where the forge and the load run. */
export const REST_CORE = 0
/** Where they do not. */
export const OWN_CORE = 1

/** Between two looks whether it listens, and longest until it does, in milliseconds. */
const LOOK_MS = 2
const LONGEST_MS = 60_000

/** Whether programs are pinned, so that what loads them takes nothing from them. A container may have other cores. */
export const canPin = (() => {
  try {
    for (const core of [REST_CORE, OWN_CORE])
      execFileSync('taskset', ['-c', String(core), 'true'], { stdio: 'ignore' })
    return availableParallelism() > 1
  } catch {
    return false
  }
})()

/** Moves this process to one core. */
export function pinSelf(core: number): void {
  if (canPin) execFileSync('taskset', ['-acp', String(core), String(process.pid)], { stdio: 'ignore' })
}

export const pinned = (words: readonly string[], core: number | undefined): readonly string[] =>
  core === undefined || !canPin ? words : ['taskset', '-c', String(core), ...words]

/**
 * Starts a program that listens on PORT of its environment, and gives it once it does. What it writes on its standard
 * output goes nowhere.
 * @param words its command line @throws Error where it ends before
 */
export async function start(
  words: readonly string[],
  { env = {}, core, stderr = 'inherit' }: StartOptions = {}
): Promise<Program> {
  const port = await freePort()
  const [command, ...args] = pinned(words, core)
  const child = spawn(command!, args, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', stderr]
  })
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = once(child, 'exit').finally(() => process.off('exit', kill))
  await listening(child, port, words.join(' '))
  return {
    child,
    url: `http://127.0.0.1:${port}`,
    cpuSeconds: () => cpuSecondsOf(child.pid!),
    async stop() {
      child.kill('SIGTERM')
      await ended
    }
  }
}

async function listening(child: ChildProcess, port: number, what: string): Promise<void> {
  const end = performance.now() + LONGEST_MS
  while (performance.now() < end) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`${what} ended with ${child.exitCode}`)
    if (await accepts(port)) return
    await sleep(LOOK_MS)
  }
  throw new Error(`${what} does not listen`)
}

function accepts(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

/** Of all its threads, in nanoseconds on a processor. */
function cpuSecondsOf(pid: number): number | undefined {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`)
    const used = tasks.map(task =>
      Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0])
    )
    return used.reduce((sum, one) => sum + one, 0) / 1e9
  } catch {
    return undefined
  }
}

/** CPU seconds of all programs that this one has started and that have ended, in clock ticks of a hundredth. */
export function cpuSecondsOfEnded(): number | undefined {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[13]) + Number(fields[14])) / 100
  } catch {
    return undefined
  }
}
