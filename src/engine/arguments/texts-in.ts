import { type ArgumentSchema, argumentsOf } from './argument-flags.ts'
import type { Arguments } from './values.ts'

/** A text of a call, with the name of its argument, or the place of its part of one. */
export type NamedText = readonly [name: string, text: string]

/** Which texts are meant, by what the schema says of them. */
export type IsMeant = (schema: ArgumentSchema) => boolean

/** Whether an argument is such a text, or contains one. */
const holds = (schema: ArgumentSchema, isMeant: IsMeant): boolean =>
  isMeant(schema) ||
  (schema.items !== undefined && holds(schema.items, isMeant)) ||
  Object.values(schema.properties ?? {}).some(part => holds(part, isMeant))

/**
 * Prepares the search for all such texts of a call; made once for each tool.
 * @param input of a tool
 * @returns undefined for a tool without any; otherwise a function of the arguments
 */
export function textsIn(
  input: ArgumentSchema,
  isMeant: IsMeant
): ((args: Arguments) => readonly NamedText[]) | undefined {
  const meant = Object.entries(argumentsOf(input)).filter(([, schema]) => holds(schema, isMeant))
  if (meant.length === 0) return undefined
  return args => meant.flatMap(([name, schema]) => [...textsOf(name, args[name], schema, isMeant)])
}

function* textsOf(
  name: string,
  value: unknown,
  schema: ArgumentSchema,
  isMeant: IsMeant
): Generator<NamedText> {
  if (typeof value === 'string') {
    if (isMeant(schema)) yield [name, value]
  } else if (Array.isArray(value)) {
    if (schema.items !== undefined)
      for (const [at, item] of value.entries()) yield* textsOf(`${name}.${at}`, item, schema.items, isMeant)
  } else if (typeof value === 'object' && value !== null)
    for (const [key, part] of Object.entries(schema.properties ?? {}))
      yield* textsOf(`${name}.${key}`, (value as Record<string, unknown>)[key], part, isMeant)
}
