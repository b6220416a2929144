import { ArgumentError } from '../../results/problem.ts'
import { isNamespace } from '../requests/template.ts'
import type { ToolRow } from '../rows/row.ts'
import { lineStep } from './commented-lines.ts'
import { contradictionStep } from './contradiction.ts'
import { noteStep } from './notes.ts'
import { type Offer, UNREAD } from './said.ts'
import type { WebUrl } from './web-url.ts'
import { wholeWebUrlStep } from './whole.ts'
import { withinStep } from './within.ts'

/* Every reason for which a tool refuses an address that could be read. */

/** The fields of an address that the tool has arguments for, among the arguments that `has` accepts. */
type FieldsFor = (has: (name: string) => boolean) => readonly (readonly [name: string, value: unknown])[]

/**
 * An address, the argument that holds it (`given`), and the argument that it is for (`name`; empty if there is none).
 */
interface Given {
  readonly name: string
  readonly given: string
  readonly address: WebUrl
}

/**
 * Prepares the refusal of addresses for a tool.
 * @returns a function (one, fieldsFor, args, asked) that returns remarks, or throws ArgumentError. `one` is an address
 *   with its place, `fieldsFor` gives the arguments that its fields are for, and `asked` knows which tools the caller
 *   may run
 */
export function refusalStep(
  row: ToolRow
): (
  one: Given,
  fieldsFor: FieldsFor,
  args: Readonly<Record<string, unknown>>,
  asked: Offer
) => readonly string[] {
  const refuseOther = contradictionStep(row)
  const refuseNote = noteStep(row)
  const refuseLine = lineStep(row)
  const refusePart = wholeWebUrlStep(row)
  const refuseWithin = withinStep(row)
  const { properties } = row.input
  const { properties: ofEach } = row.kind === 'several' ? row.of.input : row.input
  return ({ name, given, address }, fieldsFor, args, asked) => {
    if (address.unread === true && row.class !== 'read') throw new ArgumentError(given, UNREAD)
    refuseOther(
      given,
      address,
      fieldsFor(field => Object.hasOwn(properties, field)),
      args
    )
    refuseNote?.(given, address, args)
    const remark = refuseLine?.(given, address, args)
    const each = new Map(fieldsFor(field => Object.hasOwn(ofEach, field)))
    refusePart?.(given, address, each, args)
    if (name === '' || isNamespace(name)) refuseWithin?.(given, address, each, args, asked)
    return remark === undefined ? [] : [remark]
  }
}
