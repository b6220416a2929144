import { CallProblem, FailedOutcome, NotConfirmed, PolicyProblem } from '../../results/problem.ts'
import { type UnseenBudget, unseenRemark } from '../../results/unseen-in-names.ts'
import { ForgeStatusError } from '../../upstream/errors.ts'
import type { ArgumentSchema } from '../arguments/argument-flags.ts'
import { type NamedText, textsIn } from '../arguments/texts-in.ts'
import type { Arguments } from '../arguments/values.ts'

/* Names with invisible characters. A thing may really have such a name, so the forge is asked for it as given. */

/** Whether a text names something or is searched for: it is no prose, file or secret. */
const isName = ({ quickActions, ofFile, ofCommit, writeOnly, secretUrl, isProse }: ArgumentSchema): boolean =>
  quickActions === undefined && !ofFile && !ofCommit && !writeOnly && !secretUrl && !isProse

/** For these statuses, the remark is only added after another one: alone it would replace more helpful text. */
const otherStatuses = new Set([400, 422])
/** Problems that are never caused by a name. */
const otherProblems = [PolicyProblem, FailedOutcome, NotConfirmed]
/**
 * Arguments that are words for people. For something that is created, such titles were refused before
 * (arguments/coercion.ts).
 */
const words = /(?:^|\.)(?:title|summary)$/
/** Most names that are examined for a remark, including those that the refusal mentions already. */
const MAX_NAMES = 3

/**
 * Prepares the remark on names with invisible characters in a refused call: they may be the reason why nothing was
 * found.
 * @returns a step that adds it to the refusal; undefined for a tool without names
 */
export function unseenStep(
  input: ArgumentSchema
): ((error: unknown, args: Arguments, budget: UnseenBudget) => void) | undefined {
  const names = textsIn(input, isName)
  if (names === undefined) return undefined
  return (error, args, budget) => {
    const told = toldBy(error)
    if (told === undefined) return
    const said = firstOf(names(args), budget).flatMap(([place, name]) => {
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
function firstOf(names: readonly NamedText[], budget: UnseenBudget): readonly NamedText[] {
  const first: NamedText[] = []
  for (const one of names) {
    if (first.length === MAX_NAMES) break
    if (!words.test(one[0]) && budget.findsIn(one[1])) first.push(one)
  }
  return first
}

/** The text so far of a refusal that a name may have caused; undefined for any other error. */
function toldBy(error: unknown): string | undefined {
  if (error instanceof ForgeStatusError) return mayTell(error) ? (error.reason ?? '') : undefined
  return error instanceof CallProblem && !otherProblems.some(of => error instanceof of)
    ? error.message
    : undefined
}

const mayTell = ({ status, reason }: ForgeStatusError): boolean =>
  status === 404 || (otherStatuses.has(status) && reason !== undefined)
