import { type ArgumentSchema, argumentsOf } from './argument-flags.ts'
import type { Arguments } from './values.ts'

/** A text of a call, with the name of its argument, or its place within one. */
export type NamedText = readonly [name: string, text: string]

/** Selects texts by their schema. */
type IsMeant = (schema: ArgumentSchema) => boolean

/** Adds the selected texts of a value to those found so far. @param place of the value */
type Search = (place: string, value: unknown, found: NamedText[]) => void

/** @returns undefined for a schema that neither is such a text nor contains one */
function searchOf(schema: ArgumentSchema, isMeant: IsMeant): Search | undefined {
  const isText = isMeant(schema)
  const ofItem = schema.items && searchOf(schema.items, isMeant)
  const ofParts = searchesOf(schema.properties ?? {}, isMeant)
  if (!isText && ofItem === undefined && ofParts.length === 0) return undefined
  const searchParts = (place: string, value: object, found: NamedText[]) => {
    for (const [name, search] of ofParts)
      search(`${place}.${name}`, (value as Record<string, unknown>)[name], found)
  }
  return (place, value, found) => {
    if (typeof value === 'string') {
      if (isText) found.push([place, value])
    } else if (Array.isArray(value)) {
      if (ofItem !== undefined) searchItems(ofItem, place, value, found)
    } else if (typeof value === 'object' && value !== null) searchParts(place, value, found)
  }
}

function searchItems(search: Search, place: string, items: readonly unknown[], found: NamedText[]): void {
  for (const [at, item] of items.entries()) search(`${place}.${at}`, item, found)
}

const searchesOf = (properties: Readonly<Record<string, ArgumentSchema>>, isMeant: IsMeant) =>
  Object.entries(properties).flatMap(([name, schema]): (readonly [string, Search])[] => {
    const search = searchOf(schema, isMeant)
    return search === undefined ? [] : [[name, search]]
  })

/**
 * Prepares the search for all such texts of a call; made once for each tool.
 * @param input of a tool
 * @returns undefined for a tool without any; otherwise a function from the arguments to the texts
 */
export function textsIn(
  input: ArgumentSchema,
  isMeant: IsMeant
): ((args: Arguments) => readonly NamedText[]) | undefined {
  const searches = searchesOf(argumentsOf(input), isMeant)
  if (searches.length === 0) return undefined
  return args => {
    const found: NamedText[] = []
    for (const [name, search] of searches) search(name, args[name], found)
    return found
  }
}
