import { isRecord } from '../../results/is-record.ts'
import { ArgumentError } from '../../results/problem.ts'
import { quotedName } from '../../results/visible.ts'
import { type ArgumentSchema, argumentsOf } from '../arguments/argument-flags.ts'
import { changes } from '../arguments/emptied.ts'
import { withoutAnySign } from '../requests/signs.ts'
import { parseTemplates } from '../requests/template.ts'
import type { ToolRow } from '../rows/row.ts'
import { toolsOfNote } from './notes.ts'
import type { AddressPart } from './parts.ts'
import { isNameOfThing } from './segments.ts'
import type { WebUrl } from './web-url.ts'

/* An address of a part of a thing, given to a tool that would do to the whole thing what is meant for the part. */

type Args = Readonly<Record<string, unknown>>

/** Names of a thing, which a comment or a line of it has not. */
const ofThing = /^(?:title|name)$/

/** Whether a change of an argument replaces a text. */
const isText = (name: string, { quickActions }: ArgumentSchema): boolean =>
  quickActions !== undefined || name === 'files' || ofThing.test(name)

/** The texts of its thing that a tool replaces, whole or in part. */
function textsOf(row: ToolRow): readonly (readonly [name: string, schema: ArgumentSchema])[] {
  const fields = Object.entries(argumentsOf(row.input))
  if (!changes(row) && !fields.some(([, { quotesStored }]) => quotesStored)) return []
  return fields.filter(([name, schema]) => isText(name, schema))
}

/** The ids by which a tool names its thing: those that it needs, and those of any of its requests. */
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
 * Prepares the refusal of addresses that name a part of a thing, for a tool that deletes or merges the whole of it, or
 * replaces a text of it. What changes only something else of it, such as its labels, takes any address of the thing.
 * @returns undefined for other tools; otherwise a function of the argument with the address, of it, of its fields that the
 *   tool (or the one that it calls for each of several things) has arguments for, by their names, and of all arguments. It
 *   throws ArgumentError
 */
export function wholeUrlStep(
  row: ToolRow
): ((given: string, address: WebUrl, fields: ReadonlyMap<string, unknown>, args: Args) => void) | undefined {
  const of = row.kind === 'several' ? row.of : row
  const destroys = row.class === 'destructive'
  const deletes = destroys && row.name.startsWith('delete_')
  const texts = destroys ? [] : textsOf(of)
  if (!destroys && texts.length === 0) return undefined
  const ids = idsOf(of)
  const takesNote = Object.hasOwn(of.input.properties, 'note_id')
  const replaces = (args: Args, as: AddressPart['as']) =>
    texts.some(([name, { neverEmpty, quotesStored }]) => {
      const value = args[name] ?? null
      const isLeftOut = value === null || (value === '' && neverEmpty === true)
      // A patch says itself which passage it is of.
      const isOfOther =
        as !== undefined && (ofThing.test(name) || (as === 'passage' && quotesStored === true))
      return !isLeftOut && !isOfOther
    })
  const acts = (args: Args, fields: ReadonlyMap<string, unknown>, { part, kind }: WebUrl): boolean => {
    const as = part?.as
    // A section of a wiki page is most of what that is; of an issue it is the least.
    if (destroys) return as === undefined || (deletes && (as === 'text' || kind === 'wiki_page'))
    if (row.kind !== 'several') return replaces(args, as)
    const items = [args[row.argument]].flat().filter(isRecord)
    const own = String(fields.get(row.by))
    return items.some(item => withoutAnySign(String(item[row.by])) === own && replaces(item, as))
  }
  return (given, address, fields, args) => {
    if (!acts(args, fields, address)) return
    // What has a number of its own beside that of the address is a part of that thing.
    const isWhole = [...fields.keys()].some(isNameOfThing) && ids.every(name => fields.has(name))
    if (isWhole && !(takesNote && address.fields.note_id !== undefined)) refusePart(given, address, deletes)
  }
}

/**
 * Refuses the address of a part for what is done to the whole thing.
 * @param deletes whether that is more than to change a text of it
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
