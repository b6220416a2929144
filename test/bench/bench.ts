import { type Program, start } from './processes.ts'
import { FORGE } from './programs/index.ts'

/** How a run is made. */
export interface Run {
  readonly node: string
  /** Of a program's turn, and of the time that it has before to be compiled. */
  readonly seconds: number
  readonly warmUpSeconds: number
  /** Folder for CPU profiles, a folder each. */
  readonly profile: string | undefined
  /** Where the programs run that are measured, and where what loads them does. */
  readonly core: { readonly measured: number; readonly rest: number }
}

/** A run and what its scenarios share: forges, one for each delay. */
export class Bench {
  readonly run: Run
  readonly #forges = new Map<number, Promise<Program>>()

  constructor(run: Run) {
    this.run = run
  }

  /** @param delay milliseconds @returns its origin */
  async forge(delay = 0): Promise<string> {
    let forge = this.#forges.get(delay)
    if (forge === undefined) {
      forge = start([process.execPath, FORGE, String(delay)], { core: this.run.core.rest })
      this.#forges.set(delay, forge)
    }
    return (await forge).url
  }

  async close(): Promise<void> {
    for (const forge of this.#forges.values()) await (await forge).stop()
  }
}
