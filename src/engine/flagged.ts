import type { TObject } from 'typebox'
import type { Asked } from './context.ts'

/*
 * Arguments that callers give by name where the forge wants a number, or in another form than the forge's; fields.ts
 * flags them.
 */

export type Args = Record<string, unknown>

/**
 * Replaces names by what the forge wants. It throws CallProblem for a name that does not exist, and the forge's errors
 */
export type NamedStep = (args: Args, context: Asked) => Promise<void>

/** Finds what the forge wants for one value of an argument. */
export type Find = (name: string, value: string, args: Args, context: Asked) => Promise<number | string>

/** What is named by more than a number; named-kinds.ts says how it is found. */
export type Noun = 'branch' | 'branch or tag' | 'environment' | 'label' | 'milestone' | 'path' | 'user'

/** What a call does with a name: it sets the named thing, or lists what belongs to it. */
export type NameUse = 'set' | 'filter'

/** What an argument names, and for what. */
export interface Naming {
  readonly noun: Noun
  readonly use: NameUse
  /** Of people: the forge takes None and Any for words. */
  readonly orAny?: boolean
}

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
