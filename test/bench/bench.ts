import { type Program, REST_CORE, start } from './processes.ts'
import { FORGE } from './programs/index.ts'

/** How a run is made. */
interface Run {
  readonly node: string
  /** Of a program's turn, and of the time that it has before to be compiled. */
  readonly seconds: number
  readonly warmUpSeconds: number
  /** Of this server, besides what a program sets. */
  readonly variables: Readonly<Record<string, string>>
  /** Folder for CPU profiles, a folder each. */
  readonly profile: string | undefined
  /** Whether what is loaded has a core of its own. */
  readonly ownCore: boolean
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
      forge = start([process.execPath, FORGE, String(delay)], { core: REST_CORE })
      this.#forges.set(delay, forge)
    }
    return (await forge).url
  }

  async close(): Promise<void> {
    for (const forge of this.#forges.values()) await (await forge).stop()
  }
}
