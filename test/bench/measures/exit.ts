import { spawn } from 'node:child_process'
import { once as event } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cpuSecondsOfEnded, OWN_CORE, pinned } from '../processes.ts'
import { programOf } from '../programs/index.ts'
import type { Measure } from './index.ts'

/** Runs in a turn, as one is shorter than a tick of the system's clock of processors. */
const RUNS = 5

/** From nothing to its end: milliseconds, and those of a processor. */
export const exit: Measure = async (bench, _scenario, program) => {
  const { file, args } = programOf(program, '')
  const home = mkdtempSync(join(tmpdir(), 'bench-'))
  const [command, ...words] = pinned([bench.run.node, file, ...args], OWN_CORE)
  const run = async () => {
    const child = spawn(command!, words, { stdio: 'ignore', env: { PATH: process.env.PATH, HOME: home } })
    const [code] = await event(child, 'exit')
    if (code !== 0) throw new Error(`${program} ended with ${code}`)
  }
  await run()
  return {
    async once() {
      const before = cpuSecondsOfEnded()
      const began = performance.now()
      for (let at = 0; at < RUNS; at++) await run()
      const wall = (performance.now() - began) / RUNS
      const used = cpuSecondsOfEnded()
      return {
        wall,
        ...(before !== undefined && used !== undefined && { cpu: ((used - before) * 1000) / RUNS })
      }
    },
    close: async () => rmSync(home, { recursive: true, force: true })
  }
}
