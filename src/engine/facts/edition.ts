import { CallProblem } from '../../results/problem.ts'
import { ForgeError, ForgeStatusError } from '../../upstream/errors.ts'
import type { Arguments } from '../arguments/values.ts'
import type { ToolContext } from '../context.ts'
import { knownMetadata, metadataOf } from './metadata.ts'

/** The paid editions that some routes need; each includes the one before it. */
type Edition = 'Premium' | 'Ultimate'

/** The edition that a tool needs, always or only with an argument. */
export type EditionNeed = Edition | { readonly edition: Edition; readonly with: string }

type Asks = Pick<ToolContext, 'forge' | 'known' | 'lookups'>

/** Explains and avoids failures that are caused by a forge's edition. */
interface EditionStep {
  /** @throws CallProblem if the forge has reported in the last ten minutes that it is the free edition */
  refuse(args: Arguments, context: Asks): void
  /** The error for the caller, given the forge's error, which may be caused by its edition. */
  explain(error: unknown, args: Arguments, context: Asks): Promise<unknown>
}

/**
 * Prepares the messages about the edition that a tool needs. A forge answers 403 or 404 for something that its edition
 * lacks, but also for many other reasons. Only /metadata says for certain that it is the free edition.
 * @returns undefined for a tool that works with every forge
 */
export function editionStep({
  name,
  edition: need
}: {
  readonly name: string
  readonly edition?: EditionNeed
}): EditionStep | undefined {
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
      if ((await context.lookups.within(() => metadataOf(context)))?.enterprise === false)
        return new CallProblem(itIsFree)
      error.reason = error.reason === undefined ? maybe : `${error.reason} ${maybe}`
      return error
    }
  }
}

/** Whether the forge's answer may mean that its edition lacks the requested thing. */
function mayLack(error: unknown): error is ForgeStatusError | ForgeError {
  if (error instanceof ForgeStatusError) return error.status === 403 || error.status === 404
  return (
    error instanceof ForgeError && error.fault === 'graphql' && /doesn't exist on type/.test(error.message)
  )
}
