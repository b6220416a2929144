import { type TSchema, Type } from 'typebox'
import { plainDuration } from '../requests/durations.ts'
import { dayPattern, timePattern } from './calendar.ts'
import { FORGE_DEFAULT, MIRROR, PROJECT_MIRROR, type ToldElsewhere } from './listed-schema.ts'

/*
 * Arguments that many tools share, each described once. A description says what the name does not, and is short,
 * because every client reads all of them. Rules for many tools are in catalog/instructions.ts; explanations only for
 * people are in catalog/glossary.ts. Ids are listed as strings and accepted as numbers too (arguments/arguments.ts).
 */

/** A string from a fixed set, written as plain JSON Schema with a type, which every client understands. */
export const oneOf = <const V extends readonly string[]>(
  values: V,
  description?: string,
  value?: V[number]
) =>
  Type.Unsafe<V[number]>({
    type: 'string',
    enum: values,
    ...(description !== undefined && { description }),
    ...(value !== undefined && { default: value })
  })

/**
 * A word of a set that the forge may have extended: known words are accepted in any form, others are passed to the
 * forge.
 */
export const wordOf = (words: readonly string[], description = words.join(', ')) => ({
  ...Type.String({ description }),
  words
})

/*
 * Makers of schemas: `optional` wraps another schema, then one maker for each type of argument. `integer` starts at 0;
 * `names` are texts that cannot contain a comma, such as labels and usernames.
 */
export const optional = <S extends TSchema>(schema: S) => Type.Optional(schema)
export const text = (description?: string) => Type.String(description === undefined ? {} : { description })
/** Markdown in which a forge executes lines that begin with a slash (texts/quick-actions.ts). */
export const markdown = (description?: string) => ({ ...text(description), quickActions: true })
const inAnyCase = (words: string): string =>
  words.replace(/[a-z]/g, letter => `[${letter}${letter.toUpperCase()}]`)
/**
 * For a text: a pattern for anything but one of these words alone. None of the words is empty: with an empty one,
 * matching the blanks on both sides would take quadratic time.
 */
export const notAlone = (words: string): string => `^(?!\\s*(?:${inAnyCase(words)})\\s*$)`
/** Such Markdown in a change. @param commentedBy the tool for comments */
export const changedMarkdown = (commentedBy: string) => ({ ...markdown(), commentedBy })
/** For a text: more than blanks. */
export const filled = { pattern: '\\S', problem: 'must not be empty', neverEmpty: true } as const
/** For a text: if empty, it counts as absent. */
export const noneIfEmpty = <S extends TSchema>(schema: S): S => ({ ...schema, neverEmpty: true })
/** For a text that a change may clear: an empty text clears it, and the result says what is lost. */
export const orNone = <S extends TSchema>(schema: S): S => ({ ...schema, none: '""' })
/** For a text: no address. A forge would take it for a name like any other. */
export const noWebUrl = '^(?!\\s*[hH][tT][tT][pP][sS]?://)'
/** For a name: the most characters that a forge accepts. Longer ones are refused before they are read. */
export const ofAtMost = (maxLength: number) => ({ maxLength, shortAnyway: true })
/** Characters of a label and of a milestone's title (GitLab: `title` of both is varchar(255)). */
export const NAME_CHARS = 255
/** Such Markdown for which a forge refuses blanks: an empty text counts as not given. */
export const comment = (description?: string) => ({ ...markdown(description), ...filled })
/** A text with the name of such Markdown, in which a forge executes nothing. */
export const inert = <S extends TSchema>(schema: S): S => ({ ...schema, quickActions: false })
/** The message of a new commit or tag. */
export const commitMessage = (description?: string) => ({ ...noneIfEmpty(text(description)), ofCommit: true })
/** The text of a file to be stored, or a replacement for a part of it. */
export const fileText = <S extends TSchema>(schema: S): S => ({ ...schema, ofFile: true })
/** A text, or a value of another type that this service does not determine. */
export const scalarOrList = () =>
  Type.Unsafe<unknown>({ type: ['string', 'number', 'boolean', 'array'], description: 'Of any type' })
/** A password or the like: never shown in a message or a result. */
export const secret = (description?: string) =>
  Type.String({ writeOnly: true, ...(description !== undefined && { description }) })
/** The value of a variable: a number, or a word such as true, is converted to text. */
export const variableValue = (description?: string) => ({ ...secret(description), scalar: true })
/** A web address that may contain a password or key. It is masked when a person is asked for confirmation. */
export const secretUrl = () => ({ ...text(), secretUrl: true })
/** An id or a name. */
export const idOr = (description: string) => Type.String({ orId: true, description })
export const flag = (description?: string) => Type.Boolean(description === undefined ? {} : { description })
export const integer = (description?: string) =>
  Type.Integer({ minimum: 0, ...(description !== undefined && { description }) })
