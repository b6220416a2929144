import { Type } from 'typebox'
import { ArgumentError } from '../../results/problem.ts'
import { quotedName } from '../../results/visible.ts'
import { argumentsOf } from '../arguments/argument-flags.ts'
import type { Arguments, OwnArguments } from '../arguments/values.ts'
import { isUrl } from '../names/flagged.ts'
import type { ToolRow } from '../rows/row.ts'
import { withoutLines } from '../suggestions/path-lines.ts'
import { thingsStep, type WebUrlContext, type WebUrlRemarks } from './things.ts'

/**
 * Prepares the reading of addresses in a list each of whose items is a value that another tool takes alone (`each` in
 * the schema). Each item is read, beside the other arguments, as that tool would read it. Files are taken as a whole;
 * lines that follow a path are ignored.
 * @returns undefined for a tool without such a list; otherwise a step (args, asked, told) that replaces the addresses
 *   with paths or the like, and sets `ref` to that of the addresses if none is given. It throws CallProblem for an
 *   address of something unexpected, and for two addresses of different refs, as the tool reads at one ref
 */
export function eachWebUrl(
  row: ToolRow
): ((args: OwnArguments, asked: WebUrlContext, told: WebUrlRemarks) => void) | undefined {
  const [list, { each = '' } = {}] =
    Object.entries(argumentsOf(row.input)).find(([, { each }]) => each !== undefined) ?? []
  if (list === undefined) return undefined
  const { [list]: _, ...others } = row.input.properties
  const input = Type.Object({ ...others, [each]: Type.String() })
  const read = thingsStep({ ...row, input })
  const readOne = (one: Arguments, asked: WebUrlContext, told: WebUrlRemarks) => {
    const { guess: before } = told
    delete told.guess
    const found = read(one, asked, told) as Arguments
    const orLonger = told.guess === undefined ? '' : ' or a longer name that begins so'
    if (before !== undefined) told.guess ??= before
    return { found, orLonger }
  }
  return (args, asked, told) => {
    const { [list]: items, ref: given, ...shared } = args
    let ref = given
    let hadLines = false
    args[list] = (items as readonly string[]).map((written, at) => {
      const item = each === 'path' ? withoutLines(written) : written
      hadLines ||= item !== written
      if (!isUrl(item)) return item
      const { found, orLonger } = readOne(
        { ...shared, ...(given !== undefined && { ref: given }), [each]: item },
        asked,
        told
      )
      if (found.ref !== undefined && ref !== undefined && found.ref !== ref)
        throw new ArgumentError(
          `${list}.${at}`,
          `is at ${quotedName(String(found.ref))}${orLonger}, and one before it at ${quotedName(String(ref))}: give those of one ref, or the ref that is meant`
        )
      ref ??= found.ref
      return found[each]
    })
    if (ref !== undefined) args.ref = ref
    if (hadLines)
      told.said.push(`The lines after a path in ${list} are not looked at: each file is taken as a whole.`)
  }
}
