import type { Agent, Spent } from './agent.ts'
import type { Job } from './job.ts'
import { startWorld } from './world.ts'

/** What a job cost, its listing included. */
export interface Figures {
  readonly calls: number
  readonly bytesIn: number
  readonly bytesOut: number
  readonly listingBytes: number
  /** Of all that a model reads and writes: listing, calls and results. */
  readonly tokens: number
}

/** Four bytes a token is what tokenizers make of JSON with English in it, near enough to compare by. */
export const tokensOf = (bytes: number): number => Math.ceil(bytes / 4)

export interface Run extends Figures {
  readonly steps: Spent['steps']
  /** Bytes of what the job is about, where it says so. */
  readonly matterBytes: number | undefined
}

/**
 * Does a job once in a world of its own.
 * @param connect makes the agent, given the forge's API and a token @param script the calls
 * @param partly where not all of it can be done
 * @throws Error where a call fails, where the forge's contract is broken, and where the work is not done at the end
 */
export async function play(
  job: Job,
  connect: (apiUrl: string, token: string) => Promise<Agent>,
  script: (agent: Agent) => Promise<void>,
  partly = false
): Promise<Run> {
  const forge = await startWorld()
  job.prepare(forge)
  const undone = job.missing(forge)
  const matterBytes = job.matter && Buffer.byteLength(JSON.stringify(job.matter.texts(forge)))
  if (undone.length === 0) throw new Error(`${job.id}: it is done before anybody did it`)
  const agent = await connect(forge.apiUrl, forge.tokens[job.as]!)
  try {
    await script(agent)
    const left = job.missing(forge)
    if (left.length > 0 && !partly) throw new Error(`it is not done: not so: ${left.join('; ')}`)
    if (left.length === undone.length) throw new Error('nothing is done')
    const { calls, bytesIn, bytesOut, steps } = agent.spent
    const { listingBytes } = agent
    const tokens = tokensOf(bytesIn + bytesOut + listingBytes)
    return { calls, bytesIn, bytesOut, listingBytes, tokens, steps, matterBytes }
  } catch (error) {
    throw new Error(`${job.id}: ${(error as Error).message}`, { cause: error })
  } finally {
    await agent.close()
    await forge.close()
  }
}
