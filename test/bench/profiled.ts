import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { areas, type Shares, sharesOf } from './areas.ts'
import { Bench } from './bench.ts'
import { measures } from './measures/index.ts'
import type { Scenario } from './scenario.ts'

/** CPU microseconds of one call, by area; nothing for an area that takes none. */
export type Parts = Readonly<Record<string, number>>

/**
 * Where the time of a scenario's calls goes: one more turn of a column under a CPU profile, on a core of its own, as a
 * profile does not tell what a program does from what others do meanwhile.
 */
export async function profiled({ run }: Bench, scenario: Scenario, column: string): Promise<Parts> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  const bench = new Bench({ ...run, ownCore: true, profile: folder })
  try {
    const program = scenario.programs[column]!
    const subject = await measures[scenario.measure](bench, scenario, program)
    const { cpu } = await subject.once()
    await subject.close()
    const within = join(folder, scenario.name, program)
    const [file = ''] = await readdir(within)
    const shares = sharesOf(JSON.parse(await readFile(join(within, file), 'utf8')), run.seconds)
    return cpu === undefined ? {} : partsOf(shares, cpu)
  } finally {
    await bench.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** @param cpu milliseconds of one call */
const partsOf = (shares: Shares, cpu: number): Parts =>
  Object.fromEntries(areas.flatMap(area => (area in shares ? [[area, shares[area]! * cpu * 1000]] : [])))
