import type { Fields } from '../../json/records.ts'
import { type ArgumentSchema, argumentsOf } from '../arguments/argument-flags.ts'
import type { Arguments, OwnArguments } from '../arguments/values.ts'
import type { LookupContext } from '../context.ts'

/* Arguments that callers give by name, while the forge takes a number or another form; rows/fields.ts flags them. */

/**
 * Replaces names by the values that the forge takes. It throws CallProblem for a name that does not exist, and the
 * forge's errors
 */
export type NamedStep = (args: OwnArguments, context: LookupContext) => Promise<void>

/** Finds the value that the forge takes for one value of an argument. */
export type Find = (
  name: string,
  value: string,
  args: Arguments,
  context: LookupContext
) => Promise<number | string>

/** The arguments of a tool that have certain flags. */
export const flaggedOf = (
  schema: ArgumentSchema,
  wanted: (flags: ArgumentSchema, name: string) => boolean | undefined
) =>
  Object.entries(argumentsOf(schema))
    .filter(([name, flags]) => wanted(flags, name))
    .map(([name]) => name)

/** The digits of an id, alone or at the end of a global id; undefined for a name. */
export const idDigitsOf = (text: string): string | undefined =>
  /^(?:gid:\/\/gitlab\/\w+\/)?(\d{1,15})$/.exec(text)?.[1]

/**
 * The name within the form that texts use, `%"2"` for a milestone and `~"2"` for a label, or within quotes around
 * digits. Undefined for any other text.
 */
export const titleIn = (text: string): string | undefined => {
  const [, title, digits] = /^\s*(?:[%~]"([^"]+)"|"(\d{1,15})")\s*$/.exec(text) ?? []
  return title ?? digits
}

/** The id of the first matching record of a list. */
export function firstIdOf(list: unknown, isIt: (record: Fields) => boolean): number | undefined {
  const found = Array.isArray(list) ? (list as Fields[]).find(record => isIt(record ?? {})) : undefined
  return typeof found?.id === 'number' ? found.id : undefined
}

/** Whether a text is an address. */
export const isUrl = (text: string): boolean => /^\s*https?:\/\//i.test(text)

/** Finds a milestone by its address, through the reader of addresses. */
export interface MilestoneWebUrls {
  readonly idAtWebUrl: (isActedOn: boolean) => Find
  readonly milestoneTitle: Find
}
