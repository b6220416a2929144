import { advance, startPipeline } from '../model/pipelines.ts'
import type { ForgeState } from '../state.ts'
import type { Job, Project } from '../types.ts'
import { person } from './people.ts'
import { LONG_PLANS, mainPlans } from './plans.ts'

const HOUR = 3_600_000

/**
 * The pipelines of main: an old one deployed to production, a newer one deployed to staging whose production job waits,
 * and one that is running now. It returns the running job.
 */
export const addMainPipelines = (
  state: ForgeState,
  rocket: Project,
  website: Project,
  shas: { first: string; second: string }
): Job => {
  const [margaret, ada] = [person(state, 'margaret'), person(state, 'ada')]
  const plans = mainPlans(website)
  const base = { ref: 'main', source: 'push', plans }
  const oldAt = state.now() - 900 * HOUR
  const old = startPipeline(state, rocket, { ...base, sha: shas.first, user: margaret, at: oldAt })
  const production = old.jobs.find(job => job.plan.name === 'deploy-production')!
  production.playedAt = oldAt + HOUR
  production.status = 'created'
  advance(state, old)
  startPipeline(state, rocket, { ...base, sha: shas.second, user: ada, at: state.now() - 119 * HOUR })
  const running = startPipeline(state, rocket, {
    ...base,
    sha: shas.second,
    user: ada,
    source: 'web',
    plans: LONG_PLANS,
    at: state.now() - 20_000
  })
  return running.jobs.find(job => job.status === 'running')!
}
