import type { Bench } from '../bench.ts'
import type { ProgramName } from '../programs/index.ts'
import type { Figures, Scenario } from '../scenario.ts'
import { exit } from './exit.ts'
import { load } from './load.ts'
import { memory } from './memory.ts'
import { neighbour } from './neighbour.ts'
import { start } from './start.ts'

/** A program that takes its turns. */
export interface Subject {
  /** One turn. @throws Error where an answer was wrong */
  once(): Promise<Figures>
  close(): Promise<void>
}

/** Makes a program ready for a scenario. */
export type Measure = (bench: Bench, scenario: Scenario, program: ProgramName) => Promise<Subject>

export const measures: Readonly<Record<Scenario['measure'], Measure>> = {
  load,
  neighbour,
  start,
  exit,
  memory
}
