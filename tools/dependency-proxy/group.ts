import type { ToolContext } from '../../src/engine/context.ts'
import { fullPathOf } from '../../src/engine/facts/full-path.ts'

/** The variables of a document about one group. */
export const ofGroup = async ({ group_id }: { group_id: string }, context: ToolContext) => ({
  fullPath: await fullPathOf({ group_id }, context)
})
