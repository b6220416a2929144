import { isRecord } from '../../results/is-record.ts'
import { ArgumentError } from '../../results/problem.ts'
import { quotedName } from '../../results/visible.ts'
import { type ArgumentSchema, argumentsOf } from '../arguments/argument-flags.ts'
import { changes } from '../arguments/emptied.ts'
import type { Arguments } from '../arguments/values.ts'
import { withoutAnySign } from '../requests/signs.ts'
import { parseTemplates } from '../requests/template.ts'
import type { ToolRow } from '../rows/row.ts'
import { toolsOfNote } from './notes.ts'
import type { WebUrlPart } from './parts.ts'
import { isNameOfThing } from './segments.ts'
import type { WebUrl } from './web-url.ts'

/* The address of a part of a thing, given to a tool that would act on the whole thing. */

/** Arguments that only the thing itself has, not its comments or lines. */
const ofThing = /^(?:title|name)$/

/** Whether an argument replaces a text of the thing. */
const isText = (name: string, { quickActions }: ArgumentSchema): boolean =>
  quickActions !== undefined || name === 'files' || ofThing.test(name)

/** The arguments with which a tool replaces a text of its thing, whole or in part. */
function textsOf(row: ToolRow): readonly (readonly [name: string, schema: ArgumentSchema])[] {
  const fields = Object.entries(argumentsOf(row.input))
  if (!changes(row) && !fields.some(([, { quotesStored }]) => quotesStored)) return []
  return fields.filter(([name, schema]) => isText(name, schema))
}

/** The ids by which a tool identifies its thing: the required ones, and those in the paths of its requests. */
function idsOf(row: ToolRow): readonly string[] {
  const inPaths =
    row.kind === 'rest'
      ? [row.request]
          .flat()
          .flatMap(parseTemplates)
          .flatMap(({ names }) => names)
      : []
  return [...new Set([...(row.input.required ?? []), ...inPaths])].filter(isNameOfThing)
}

/**
 * Prepares the refusal of addresses that name a part of a thing, for a tool that deletes or merges the whole thing, or
 * replaces a text of it. A tool that changes only something else of the thing, such as its labels, takes any address
 * of it.
 * @returns undefined for other tools; otherwise a function (given, address, fields, args) that throws ArgumentError.
 *   `given` is the argument with the address; `fields` are the fields of the address that the tool has arguments for,
 *   by name (for a tool of several things, the arguments of the tool that it calls for each)
 */
export function wholeWebUrlStep(
  row: ToolRow
):
  | ((given: string, address: WebUrl, fields: ReadonlyMap<string, unknown>, args: Arguments) => void)
  | undefined {
  const of = row.kind === 'several' ? row.of : row
  const destroys = row.class === 'destructive'
  const deletes = destroys && row.name.startsWith('delete_')
  const texts = destroys ? [] : textsOf(of)
  if (!destroys && texts.length === 0) return undefined
  const ids = idsOf(of)
  const takesNote = Object.hasOwn(of.input.properties, 'note_id')
  const replaces = (args: Arguments, as: WebUrlPart['as']) =>
    texts.some(([name, { neverEmpty, quotesStored }]) => {
      const value = args[name] ?? null
      const isLeftOut = value === null || (value === '' && neverEmpty === true)
      // A patch itself quotes the passage that it changes.
      const isOfOther =
        as !== undefined && (ofThing.test(name) || (as === 'passage' && quotesStored === true))
      return !isLeftOut && !isOfOther
    })
  const acts = (args: Arguments, fields: ReadonlyMap<string, unknown>, { part, kind }: WebUrl): boolean => {
    const as = part?.as
    // A section is most of what a wiki page consists of, but the least of an issue.
    if (destroys) return as === undefined || (deletes && (as === 'text' || kind === 'wiki_page'))
    if (row.kind !== 'several') return replaces(args, as)
    const items = [args[row.argument]].flat().filter(isRecord)
    const own = String(fields.get(row.by))
    return items.some(item => withoutAnySign(String(item[row.by])) === own && replaces(item, as))
  }
  return (given, address, fields, args) => {
    if (!acts(args, fields, address)) return
    // If the tool needs another number besides that of the address, it acts on a part of that thing.
    const isWhole = [...fields.keys()].some(isNameOfThing) && ids.every(name => fields.has(name))
    if (isWhole && !(takesNote && address.fields.note_id !== undefined)) refusePart(given, address, deletes)
  }
}

/**
 * Refuses the address of a part for a call that acts on the whole thing.
 * @param deletes whether the tool does more than change a text
 * @throws ArgumentError
 */
export function refusePart(given: string, address: WebUrl, deletes: boolean): void {
  const { part, kind, fields } = address
  if (part === undefined) return
  const { change, remove } = fields.note_id === undefined ? {} : toolsOfNote(address)
  const hints = [
    ...(deletes && remove !== undefined ? [`${remove} deletes it; `] : []),
    ...(change === undefined ? [] : [`${change} changes it; `])
  ].join('')
  const thing = kind === 'artifact' ? 'job' : kind.replaceAll('_', ' ')
  const written = /^#note_\d+$/.test(part.written) ? part.written : quotedName(part.written)
  throw new ArgumentError(
    given,
    `is the address of ${part.noun}: ${hints}for the ${thing} itself leave out ${written}`
  )
}
