import { isEmptyList } from '../../results/is-record.ts'
import { isNamespace } from '../requests/template.ts'
import type { ToolRow } from '../rows/row.ts'
import { argumentsOf } from './argument-flags.ts'
import { changes } from './emptied.ts'
import type { Arguments } from './values.ts'

/* What an empty text takes away in a change. */

/** Whether something else is to change than what an argument is of. @param selects what says which thing is changed */
export const isBesideOthers = (args: Arguments, name: string, selects: ReadonlySet<string>): boolean =>
  Object.keys(args).some(other => other !== name && args[other] !== undefined && !selects.has(other))

/** The arguments of a change that say which thing it is of. */
const selectorsOf = ({ input }: ToolRow): ReadonlySet<string> =>
  new Set([
    ...(input.required ?? []),
    ...Object.keys(input.properties).filter(name => isNamespace(name)),
    'confirm'
  ])

/** What is said of a secret that stays. */
export const secretStays = (name: string): string =>
  `${name} is as it was: an empty text counts as not given beside other changes; alone it takes it away.`

/**
 * Prepares what a change does with secrets that are given as an empty text beside something else: they count as not given,
 * because models fill in arguments they mean to omit, and no forge gives back what is lost so. Alone, that is what was
 * asked for. What is made where there is none may have an empty one: such a row knows itself what there is.
 * @returns undefined for a tool that changes no secret; else a function that takes them out of the arguments as read, and
 *   gives sentences
 */
export function keptSecretsStep(
  row: ToolRow
): ((args: Record<string, unknown>) => readonly string[]) | undefined {
  const makes = row.kind === 'rest' && row.orElse !== undefined
  if (!changes(row) || makes) return undefined
  const secrets = Object.entries(argumentsOf(row.input)).flatMap(([name, { writeOnly, ofSecret }]) =>
    writeOnly === true || ofSecret === true ? [name] : []
  )
  if (secrets.length === 0) return undefined
  const selects = selectorsOf(row)
  return args => {
    const empty = secrets.filter(name => args[name] === '')
    // Of two that are empty neither is beside a change.
    const all = new Set([...selects, ...empty])
    const kept = empty.filter(name => isBesideOthers(args, name, all))
    for (const name of kept) delete args[name]
    return kept.map(secretStays)
  }
}

/** Whether a value sets something: of a call that only takes away, that is what was asked for. */
const sets = (value: unknown): boolean =>
  value !== undefined && ![false, '', '0', 0].some(none => none === value) && !isEmptyList(value)

/**
 * Prepares the remark of a change on what was given as an empty text: a forge takes it away, and no result shows it, while
 * models fill in arguments they mean to omit. Of what a tool says is taken away so, nothing has to be said where the call
 * sets nothing else. Of several things, the call for each says it.
 * @returns undefined for a tool that changes no such text; else a function of the arguments as read, to sentences
 */
export function clearedStep(row: ToolRow): ((args: Arguments) => readonly string[]) | undefined {
  if (!changes(row)) return undefined
  const fields = Object.entries(argumentsOf(row.input))
  const texts = fields.filter(([, { quickActions }]) => quickActions !== undefined).map(([name]) => name)
  const orNone = fields.filter(([, { none }]) => none === '""').map(([name]) => name)
  if (texts.length === 0 && orNone.length === 0) return undefined
  const selects = selectorsOf(row)
  return args => {
    const setsOther = Object.keys(args).some(name => !selects.has(name) && sets(args[name]))
    return [...texts, ...(setsOther ? orNone : [])]
      .filter(name => args[name] === '')
      .map(name => `${name} was given as an empty text, which empties it: left out, it stays.`)
  }
}
