import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { OWN_CORE, REST_CORE, start } from '../processes.ts'
import { type ProgramName, type ProgramRow, programOf } from '../programs/index.ts'
import { behindProxy } from './proxy.ts'

/** A program that answers, behind a proxy where there is more than one of it. */
interface Served {
  readonly url: string
  readonly row: ProgramRow
  /** CPU seconds of all of it. */
  cpuSeconds(): number | undefined
  stop(): Promise<void>
}

interface ServeOptions {
  /** Of the forge, in milliseconds. */
  readonly delay?: number
  /** Of its profile. */
  readonly folder: string
  /** Whether the forge and the load leave it a core. */
  readonly ownCore: boolean
}

/** Starts a program before a forge. */
export async function serve(
  bench: Bench,
  name: ProgramName,
  { delay = 0, folder, ownCore }: ServeOptions
): Promise<Served> {
  const row = programOf(name, await bench.forge(delay))
  const { run } = bench
  const profile =
    run.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${join(run.profile, folder, name)}`]
  const words = [run.node, ...profile, row.file, ...row.args]
  // Replicas have the whole machine, as they would have.
  const core = row.replicas === undefined ? (ownCore ? OWN_CORE : REST_CORE) : undefined
  const stderr = row.forwarded ? 'ignore' : 'inherit'
  const programs = await Promise.all(
    Array.from({ length: row.replicas ?? 1 }, () =>
      start(words, { env: { ...row.env, ...run.variables }, core, stderr })
    )
  )
  const proxy = row.replicas === undefined ? undefined : await behindProxy(programs.map(({ url }) => url))
  const used = () => programs.map(program => program.cpuSeconds())
  return {
    url: proxy?.url ?? programs[0]!.url,
    row,
    cpuSeconds: () =>
      used().reduce((sum, one) => (sum === undefined || one === undefined ? undefined : sum + one), 0),
    async stop() {
      await proxy?.stop()
      await Promise.all(programs.map(program => program.stop()))
    }
  }
}
