import fp from 'fastify-plugin'
import type { PromptRow } from '../src/prompts/row.ts'
import { fixFailedPipeline } from './fix-failed-pipeline.ts'
import { onboardToProject } from './onboard-to-project.ts'
import { reviewMergeRequest } from './review-merge-request.ts'
import { triageIssues } from './triage-issues.ts'
import { whatsNext } from './whats-next.ts'
import { writeReleaseNotes } from './write-release-notes.ts'

/** All prompts, in the order in which they are listed. */
export const prompts: readonly PromptRow[] = [
  whatsNext,
  reviewMergeRequest,
  fixFailedPipeline,
  triageIssues,
  writeReleaseNotes,
  onboardToProject
]

/** Adds the prompts to the registry; not registered if FORGE_PROMPTS is off. */
export default fp(
  async fastify => {
    for (const row of prompts) fastify.prompts?.add(row)
  },
  { fastify: '5.x', name: 'prompts', dependencies: ['features/prompt-registry'] }
)
