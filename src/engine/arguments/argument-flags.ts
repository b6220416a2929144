import type { FORGE_DEFAULT, MIRROR, ToldElsewhere } from '../rows/listed-schema.ts'

/** Things that are named by more than a number; names/named-kinds.ts says how each is found. */
export type Noun = 'branch' | 'branch or tag' | 'environment' | 'label' | 'milestone' | 'path' | 'user'

/** The use of a name in a call: the call sets the named thing, takes it off, or lists what belongs to it. */
export type NameUse = 'set' | 'taken' | 'filter'

/** The kind of thing that an argument names, and the use of the name. */
export interface NameFlag {
  readonly noun: Noun
  readonly use: NameUse
  /** For people: the forge takes None and Any as keywords. */
  readonly orAny?: boolean
}

/** Kinds of things for which another one is suggested if the named one is not found (suggestions/step.ts). */
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

/** Other arguments of the same object, with the values for which a rule applies, or `any`. */
export type Beside = Readonly<Record<string, readonly string[] | 'any'>>

/**
 * All flags that a field of a row may have in addition to the keywords of JSON Schema; rows/fields.ts sets most of
 * them.
 */
export interface ArgumentFlags {
  /** For words of which each forge has its own set: the known ones. */
  readonly words?: readonly string[]
  /** Other words for some values, in small letters. They are accepted in any case. */
  readonly alias?: Readonly<Record<string, string>>
  /** For numbers named `iid` or `iids`: the kind of thing they count, if not work items. */
  readonly numberOf?: string
  /** A name, or the id of the thing with that name. */
  readonly orId?: boolean
  /** For an array of texts: the argument under which other tools take one such text, or its address. */
  readonly each?: string
  /** For an array of texts: no item can contain a comma. */
  readonly separable?: boolean
  /** For a branch or tag: the forge takes no full name (`refs/heads/…`), and which of those may be given. */
  readonly shortName?: 'heads' | 'tags' | 'any'
  /** For the name of a branch or tag: a commit is accepted, too. */
  readonly orCommit?: boolean
  /** For a search for people: the forge finds nobody for `@ada`. */
  readonly ofPeople?: boolean
  /** A duration as forges write it: `3h30m`. */
  readonly duration?: boolean
  /** A calendar day. If a time is given, its day is used. */
  readonly day?: boolean
  /** A time. */
  readonly time?: boolean
  /** For a text: a number or boolean is converted to text. */
  readonly scalar?: boolean
  /** For a text: if empty, it counts as absent. For a number: 0 counts as absent. */
  readonly neverEmpty?: boolean
  /** For a text: if empty, it counts as absent when another argument has one of these values, or any. */
  readonly neverEmptyBeside?: Beside
  /** A name, or names, that a change gives to what it makes: always, or when another argument has a value, as above. */
  readonly made?: true | Beside
  /** For such a name: the argument with the current name. */
  readonly renames?: string
  /** For a text that a change replaces: the tool that comments on the thing with this text. */
  readonly commentedBy?: string
  /**
   * The value that clears the field, as a caller writes it. It is set where the name and type of the argument do not
   * tell.
   */
  readonly none?: string
  /**
   * For the argument that says where a read looks: where it looks without the argument, as a main clause. For an
   * argument that guards each item of a change: what happens to the item without it.
   */
  readonly without?: string
  /** For a list: a change replaces the whole list. */
  readonly replaces?: boolean
  /**
   * The tool returns a whole list: `page` and `per_page` are accepted if they ask for the first page, of any length.
   */
  readonly isWhole?: boolean
  /** By the name of a field, or of a word of an enum, that does not exist here: what to do instead. */
  readonly instead?: Readonly<Record<string, string>>
  /** What it is, for the message if it is required but absent, or of another type. */
  readonly lacking?: string
  /**
   * The message for a value of another type, or one that does not match the pattern; for an enum, an addition to the
   * message.
   */
  readonly problem?: string
  /** For an argument that names one thing: the tool that takes several. */
  readonly ofSeveral?: string
  /** Ids or usernames. */
  readonly people?: boolean
  /** It is a filter, and accepts None and Any. */
  readonly orAny?: boolean
  /** A username, for a forge endpoint that takes no id. */
  readonly username?: boolean
  /** The id or the title of a milestone of `project_id` or `group_id`. */
  readonly milestone?: boolean
  /** Ids of labels, or their titles. */
  readonly labelIds?: boolean
  /** The id or the path of a project, for a forge endpoint that takes only the id. */
  readonly projectNumber?: boolean
  /** The same for a group. */
  readonly groupNumber?: boolean
  /** What it names, for a forge endpoint that takes names. */
  readonly names?: NameFlag
  readonly namedIn?: NamedIn
  /** For `namedIn`: the named thing is deleted, so no other one is suggested. */
  readonly toDelete?: boolean
  /** For the ends of a range of things that have a day and no time. */
  readonly ofDays?: true
  /** Markdown in which a forge executes quick actions; false for a text of such a name in which it does not. */
  readonly quickActions?: boolean
  /** The text of a file, or a replacement for a part of one. */
  readonly ofFile?: boolean
  /** For a text that is neither of these: prose that people write or quote, not a name. */
  readonly isProse?: boolean
  /** The message of a commit or tag. */
  readonly ofCommit?: boolean
  /** For a text to be stored: each of its lines can be shown alone. */
  readonly shownByLines?: boolean
  /** For a text to be stored: it also quotes what is stored already. */
  readonly quotesStored?: boolean
  /** Something that belongs to a secret, such as a username: not secret itself, and useless without the secret. */
  readonly ofSecret?: boolean
  /** A web address that may contain a password or key. */
  readonly secretUrl?: boolean
  /** Validated and explained to people, but not listed. */
  readonly unlisted?: boolean
  /** No honest value reaches its maximum length. So the maximum is not listed: every client reads every bound. */
  readonly shortAnyway?: boolean
  readonly toldElsewhere?: ToldElsewhere
  readonly [FORGE_DEFAULT]?: unknown
  readonly [MIRROR]?: string
}

/**
 * The schema of an argument, of a part of one, or of all arguments of a tool: the flags, and the keywords that are read
 * here.
 */
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

/** Whether an argument of that name takes ids. */
export const isIdName = (name: string): boolean => /(^|_)i?ids?$/.test(name)

/** The arguments of a tool, by name. @param schema a TObject, whose type does not describe its properties */
export const argumentsOf = ({ properties = {} }: ArgumentSchema): Readonly<Record<string, ArgumentSchema>> =>
  properties
