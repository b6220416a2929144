import type { TObject } from 'typebox'
import type { ToolContext } from './context.ts'
import type { Naming } from './unknown-names.ts'

/*
 * Arguments that callers give by name where the forge wants a number, or in another form than the forge's; fields.ts
 * flags them.
 */

export type Args = Record<string, unknown>

export type Asked = Pick<ToolContext, 'forge' | 'known' | 'looks' | 'mayRun'>

/**
 * Replaces names by what the forge wants. It throws CallProblem for a name that does not exist, and the forge's errors
 */
export type NamedStep = (args: Args, context: Asked) => Promise<void>

/** Finds what the forge wants for one value of an argument. */
export type Find = (name: string, value: string, args: Args, context: Asked) => Promise<number | string>

export interface Flags {
  /** Ids or usernames. */
  readonly people?: boolean
  /** It filters, and may be None or Any. */
  readonly orAny?: boolean
  /** A username, where the forge takes no id. */
  readonly username?: boolean
  /** The id or the title of a milestone of `project_id` or `group_id`. */
  readonly milestone?: boolean
  /** Ids or titles of their labels. */
  readonly labelIds?: boolean
  /** The id or the path of a project, where the forge takes the id alone. */
  readonly projectNumber?: boolean
  /** What it names, where the forge takes the names. */
  readonly names?: Naming
}

/** The arguments of a tool that are flagged so. */
export const flaggedOf = (
  { properties }: TObject,
  wanted: (flags: Flags, name: string) => boolean | undefined
) =>
  Object.entries(properties as Record<string, Flags>)
    .filter(([name, flags]) => wanted(flags, name))
    .map(([name]) => name)

/** The digits of an id, alone or at the end of a global id; undefined for a name. */
export const digitsOf = (text: string): string | undefined =>
  /^(?:gid:\/\/gitlab\/\w+\/)?(\d{1,15})$/.exec(text)?.[1]

/** The id of the first record of a list that is the one. */
export function idOf(list: unknown, isIt: (record: Args) => boolean): number | undefined {
  const found = Array.isArray(list) ? (list as Args[]).find(record => isIt(record ?? {})) : undefined
  return typeof found?.id === 'number' ? found.id : undefined
}
