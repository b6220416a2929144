import type { FORGE_DEFAULT, MIRROR, ToldElsewhere } from '../rows/listed-schema.ts'

/** What is named by more than a number; names/named-kinds.ts says how it is found. */
export type Noun = 'branch' | 'branch or tag' | 'environment' | 'label' | 'milestone' | 'path' | 'user'

/** What a call does with a name: it sets the named thing, or lists what belongs to it. */
export type NameUse = 'set' | 'filter'

/** What an argument names, and for what. */
export interface NameFlag {
  readonly noun: Noun
  readonly use: NameUse
  /** Of people: the forge takes None and Any for words. */
  readonly orAny?: boolean
}

/** What an argument names of which another one is suggested (suggestions/step.ts). */
export type NamedIn =
  | 'project'
  | 'group'
  | 'namespace'
  | 'issue'
  | 'revision'
  | 'tag'
  | 'taggable'
  | 'release'
  | 'file'
  | 'directory'
  | 'label'
  | 'actions'

/** Other arguments of the same place, with values that one of them has, or any. */
export type Beside = Readonly<Record<string, readonly string[] | 'any'>>

/** All that a field of a row may say beside the keywords of JSON Schema; rows/fields.ts sets most of it. */
export interface ArgumentFlags {
  /** Of words for which a forge has a set of its own: those that are known. */
  readonly words?: readonly string[]
  /** Other words for some values, in small letters: they are taken in any case. */
  readonly alias?: Readonly<Record<string, string>>
  /** Of numbers named `iid` or `iids`: what they are of, where that is no work item. */
  readonly numberOf?: string
  /** A name, or the number of what has it. */
  readonly orId?: boolean
  /** Of an array of texts: the argument under which other tools take one of them, also by its address. */
  readonly each?: string
  /** Of an array of texts: none of them can hold a comma. */
  readonly separable?: boolean
  /** Of a branch or tag: never by its full name. */
  readonly shortName?: boolean
  /** Of what names a branch or tag: a commit as well. */
  readonly orCommit?: boolean
  /** Of words by which people are searched: as `@ada` nobody is found. */
  readonly ofPeople?: boolean
  /** Of a length of time as forges write it: `3h30m`. */
  readonly duration?: boolean
  /** A calendar day: of a time in it, the day is taken. */
  readonly day?: boolean
  /** A time. */
  readonly time?: boolean
  /** Of a text: a number or boolean is written as it. */
  readonly scalar?: boolean
  /** Of a text: empty, it is none; the same of a number that is 0. */
  readonly neverEmpty?: boolean
  /** Of a text: empty, it is none beside another argument that has one of these values, or any. */
  readonly neverEmptyBeside?: Beside
  /** A name, or names, that a change gives to what it makes: always, or beside another argument as above. */
  readonly made?: true | Beside
  /** Of such a name: the argument beside it that has the name as it is now. */
  readonly renames?: string
  /** Of a text that a change replaces: the tool that comments on what has it. */
  readonly commentedBy?: string
  /** What a change gives for none, as it is written: said where the names and types of arguments do not. */
  readonly none?: string
  /**
   * Of what a read looks at: what it looks at where this is not given, as a main clause. Of what guards each thing of a
   * change: what becomes of the thing then.
   */
  readonly without?: string
  /** Of a list: a change gives all of it. */
  readonly replaces?: boolean
  /** It takes the first page of a list that has no others, of any length, for the list itself. */
  readonly isWhole?: boolean
  /** What to do instead of giving a field, or a word of an enum, that this does not have, by its name. */
  readonly instead?: Readonly<Record<string, string>>
  /** What it is, for the message if it is required and not given, or of another type. */
  readonly lacking?: string
  /**
   * The message for a value of another type, or that does not match the pattern; for an enum, what is said in addition.
   */
  readonly problem?: string
  /** Of what names one thing: the tool that takes several. */
  readonly ofSeveral?: string
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
  /** The same of a group. */
  readonly groupNumber?: boolean
  /** What it names, where the forge takes the names. */
  readonly names?: NameFlag
  readonly namedIn?: NamedIn
  /** Of what it is named in: it is deleted, and no other one is suggested. */
  readonly toDelete?: boolean
  /** Of the ends of a range: of what has a day and no time. */
  readonly ofDays?: true
  /** Markdown in which a forge carries out quick actions; false for a text of such a name in which it does not. */
  readonly quickActions?: boolean
  /** The text of a file, or what replaces a part of it. */
  readonly ofFile?: boolean
  /** Of a text that is neither: words that people write or quote, and no name. */
  readonly isProse?: boolean
  /** The message of a commit or tag. */
  readonly ofCommit?: boolean
  /** Of a text to be stored: any of its lines can be shown alone. */
  readonly shownByLines?: boolean
  /** Of a text to be stored: it also quotes what is stored already. */
  readonly quotesStored?: boolean
  /** What a secret is of, such as a user's name: no secret itself, and worth nothing without it. */
  readonly ofSecret?: boolean
  /** A web address that may contain a password or key. */
  readonly secretUrl?: boolean
  /** Validated and explained to people, but not listed. */
  readonly unlisted?: boolean
  /**
   * No caller who means it reaches its bound of characters, which is not listed then: each client reads every bound.
   */
  readonly shortAnyway?: boolean
  readonly toldElsewhere?: ToldElsewhere
  readonly [FORGE_DEFAULT]?: unknown
  readonly [MIRROR]?: string
}

/** The schema of an argument, of a part of one, or of all of a tool: the flags, and the keywords that are read here. */
export interface ArgumentSchema extends ArgumentFlags {
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly format?: string
  readonly description?: string
  readonly default?: unknown
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly maxLength?: number
  readonly items?: ArgumentSchema
  readonly properties?: Readonly<Record<string, ArgumentSchema>>
  readonly required?: readonly string[]
  /** A secret: never shown in a message. */
  readonly writeOnly?: boolean
}

/** The arguments of a tool, by name. @param schema a TObject, which says nothing of what its properties are */
export const argumentsOf = ({ properties = {} }: ArgumentSchema): Readonly<Record<string, ArgumentSchema>> =>
  properties
