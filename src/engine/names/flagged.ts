import { type ArgumentSchema, argumentsOf } from '../arguments/argument-flags.ts'
import type { LookupContext } from '../context.ts'

/*
 * Arguments that callers give by name where the forge wants a number, or in another form than the forge's;
 * rows/fields.ts flags them.
 */

export type Args = Record<string, unknown>

/**
 * Replaces names by what the forge wants. It throws CallProblem for a name that does not exist, and the forge's errors
 */
export type NamedStep = (args: Args, context: LookupContext) => Promise<void>

/** Finds what the forge wants for one value of an argument. */
export type Find = (
  name: string,
  value: string,
  args: Args,
  context: LookupContext
) => Promise<number | string>

/** The arguments of a tool that are flagged so. */
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
 * The name that digits or other words are as it is written in texts, `%"2"` of a milestone and `~"2"` of a label; also
 * digits in quotes alone. Undefined for any other text.
 */
export const titleIn = (text: string): string | undefined => {
  const [, title, digits] = /^\s*(?:[%~]"([^"]+)"|"(\d{1,15})")\s*$/.exec(text) ?? []
  return title ?? digits
}

/** The id of the first record of a list that is the one. */
export function firstIdOf(list: unknown, isIt: (record: Args) => boolean): number | undefined {
  const found = Array.isArray(list) ? (list as Args[]).find(record => isIt(record ?? {})) : undefined
  return typeof found?.id === 'number' ? found.id : undefined
}

/** Whether something is named by an address. */
export const isUrl = (text: string): boolean => /^\s*https?:\/\//i.test(text)

/** Finds a milestone by its address, which the reader of addresses does. */
export interface MilestoneAddresses {
  readonly idAtWebUrl: (isActedOn: boolean) => Find
  readonly milestoneTitle: Find
}
