import { isEmptyList, recordsIn } from '../../results/is-record.ts'
import { isNamespace } from '../requests/template.ts'
import type { ToolRow } from '../rows/row.ts'
import { argumentsOf } from './argument-flags.ts'
import { changes } from './emptied.ts'
import type { Arguments } from './values.ts'

/* Texts that a change clears because they are given as empty. */

/** Whether the call also changes something else. @param selects the arguments that say which thing is changed */
export const isBesideOthers = (args: Arguments, name: string, selects: ReadonlySet<string>): boolean =>
  Object.keys(args).some(other => other !== name && args[other] !== undefined && !selects.has(other))

/** The arguments that say which thing a change applies to. */
const selectorsOf = ({ input }: ToolRow): ReadonlySet<string> =>
  new Set([
    ...(input.required ?? []),
    ...Object.keys(input.properties).filter(name => isNamespace(name)),
    'confirm'
  ])

/** The secrets that a change takes away if they are empty; none of a tool that may create the thing with one. */
const secretsOf = (row: ToolRow): readonly string[] =>
  row.kind === 'rest' && row.orElse !== undefined
    ? []
    : Object.entries(argumentsOf(row.input)).flatMap(([name, { writeOnly, ofSecret }]) =>
        writeOnly === true || ofSecret === true ? [name] : []
      )

/** The remark on a secret that was kept. */
export const secretStays = (name: string): string =>
  `${name} is as it was: an empty text counts as not given beside other changes; alone it takes it away.`

/**
 * Prepares the handling of secrets that a change gets as an empty text beside other changes. They count as absent,
 * because models fill in arguments they mean to omit, and no forge returns a lost secret. If an empty secret is the
 * only change, it is applied. A tool that creates the thing if there is none may give it an empty secret: such a row
 * itself knows what there is.
 * @returns undefined for a tool that changes no secret; otherwise a function (args) that removes such secrets from the
 *   arguments as read, and returns sentences about them
 */
export function keptSecretsStep(
  row: ToolRow
): ((args: Record<string, unknown>) => readonly string[]) | undefined {
  const secrets = secretsOf(row)
  if (!changes(row) || secrets.length === 0) return undefined
  const selects = selectorsOf(row)
  return args => {
    const empty = secrets.filter(name => args[name] === '')
    // Two empty secrets do not count as changes beside each other.
    const all = new Set([...selects, ...empty])
    const kept = empty.filter(name => isBesideOthers(args, name, all))
    for (const name of kept) delete args[name]
    return kept.map(secretStays)
  }
}

/** The arguments of a tool that a change clears if they are given as an empty text. */
function clearableOf({ input }: ToolRow): {
  readonly texts: readonly string[]
  readonly orNone: readonly string[]
} {
  const fields = Object.entries(argumentsOf(input))
  return {
    texts: fields.filter(([, { quickActions }]) => quickActions !== undefined).map(([name]) => name),
    orNone: fields.filter(([, { none }]) => none === '""').map(([name]) => name)
  }
}

/**
 * Prepares the handling of empty texts that would clear a field, in a change in which another one counts as absent:
 * that one shows that the call fills in what it means to omit, so these count as absent, too. Of several things each is
 * a change by itself. An empty list is for none, as documented.
 * @returns undefined for a tool that clears nothing so; otherwise a function (args, emptied) that removes such texts from
 *   the arguments as read, and returns a sentence about those of each thing. `emptied` are the places of those that
 *   count as absent
 */
export function fillersStep(
  row: ToolRow
): ((args: Record<string, unknown>, emptied: readonly string[]) => readonly string[]) | undefined {
  const [of, within] = row.kind === 'several' ? [row.of, row.argument] : [row, undefined]
  if (!changes(of)) return undefined
  const selects = selectorsOf(of)
  const { texts, orNone } = clearableOf(of)
  const clears = [...texts, ...orNone, ...secretsOf(of)].filter(name => !selects.has(name))
  if (clears.length === 0) return undefined
  const others = Object.keys(of.input.properties).filter(name => !selects.has(name))
  return (args, emptied) => {
    if (emptied.length === 0) return []
    const places = new Set(emptied)
    const things: readonly Record<string, unknown>[] = within === undefined ? [args] : recordsIn(args[within])
    return things.flatMap((thing, at) => {
      const [place, label] = within === undefined ? ['', ''] : [`${within}.${at}.`, `${within}.${at}: `]
      if (!others.some(name => places.has(place + name))) return []
      const left = clears.filter(name => thing[name] === '')
      for (const name of left) delete thing[name]
      return left.length === 0 ? [] : [label + fillersStay(left)]
    })
  }
}

function fillersStay(names: readonly string[]): string {
  const [counts, them] = names.length === 1 ? ['counts', 'it'] : ['count', 'them']
  return `${names.join(' and ')} ${counts} as not given: other arguments were empty as well. Leave those out to empty ${them}.`
}

/** Whether a value sets something. A call that only clears fields does what it was asked for. */
const sets = (value: unknown): boolean =>
  value !== undefined && ![false, '', '0', 0].some(none => none === value) && !isEmptyList(value)

/**
 * Prepares a remark on texts that a change got as empty: the forge clears them, which no result shows, while models
 * fill in arguments they mean to omit. Where a tool's description names the empty text as the way to clear a field, the
 * remark is left out if the call sets nothing else. For a tool of several things, the call for each adds the remark.
 * @returns undefined for a tool that changes no such text; otherwise a function from the arguments as read to sentences
 */
export function clearedStep(row: ToolRow): ((args: Arguments) => readonly string[]) | undefined {
  if (!changes(row)) return undefined
  const { texts, orNone } = clearableOf(row)
  if (texts.length === 0 && orNone.length === 0) return undefined
  const selects = selectorsOf(row)
  return args => {
    const setsOther = Object.keys(args).some(name => !selects.has(name) && sets(args[name]))
    return [...texts, ...(setsOther ? orNone : [])]
      .filter(name => args[name] === '')
      .map(name => `${name} was given as an empty text, which empties it: left out, it stays.`)
  }
}
