import { type TSchema, Type } from 'typebox'
import { plainDuration } from '../requests/durations.ts'
import { dayPattern, timePattern } from './calendar.ts'
import { FORGE_DEFAULT, MIRROR, PROJECT_MIRROR, type ToldElsewhere } from './listed-schema.ts'

/*
 * Arguments that many tools share, each described once. A description says what the name does not, and is short: every
 * client reads every one of them. What holds for many tools is said in catalog/instructions.ts, what only people need
 * to be told in catalog/glossary.ts. Ids are listed as strings and accepted as numbers too (arguments/arguments.ts).
 */

/** A string out of a fixed set. Written as plain JSON Schema with a type, which every client understands. */
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

/** A word of a set that the forge may have added to: those known here are read in any form, others are left to it. */
export const wordOf = (words: readonly string[], description = words.join(', ')) => ({
  ...Type.String({ description }),
  words
})

/*
 * Makers of schemas: `optional` around another one, then one for each type of argument. `integer` starts at 0;
 * `names` are texts that can hold no comma, such as labels and usernames.
 */
export const optional = <S extends TSchema>(schema: S) => Type.Optional(schema)
export const text = (description?: string) => Type.String(description === undefined ? {} : { description })
/** Markdown in which a forge executes lines that begin with a slash (texts/quick-actions.ts). */
export const markdown = (description?: string) => ({ ...text(description), quickActions: true })
const inAnyCase = (words: string): string =>
  words.replace(/[a-z]/g, letter => `[${letter}${letter.toUpperCase()}]`)
/**
 * Of a text: anything but one of these words alone. None of them is empty: blanks on both sides of it take their
 * square.
 */
export const notAlone = (words: string): string => `^(?!\\s*(?:${inAnyCase(words)})\\s*$)`
/**
 * Such Markdown in a change: such a word, written for none, would replace it. @param commentedBy the tool for comments
 */
export const changedMarkdown = (commentedBy: string) => ({
  ...markdown(),
  commentedBy,
  pattern: notAlone('none|null|undefined'),
  problem: 'would be replaced by that word: an empty text "" is for none'
})
/** Of a text: more than blanks. */
export const filled = { pattern: '\\S', problem: 'must not be empty', neverEmpty: true } as const
/** Of a text: empty, it is none. */
export const noneIfEmpty = <S extends TSchema>(schema: S): S => ({ ...schema, neverEmpty: true })
/** Of a text that a change may take away: empty, it is for none, and what is lost by it is said. */
export const orNone = <S extends TSchema>(schema: S): S => ({ ...schema, none: '""' })
/** Of a text: no address, which a forge takes for a name like any other. */
export const noWebUrl = '^(?!\\s*[hH][tT][tT][pP][sS]?://)'
/** Of a name: more characters than a forge takes in any are refused before anything reads them. */
export const ofAtMost = (maxLength: number) => ({ maxLength, shortAnyway: true })
/** Characters of a label and of a milestone's title (GitLab: `title` of both is varchar(255)). */
export const NAME_CHARS = 255
/** Such Markdown that a forge does not accept if it is blank: an empty text counts as not given. */
export const comment = (description?: string) => ({ ...markdown(description), ...filled })
/** A text that has the name of such Markdown, but in which a forge executes nothing. */
export const inert = <S extends TSchema>(schema: S): S => ({ ...schema, quickActions: false })
/** The message of a commit or tag that is made. */
export const commitMessage = (description?: string) => ({ ...text(description), ofCommit: true })
/** The text of a file to be stored, or what replaces a part of it. */
export const fileText = <S extends TSchema>(schema: S): S => ({ ...schema, ofFile: true })
/** A text, or a value of another type where something else than this service says which. */
export const scalarOrList = (description = 'Of any type') =>
  Type.Unsafe<unknown>({ type: ['string', 'number', 'boolean', 'array'], description })
/** A password or the like: never shown in a message, nor given back. */
export const secret = (description?: string) =>
  Type.String({ writeOnly: true, ...(description !== undefined && { description }) })
