import { type Forge, startForge } from '../forge/index.ts'
import { person } from '../forge/sample/people.ts'
import type { Project, User } from '../forge/types.ts'

/** When every run begins: what is printed is the same on each day. */
const BEGIN = Date.parse('2026-11-22T06:00:00Z')
/** How far the clock moves with each request, so that pipelines end while somebody waits for them. */
const STEP_MS = 2000

/** A sandbox forge with the sample group, whose time passes by requests. */
export async function startWorld(): Promise<Forge> {
  let passed = () => 0
  const forge = await startForge({ sample: true, now: () => BEGIN + STEP_MS * passed() })
  passed = () => forge.requests.length
  return forge
}

export const ROCKET = 'acme/rocket'

export const rocketOf = ({ state }: Forge): Project => state.projects.find(({ path }) => path === 'rocket')!

export const who = ({ state }: Forge, username: string): User => person(state, username)

/** The sample's files at the tip of a branch of acme/rocket. */
export const filesOf = (forge: Forge, branch = 'main') => {
  const rocket = rocketOf(forge)
  return rocket.commits.get(rocket.branches.get(branch)?.sha ?? '')?.files ?? {}
}

const HOUR = 3_600_000

/** A time before the run began. */
export const ago = (hours: number): string => new Date(BEGIN - hours * HOUR).toISOString()

export const replaced = (text: string | undefined, from: string, to: string): string => {
  if (!text?.includes(from)) throw new Error(`no ${JSON.stringify(from)} in ${JSON.stringify(text)}`)
  return text.replaceAll(from, to)
}
