import type { ToolRow } from '../rows/row.ts'
import { argumentsOf } from './argument-flags.ts'

/**
 * Prepares the remark of a change on lists and milestones that were given as an empty text. Such a text counts as not
 * given, because models fill in arguments they mean to omit, although the forge's own API would clear the field.
 * @returns undefined for a tool that changes no such field; otherwise a function of the places of what was given and
 *   counts as absent (arguments.ts)
 */
export function emptiedStep(row: ToolRow): ((places: readonly string[]) => readonly string[]) | undefined {
  const [of, within] = row.kind === 'several' ? [row.of, row.argument] : [row, undefined]
  if (!changes(of)) return undefined
  const properties = new Map(Object.entries(argumentsOf(of.input)))
  const noneOf = (name: string): string | undefined => {
    const { type, milestone } = properties.get(name) ?? {}
    if (/^(?:add|remove)_/.test(name)) return undefined
    return type === 'array' ? '[]' : milestone ? '0' : undefined
  }
  return places =>
    places.flatMap(place => {
      const [name = '', ...parts] = place.split('.').reverse()
      const isOfThing = within === undefined ? parts.length === 0 : parts.length === 2 && parts[1] === within
      const none = isOfThing ? noneOf(name) : undefined
      const thing = place.slice(0, -name.length - 1)
      return none === undefined
        ? []
        : [
            `${thing && `${thing}: `}${name} is as it was: empty text counts as not given, ${none} is for none.`
          ]
    })
}

const changes = (row: ToolRow): boolean =>
  (row.kind === 'rest' && [row.request].flat().some(request => request.startsWith('PUT '))) ||
  (row.kind === 'graphql' && row.class === 'write' && row.idempotent === true)
