import type { ToolRow } from '../catalog/row.ts'
import { CallProblem } from '../results/problem.ts'
import { ForgeError, ForgeStatusError } from '../upstream/errors.ts'
import type { Arguments } from './checks.ts'
import type { ToolContext } from './context.ts'
import { knownMetadata, metadataOf } from './metadata.ts'

/** What a forge has to be for some of its routes; each has what the one before it has. */
export type Edition = 'Premium' | 'Ultimate'

/** The edition that a tool needs, or needs only where an argument is given. */
export type EditionNeed = Edition | { readonly edition: Edition; readonly with: string }

type Asks = Pick<ToolContext, 'forge' | 'known' | 'looks'>

/** What is said and left out for the sake of a forge's edition. */
export interface EditionStep {
  /** @throws CallProblem where the forge has said in the last ten minutes that it is the free edition */
  refuse(args: Arguments, context: Asks): void
  /** The error to tell a caller for one of the forge's, which may be a matter of the edition. */
  explain(error: unknown, args: Arguments, context: Asks): Promise<unknown>
}

/**
 * Prepares what a tool says of the edition it needs. A forge answers 403 or 404 for what its edition does not have, as
 * it does for much else; that it is the free edition it says at /metadata, and then it is certain.
 * @returns undefined for a tool that every forge has
 */
export function editionStep({
  name,
  edition: need
}: Pick<ToolRow, 'name' | 'edition'>): EditionStep | undefined {
  if (need === undefined) return undefined
  const { edition, with: only } = typeof need === 'string' ? { edition: need, with: undefined } : need
  const isNeeded = (args: Arguments) => only === undefined || args[only] !== undefined
  const wanted = `${name}${only === undefined ? '' : ` with ${only}`} needs the ${edition} edition of the forge`
  const itIsFree = `${wanted}, and this forge is the free edition.`
  const maybe = `${wanted}: that may be why.`
  return {
    refuse(args, context) {
      if (isNeeded(args) && knownMetadata(context)?.enterprise === false)
        throw new CallProblem(`${itIsFree} Nothing was sent: do without this tool.`)
    },
    async explain(error, args, context) {
      if (!isNeeded(args) || !mayLack(error)) return error
      if ((await context.looks.within(() => metadataOf(context)))?.enterprise === false)
        return new CallProblem(itIsFree)
      error.reason = error.reason === undefined ? maybe : `${error.reason} ${maybe}`
      return error
    }
  }
}

/** Whether the forge's answer may mean that its edition does not have what was asked for. */
function mayLack(error: unknown): error is ForgeStatusError | ForgeError {
  if (error instanceof ForgeStatusError) return error.status === 403 || error.status === 404
  return (
    error instanceof ForgeError && error.fault === 'graphql' && /doesn't exist on type/.test(error.message)
  )
}
