import { CallProblem, PolicyProblem } from '../../results/problem.ts'
import { unseenIn } from '../../results/unseen-in-names.ts'
import { ForgeStatusError } from '../../upstream/errors.ts'
import type { ArgumentSchema, Beside } from './argument-flags.ts'
import { isBeside } from './meant.ts'
import { textsIn } from './texts-in.ts'
import type { Arguments } from './values.ts'

/*
 * Names with characters that nobody sees. What is made under one is shown without them and found by nobody, so that it is
 * refused; what is there may be called so, and is asked for as it is given.
 */

/** Says of a name which characters nobody sees. @returns undefined for one that is seen whole */
export function hasUnseen(name: string): string | undefined {
  const unseen = unseenIn(name)
  return unseen === undefined ? undefined : `has ${unseen}, which nobody sees`
}

/**
 * What is wrong with names that a call gives to what it makes.
 * @param made when it makes something, as the schema says @param value of the argument @param fields beside it
 */
export function unseenInMade(
  place: string,
  made: true | Beside,
  value: unknown,
  fields: Arguments
): readonly string[] {
  if (made !== true && !isBeside(made, fields)) return []
  const names = Array.isArray(value) ? value : [value]
  return names.flatMap((name: unknown, at) => {
    const said = typeof name === 'string' ? hasUnseen(name) : undefined
    const where = Array.isArray(value) ? `${place}.${at}` : place
    return said === undefined ? [] : [`${where} ${said}: give the name without it`]
  })
}

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
