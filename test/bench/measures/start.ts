import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OWN_CORE, start as run } from '../processes.ts'
import { programOf } from '../programs/index.ts'
import { clientsOf } from './callers.ts'
import type { Measure } from './index.ts'

/** From nothing to the first answer: milliseconds, and those of a processor. */
export const start: Measure = async (bench, { sends = [], warmCache = false }, program) => {
  const row = programOf(program, await bench.forge())
  const home = mkdtempSync(join(tmpdir(), 'bench-'))
  const { node } = bench.run
  let starts = 0
  const once = async () => {
    const folder = warmCache ? home : join(home, String(starts++))
    const began = performance.now()
    const server = await run([node, row.file, ...row.args], {
      env: { ...row.env, HOME: folder, ...(warmCache && { NODE_COMPILE_CACHE: join(folder, 'cache') }) },
      core: OWN_CORE,
      stderr: row.forwarded ? 'ignore' : 'inherit'
    })
    await clientsOf(server.url, row, sends, { name: 'start', connections: 1 })
    const wall = performance.now() - began
    const used = server.cpuSeconds()
    await server.stop()
    return { wall, ...(used !== undefined && { cpu: used * 1000 }) }
  }
  // Fills the cache, which is written when the program ends; and reads its files once.
  await once()
  return { once, close: async () => rmSync(home, { recursive: true, force: true }) }
}
