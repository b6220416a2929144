import { CallProblem, FailedOutcome, NotConfirmed, PolicyProblem } from '../../results/problem.ts'
import { type UnseenLooks, unseenRemark } from '../../results/unseen-in-names.ts'
import { ForgeStatusError } from '../../upstream/errors.ts'
import type { ArgumentSchema } from '../arguments/argument-flags.ts'
import { type NamedText, textsIn } from '../arguments/texts-in.ts'
import type { Arguments } from '../arguments/values.ts'

/* Names with characters that nobody sees: what is there may be called so, and is asked for as it is given. */

/** Whether a text is no prose, file or secret: it names something, or words are looked for by it. */
const isName = ({ quickActions, ofFile, ofCommit, writeOnly, secretUrl, isProse }: ArgumentSchema): boolean =>
  quickActions === undefined && !ofFile && !ofCommit && !writeOnly && !secretUrl && !isProse

/** Of these the remark is only said behind another one: it would stand in the place of what else helps. */
const otherStatuses = new Set([400, 422])
/** Problems that a name is no reason of. */
const otherProblems = [PolicyProblem, FailedOutcome, NotConfirmed]
/**
 * Arguments that are words for people. Titles under which something is made were refused before
 * (arguments/coercion.ts).
 */
const words = /(?:^|\.)(?:title|summary)$/
/** Most names that are told, or would be if the refusal did not tell of them. */
const FEW = 3

/**
 * Prepares the remark on names with characters that nobody sees in a call that was refused: they may be why nothing was
 * found.
 * @returns a step that adds it to the refusal; undefined for a tool without names
 */
export function unseenStep(
  input: ArgumentSchema
): ((error: unknown, args: Arguments, looks: UnseenLooks) => void) | undefined {
  const names = textsIn(input, isName)
  if (names === undefined) return undefined
  return (error, args, looks) => {
    const told = toldBy(error)
    if (told === undefined) return
    const said = firstOf(names(args), looks).flatMap(([place, name]) => {
      const unseen = unseenRemark(name)
      return unseen === undefined || told.includes(unseen) ? [] : [`${place} ${unseen}.`]
    })
    if (said.length === 0) return
    const all = [told, ...said].filter(part => part !== '').join(' ')
    if (error instanceof ForgeStatusError) error.reason = all
    else (error as CallProblem).message = all
  }
}

/** The first few names that have such characters. */
function firstOf(names: readonly NamedText[], looks: UnseenLooks): readonly NamedText[] {
  const first: NamedText[] = []
  for (const one of names) {
    if (first.length === FEW) break
    if (!words.test(one[0]) && looks.findsIn(one[1])) first.push(one)
  }
  return first
}

/** What is said so far of a refusal that a name may be the reason of; undefined for any other error. */
function toldBy(error: unknown): string | undefined {
  if (error instanceof ForgeStatusError) return mayTell(error) ? (error.reason ?? '') : undefined
  return error instanceof CallProblem && !otherProblems.some(of => error instanceof of)
    ? error.message
    : undefined
}

const mayTell = ({ status, reason }: ForgeStatusError): boolean =>
  status === 404 || (otherStatuses.has(status) && reason !== undefined)
