import type { ToolContext } from '../../src/engine/context.ts'
import { fullPathOf } from '../../src/engine/full-path.ts'
import { CallProblem } from '../../src/results/problem.ts'

/** The variables of a document about one group. */
export const ofGroup = async ({ group_id }: { group_id: string }, context: ToolContext) => ({
  fullPath: await fullPathOf({ group_id }, context)
})

/** The problem for a missing group. */
export const noGroup = (group_id: string): CallProblem =>
  new CallProblem(`There is no group ${JSON.stringify(group_id)}, or the token may not see it.`)
