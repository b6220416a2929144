import { type TProperties, Type } from 'typebox'
import type { Fields } from '../../json/records.ts'
import type { RecordName } from '../../results/records/index.ts'
import { toldElsewhere } from './fields.ts'
import type { SeveralRow, ToolRow } from './row.ts'

/** Most things in one call. */
const MAX_THINGS = 50

interface Parts extends SeveralRow {
  readonly name: string
  readonly title: string
  readonly summary: string
  readonly record: RecordName
}

/**
 * Makes a tool that does for several things in one call what another tool does for one. Class, schema and rules are
 * those of the other tool.
 */
export function several({ of, argument, by, shared, shown, ...said }: Parts): ToolRow {
  const all = of.input.properties as TProperties
  const once = Object.fromEntries(shared.map(name => [name, all[name]!]))
  const each = Object.fromEntries(Object.entries(all).filter(([name]) => !shared.includes(name)))
  const input = Type.Object({
    ...once,
    [argument]: toldElsewhere(
      of.name,
      `Each as in ${of.name}`,
      Type.Array(Type.Object(each, { lacking: `{ ${by}, and what is to change }` }), {
        minItems: 1,
        maxItems: MAX_THINGS
      })
    )
  })
  return {
    kind: 'several',
    class: of.class,
    does: [of.name, ...(of.does ?? [])],
    ...said,
    input,
    of,
    argument,
    by,
    shared,
    ...(shown && { shown })
  }
}

/** The things in an argument that the schema of `several` has validated. */
export const severalOf = (value: unknown): readonly Fields[] => value as readonly Fields[]