/** The value of a variable: a number or a word such as true is the text of it. */
export const variableValue = (description?: string) => ({ ...secret(description), scalar: true })
/** A web address that may contain a password or key, which is hidden from a person who is asked for confirmation. */
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
/** People by id or username; the forge is given ids (names/named.ts). */
export const userIds = (description = 'Ids or usernames') =>
  Type.Array(Type.String(), { separable: true, people: true, description })
/** A list that a change replaces as a whole. A call that would add to it or remove from it is told so. */
export const replacing = <List extends object>(list: List) => ({ ...list, replaces: true })
/** One person, likewise. */
export const userId = (description?: string) =>
  Type.String({ people: true, ...(description !== undefined && { description }) })
/** The same where the catalog lists the number. */
export const userNumber = (description = 'Or username') =>
  Type.Unsafe<number | string>({ type: ['integer', 'string'], people: true, description })
/** A milestone of the project by id or title; the forge is given the id (names/named.ts). */
export const milestoneId = (description = 'Id or title; 0 for none') =>
  Type.String({ milestone: true, none: '0', description })

/**
 * A project by id or path, where the forge takes the id alone (names/named.ts): the number is listed, as the catalog
 * has it. Mirrored as `projectId` is.
 */
export const projectNumber = (description = 'Or its path') =>
  Type.Unsafe<number | string>({
    type: ['integer', 'string'],
    projectNumber: true,
    namedIn: 'project',
    [MIRROR]: PROJECT_MIRROR,
    description
  })

/** A group, likewise. */
export const groupNumber = (description = 'Or its path') =>
  Type.Unsafe<number | string>({
    type: ['integer', 'string'],
    groupNumber: true,
    namedIn: 'group',
    description
  })

/** What the forge takes where the argument is absent: listed, and not sent. */
export const forgeDefault = <S extends TSchema>(value: unknown, schema: S): S => ({
  ...schema,
  [FORGE_DEFAULT]: value
})

/**
 * What another tool explains: validated in full, and beside that one listed without fields, words and explanations.
 * Where that one is not listed, the schema has to do, with its own description.
 * @param by that tool; undefined where it is another argument of the same
 * @param said instead of the explanation; undefined where the name is enough
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
 * name and few calls have a use for.
 */
export const unlisted = <S extends TSchema>(schema: S): S => ({ ...schema, unlisted: true })

/**
 * An id or a path, as the server's instructions say once for all tools. It is mirrored in a header, by which a gateway
 * routes and polices without a look at the body.
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
/** A group, likewise. */
export const groupId = (description?: string) => ({ ...text(description), namedIn: 'group' })
export const MergeRequestIid = text()
export const IssueIid = text()
/** Characters of a duration: a dozen units of some digits each. */
const DURATION_CHARS = 200
/**
 * A duration in the form that forges read; what people write is converted (requests/durations.ts). Ambiguous values are
 * refused: forges read a bare number as hours, but people mostly mean minutes or seconds, and they read 1:30 as minutes
 * and seconds, but people mean hours. So is what they cannot read: they take it for 0, and an estimate would be lost.
 */
