import { CallProblem, PolicyProblem } from '../../results/problem.ts'
import { hasUnseen } from '../../results/unseen-in-names.ts'
import { ForgeStatusError } from '../../upstream/errors.ts'
import type { ArgumentSchema } from '../arguments/argument-flags.ts'
import { textsIn } from '../arguments/texts-in.ts'
import type { Arguments } from '../arguments/values.ts'

/* Names with characters that nobody sees: what is there may be called so, and is asked for as it is given. */

/** Whether a text is no prose, file or secret: it names something, or words are looked for by it. */
const isName = ({ quickActions, ofFile, ofCommit, writeOnly, secretUrl, isProse }: ArgumentSchema): boolean =>
  quickActions === undefined && !ofFile && !ofCommit && !writeOnly && !secretUrl && !isProse

const statuses = new Set([400, 404, 422])
/** Most names that are told. */
const FEW = 3

/**
 * Prepares the remark on names with characters that nobody sees in a call that was refused: they may be why nothing was
 * found.
 * @returns a step that adds it to the refusal; undefined for a tool without names
 */
export function unseenStep(input: ArgumentSchema): ((error: unknown, args: Arguments) => void) | undefined {
  const names = textsIn(input, isName)
  if (names === undefined) return undefined
  return (error, args) => {
    const isStatus = error instanceof ForgeStatusError && statuses.has(error.status)
    if (!isStatus && (!(error instanceof CallProblem) || error instanceof PolicyProblem)) return
    const told = isStatus ? (error.reason ?? '') : error.message
    const said = names(args).flatMap(([place, name]) => {
      const unseen = hasUnseen(name)
      return unseen === undefined || told.includes(unseen) ? [] : [`${place} ${unseen}.`]
    })
    if (said.length === 0) return
    const all = [told, ...said.slice(0, FEW)].filter(part => part !== '').join(' ')
    if (isStatus) error.reason = all
    else error.message = all
  }
}