export const texts = (description?: string) =>
  Type.Array(Type.String(), description === undefined ? {} : { description })
export const names = (description?: string) =>
  Type.Array(Type.String(), { separable: true, ...(description !== undefined && { description }) })
/** People by id or username; ids are sent to the forge (names/named.ts). */
export const userIds = (description = 'Ids or usernames') =>
  Type.Array(Type.String(), { separable: true, people: true, description })
/** A list that a change replaces as a whole. A call that tries to add to it or remove from it is told so. */
export const replacing = <List extends object>(list: List) => ({ ...list, replaces: true })
/** One person, in the same way. */
export const userId = (description?: string) =>
  Type.String({ people: true, ...(description !== undefined && { description }) })
/** The same, for an argument that the catalog lists as a number. */
export const userNumber = () =>
  Type.Unsafe<number | string>({ type: ['integer', 'string'], people: true, description: 'Or username' })
/** A milestone of the project by id or title; the id is sent to the forge (names/named.ts). */
export const milestoneId = (description = 'Id or title; 0 for none') =>
  Type.String({ milestone: true, none: '0', description })

/**
 * A project by id or path, for an endpoint that takes only the id (names/named.ts). It is listed as a number, as in the
 * catalog, and mirrored like `projectId`.
 */
export const projectNumber = () =>
  Type.Unsafe<number | string>({
    type: ['integer', 'string'],
    projectNumber: true,
    namedIn: 'project',
    [MIRROR]: PROJECT_MIRROR,
    description: 'Or its path'
  })

/** A group, in the same way. */
export const groupNumber = () =>
  Type.Unsafe<number | string>({
    type: ['integer', 'string'],
    groupNumber: true,
    namedIn: 'group',
    description: 'Or its path'
  })

/** The forge's default for an absent argument: listed, but not sent. */
export const forgeDefault = <S extends TSchema>(value: unknown, schema: S): S => ({
  ...schema,
  [FORGE_DEFAULT]: value
})

/**
 * For an argument that another tool explains: validated in full, but listed without fields, words and explanations
 * beside that tool. If that tool is not listed, the schema is listed with its own description.
 * @param by that tool; undefined for another argument of the same tool
 * @param said listed instead of the explanation; undefined if the name is enough
 */
export const toldElsewhere = <S extends TSchema>(
  by: string | undefined,
  said: string | undefined,
  { description, ...schema }: S & { description?: string }
): S =>
  ({
    ...schema,
    ...(said !== undefined && { description: said }),
    toldElsewhere: { by, description } satisfies ToldElsewhere
  }) as unknown as S

/**
 * Validated and explained to people, but not listed (listed-schema.ts): for an argument that the specification does not
 * name and few calls need.
 */
export const unlisted = <S extends TSchema>(schema: S): S => ({ ...schema, unlisted: true })

/**
 * An id or a path; the server's instructions explain it once for all tools. It is mirrored in a header, by which a
 * gateway can route requests and enforce policy without reading the body.
 */
export const projectId = (description?: string) => ({
  ...text(description),
  [MIRROR]: PROJECT_MIRROR,
  namedIn: 'project',
  lacking: 'its id, path or web address, as list_projects has it',
  problem: 'must be one project a call'
})
export const ProjectId = projectId()
export const OptionalProjectId = optional(ProjectId)
/** A group, in the same way. */
export const groupId = (description?: string) => ({ ...text(description), namedIn: 'group' })
export const MergeRequestIid = text()
export const IssueIid = text()
/** Most characters of a duration: a dozen units of some digits each. */
const DURATION_CHARS = 200
/**
 * A duration in the form that forges read; the forms that people write are converted (requests/durations.ts). Ambiguous
 * values are refused: forges read a bare number as hours, but people mostly mean minutes or seconds; forges read 1:30
 * as minutes and seconds, but people mean hours. Values that forges cannot read are refused, too: forges take them for
 * 0, and an estimate would be lost.
 */