export const duration = (description: string) => ({
  ...text(description),
  ...ofAtMost(DURATION_CHARS),
  pattern: `^(?:0+|${plainDuration})$`,
  problem: `${ofTime}, and not negative`,
  duration: true
})
/** The same for what is added, or with a minus taken off. */
export const durationOrLess = (description: string) => ({
  ...duration(description),
  pattern: `^(?:0+|-?${plainDuration})$`,
  problem: ofTime
})
const ofTime = 'must be a length of time with its unit, such as 90m, 3h30m or 1d'
/** A job also has a name, but cannot be found by it. */
export const JobId = Type.String({
  pattern: '^\\d+$',
  problem: 'must be a number, which list_pipeline_jobs gives beside the name'
})
/** A filter: milestones by title, of which a call is told likewise. */
const milestoneNamed = { names: { noun: 'milestone', use: 'filter' } } as const
export const MilestoneFilter = { ...text(), ...milestoneNamed, orId: true }
export const MilestoneTitles = {
  ...texts('One, or None, Any, Upcoming, Started'),
  ...milestoneNamed
}
/** Words by which people are searched, likewise with or without @. */
export const ofPeople = (description: string) => ({ ...text(description), ofPeople: true })
/** One person by username, with or without @, or `me` (names/people.ts). */
export const username = (description?: string) => ({ ...text(description), username: true })
/** A filter: people by username, likewise; a call is told of those that there are not. */
const personNamed = { username: true, names: { noun: 'user', use: 'filter' } } as const
export const usernameFilter = (description?: string) => ({ ...text(description), ...personNamed })
export const usernamesFilter = (description?: string) => ({ ...names(description), ...personNamed })
/** The same where a forge takes None and Any, too. */
export const usernamesOrAny = (description?: string) => ({
  ...usernamesFilter(description),
  names: { ...personNamed.names, orAny: true }
})
/** A filter: a person by id or username, None or Any. */
export const UserFilter = { ...text(), people: true, orAny: true }
/** A thread by its id: the address of a note has the number of that alone. @param by the tool that gives ids */
export const threadId = (by: string) =>
  Type.String({
    pattern: '^(?!https?://)',
    problem: `must be the id of a thread, which ${by} gives: the address of a note has only its own number`
  })
/** For the tools that change a note or resolve its thread. */
export const Resolved = optional(flag('Of its thread; not with body'))
/** A time, ISO 8601, or a date; the names (created_after …) say so to a model. */
export const When = Type.String({
  pattern: `^${timePattern}$`,
  problem: 'must be a time that there is, in ISO 8601, such as 2026-11-21T09:00:00Z',
  time: true
})
/** Few may set it: the forge takes it from administrators and owners. */
export const CreatedAt = When
/** The same for a range of what has a day and no time: both of its ends lie within. */
export const DaysRange = { ...When, ofDays: true } as const
/**
 * A calendar day, YYYY-MM-DD, as the instructions say for all dates. If the argument's name does not say that it is a
 * date, its row does.
 */
export const Day = Type.String({ format: 'date', day: true })
/** One that may be taken away. */
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

/** Keyset pagination, where a forge refuses to count through long lists (results/page-token.ts). */
export const KeysetPage = {
  per_page: Page.per_page,
  page_token: optional({
    ...text('next_page_token of the page before'),
    problem: 'must be the next_page_token of the page before as it came'
  })
}

/** What is done instead of giving the number of a page there. */
export const insteadOfPage = {
  page: 'pages have no numbers here: page_token takes the next_page_token of the page before'
}

const whole = 'this list comes whole, so it has no other pages: leave it out'

/** Of the arguments of a list without pages: it comes whole, as far as the forge sends it, as its first page. */
export const wholeList = { isWhole: true, instead: { page: whole, per_page: whole } } as const

/** Relay pagination of GraphQL lists. */
export const CursorPage = {
  first: optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  after: optional(text('endCursor of the page before'))
}

/** What is done instead of giving the number of a page there. */
export const insteadOfNumber = {
  page: 'pages have no numbers here: after takes the endCursor of the page before'
}

/** Exactly one of both, for requests that begin with `{PG}`; the engine checks it of rows that are one request. */
export const ProjectOrGroup = {
  project_id: optional(projectId('Or group_id')),
  group_id: optional(groupId())
}

/**
 * Of a thing to be deleted no other name is suggested (suggestions/same.ts): the call may be a repeat, and its caller
 * would delete a neighbour.
 */
export const toDelete = <Field extends { namedIn: string }>(field: Field) => ({ ...field, toDelete: true })
export const mayBeDeleted = 'It may be deleted already; nothing was done.'

/** For a row with `confirm`. @param field of the record that it must be */
export const Confirm = (field: string) => ({
  ...text(`Its ${field}, to be sure`),
  lacking: `its ${field}, to be sure`
})