export const duration = (description: string) => ({
  ...text(description),
  ...ofAtMost(DURATION_CHARS),
  pattern: `^(?:0+|${plainDuration})$`,
  problem: `${ofTime}, and not negative`,
  duration: true
})
/** The same for a duration that is added, or subtracted with a minus. */
export const durationOrLess = (description: string) => ({
  ...duration(description),
  pattern: `^(?:0+|-?${plainDuration})$`,
  problem: ofTime
})
const ofTime = 'must be a length of time with its unit, such as 90m, 3h30m or 1d'
/** A job has a name, too, but cannot be found by it. */
export const JobId = Type.String({
  pattern: '^\\d+$',
  problem: 'must be a number, which list_pipeline_jobs gives beside the name'
})
/** A filter for milestones by title. The call gets a remark on titles that do not exist. */
const milestoneNamed = { names: { noun: 'milestone', use: 'filter' } } as const
export const MilestoneFilter = { ...text(), ...milestoneNamed, orId: true }
export const MilestoneTitles = {
  ...texts('One, or None, Any, Upcoming, Started'),
  ...milestoneNamed
}
/** Words of a search for people, with or without @. */
export const ofPeople = (description: string) => ({ ...text(description), ofPeople: true })
/** One person by username, with or without @, or `me` (names/people.ts). */
export const username = () => ({ ...text(), username: true })
/** A filter for people by username. The call gets a remark on usernames that do not exist. */
const personNamed = { username: true, names: { noun: 'user', use: 'filter' } } as const
export const usernameFilter = (description?: string) => ({ ...text(description), ...personNamed })
export const usernamesFilter = (description?: string) => ({ ...names(description), ...personNamed })
/** The same, for a filter that also takes None and Any. */
export const usernamesOrAny = (description?: string) => ({
  ...usernamesFilter(description),
  names: { ...personNamed.names, orAny: true }
})
/** A filter: a person by id or username, None or Any. */
export const UserFilter = { ...text(), people: true, orAny: true }
/**
 * The id of a thread. The address of a note has only the note's own number. @param by the tool that returns ids of
 * threads
 */
export const threadId = (by: string) =>
  Type.String({
    pattern: '^(?!https?://)',
    problem: `must be the id of a thread, which ${by} gives: the address of a note has only its own number`
  })
/** For the tools that change a note or resolve its thread. */
export const Resolved = optional(flag('Of its thread; not with body'))
/** A time, ISO 8601, or a date; names such as created_after tell a model so. */
export const When = Type.String({
  pattern: `^${timePattern}$`,
  problem: 'must be a time that there is, in ISO 8601, such as 2026-11-21T09:00:00Z',
  time: true
})
/** Few callers may set it: the forge accepts it from administrators and owners. */
export const CreatedAt = When
/** The same for a range of things that have a day and no time: both ends are included. */
export const DaysRange = { ...When, ofDays: true } as const
/**
 * A calendar day, YYYY-MM-DD, as the instructions say for all dates. If the argument's name does not say that it is a
 * date, its row does.
 */
export const Day = Type.String({ format: 'date', day: true })
/** A day that may be cleared. */
export const DayOrNone = Type.String({
  pattern: `^(?:${dayPattern})?$`,
  problem: 'must be a date that there is, written YYYY-MM-DD, or empty for none',
  day: true,
  none: '""',
  description: 'Empty for none'
})

/** Offset pagination, as in GitLab's REST API. The defaults, 1 and 20, are the forge's own. */
export const Page = {
  page: optional(forgeDefault(1, Type.Integer({ minimum: 1 }))),
  per_page: optional(forgeDefault(20, Type.Integer({ minimum: 1, maximum: 100 })))
}

/** Keyset pagination, for lists whose pages a forge refuses to count (results/page-token.ts). */
export const KeysetPage = {
  per_page: Page.per_page,
  page_token: optional({
    ...text('next_page_token of the page before'),
    problem: 'must be the next_page_token of the page before as it came'
  })
}

/** What to do instead of giving the number of a page. */
export const insteadOfPage = {
  page: 'pages have no numbers here: page_token takes the next_page_token of the page before'
}

/** A flag for the arguments of a list without pages: it comes whole, as far as the forge sends it. */
export const wholeList = { isWhole: true } as const

/** Relay pagination of GraphQL lists. */
export const CursorPage = {
  first: optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  after: optional(text('endCursor of the page before'))
}

/** What to do instead of giving the number of a page. */
export const insteadOfNumber = {
  page: 'pages have no numbers here: after takes the endCursor of the page before'
}

/** Exactly one of the two, for requests that begin with `{PG}`; the engine checks it for rows that are one request. */
export const ProjectOrGroup = {
  project_id: optional(projectId('Or group_id')),
  group_id: optional(groupId())
}

/**
 * For a thing to be deleted, no other name is suggested (suggestions/same.ts): the call may be a repeat, and its caller
 * would then delete another thing.
 */
export const toDelete = <Field extends { namedIn: string }>(field: Field) => ({ ...field, toDelete: true })
export const mayBeDeleted = 'It may be deleted already; nothing was done.'

/** For a row with `confirm`. @param field of the record that the value must equal */
export const Confirm = (field: string) => ({
  ...text(`Its ${field}, to be sure`),
  lacking: `its ${field}, to be sure`
})
