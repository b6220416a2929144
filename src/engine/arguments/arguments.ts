import type { TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import { isRecord, ownValue } from '../../results/is-record.ts'
import { CallProblem } from '../../results/problem.ts'
import { UnseenBudget } from '../../results/unseen-in-names.ts'
import { refuseOtherSign } from '../requests/signs.ts'
import { type ArgumentSchema, argumentsOf } from './argument-flags.ts'
import { isNoneBeside, meantItems, meantScalar, namesNothing, saysNothing, unseenInMade } from './coercion.ts'
import { describeFault, type Fault, type Properties } from './faults.ts'
import { foundByName, placeByName } from './found-by-name.ts'
import { JsonTexts } from './json-texts.ts'
import type { MeantTexts } from './meant-lists.ts'
import { dividedName, isRemark, meantName } from './name-meant.ts'
import { NameTexts } from './name-texts.ts'
import { namedAnew } from './own-names.ts'
import { Problems } from './problems.ts'
import type { Arguments } from './values.ts'
import { pageOfWhole } from './whole-list.ts'

/** Most items of an array whose schema sets no bound. */
const MAX_ITEMS = 1000
/** Most characters of a text whose schema sets no bound: the longest description that a forge accepts. */
const MAX_TEXT = 1_048_576
/**
 * Most characters of values that are not long texts: arguments of a tool that only reads, which go into a URL or are
 * looked up, and lists or objects that are written as text. Quoting a million of them in a message would delay all
 * other callers.
 */
const MAX_PLAIN = 20_000
/** Most characters of an enum word, a number or a boolean. */
const MAX_WORD = 200

/** The places of arguments that were given, but count as absent. */
export interface Absent {
  /** Those that were empty. */
  readonly emptied: string[]
  /** Those that were null. */
  readonly nulls: string[]
}

/**
 * Makes the reader of a tool's arguments from its schema, part of which is listed to clients (rows/describe.ts).
 * Compiled once per tool.
 *
 * Reading is lenient where models are sloppy (coercion.ts): an empty text counts as absent for an argument that names
 * something. Everything else that does not fit is refused, including unknown names, with a list of the problems; if
 * there are very many, with the first few.
 * @param reads whether the tool only reads. If so, every empty text counts as absent, as it filters by nothing
 * @param now milliseconds since 1970
 * @returns a function (named, absent, budget) that returns the arguments as read, or throws CallProblem. `named` are the
 *   arguments by the tool's own names (own-names.ts), `absent` collects those that count as absent, and `budget` bounds
 *   the search for invisible characters in the call
 */
export function argumentReader(
  schema: TObject,
  reads = false,
  now: () => number = Date.now
): (named: unknown, absent?: Absent, budget?: UnseenBudget) => Record<string, unknown> {
  const required = new Set(schema.required ?? [])
  const properties = new Map(Object.entries(argumentsOf(schema)))
  // Only for reads: a tool that changes a thing may be given its new name.
  const foundBy = (given: string) =>
    reads ? foundByName(given, { has: name => properties.has(name), required }) : undefined
  const validator = Compile(schema)

  const faultsOf = (args: Arguments): string[] =>
    validator.Check(args)
      ? []
      : [...(validator.Errors(args) as Iterable<Fault>)].flatMap(fault =>
          describeFault(fault, args, properties, now())
        )

  return (named, absent = { emptied: [], nulls: [] }, budget = new UnseenBudget()) => {
    const problems = new Problems()
    const longest = reads ? MAX_PLAIN : MAX_TEXT
    const texts = { json: new JsonTexts(), names: new NameTexts() }
    const reading = { problems, texts, longest, foundBy, reads, absent, budget }
    const args = gather(named, properties, reading, schema)
    for (const fault of faultsOf(args)) problems.add(fault)
    problems.refuse()
    return args
  }
}

/** Settings of one call, the same at every depth. */
interface Reading {
  readonly problems: Problems
  readonly texts: MeantTexts
  /** Most characters of a text whose schema sets no bound. */
  readonly longest: number
  /** Explains how to find the tool's thing by an argument that the tool does not have. */
  readonly foundBy: (given: string) => string | undefined
  /** Whether the tool only reads, so that an empty text filters by nothing. */
  readonly reads: boolean
  readonly absent: Absent
  readonly budget: UnseenBudget
}

/** Collects the given arguments, coerced, and reports each name that the tool does not have. */
function gather(
  named: unknown,
  properties: Properties,
  reading: Reading,
  schema: ArgumentSchema
): Record<string, unknown> {
  if (named !== undefined && named !== null && !isRecord(named))
    throw new CallProblem(
      `Invalid arguments: "arguments" must be an object${typeof named === 'string' ? ', not a text with one in it' : ''}.`
    )
  return gatherFields(named ?? {}, properties, '', reading, schema)
}

/** The same rules apply at every depth where names are declared. @param where prefix for messages */
function gatherFields(
  named: Arguments,
  properties: Properties,
  where: string,
  reading: Reading,
  { instead, isWhole, required }: ArgumentSchema
): Record<string, unknown> {
  const { emptied } = reading.absent
  const args: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(named)) {
    const property = properties.get(name)
    if (property === undefined) {
      const page = isWhole === true ? pageOfWhole(name, value) : undefined
      if (page !== undefined && page.instead === undefined) continue
      reading.problems.addUnknown(where, name, properties.keys(), () => ({
        instead: page?.instead ?? ownValue(instead, name) ?? insteadOf(name, properties),
        otherwise: reading.foundBy(where + name),
        given: named,
        required
      }))
      continue
    }
    const meant = readValue(where + name, kindOf(name, named, properties), value, property, reading)
    const isOptional = required?.includes(name) !== true
    if (isOptional && saysNothing(value, meant, property) && (reading.reads || namesNothing(name, property)))
      emptied.push(where + name)
    else args[name] = meant
  }
  complete(args, properties, where, reading)
  return args
}

/** Removes texts that count as absent beside others, sets defaults, and checks the names given to what is made. */
function complete(
  args: Record<string, unknown>,
  properties: Properties,
  where: string,
  { absent, budget, problems }: Reading
): void {
  for (const [name, property] of properties) {
    if (args[name] === '' && isNoneBeside(property, args)) {
      delete args[name]
      absent.emptied.push(where + name)
    }
    if (property.default !== undefined) args[name] ??= property.default
    for (const problem of unseenInMade(where + name, property, args[name], args, budget))
      problems.add(problem)
  }
}

/** What to do instead, for an argument that is written differently here. */
const insteadOf = (given: string, properties: Properties): string | undefined =>
  dividedName(given, name => properties.has(name)) ??
  placeByName(given, name => properties.has(name)) ??
  insteadOfSeveral(given, properties) ??
  insteadOfRemark(given, properties) ??
  insteadOfPart(given, properties) ??
  insteadOfItem(given, properties)

/** What to do instead of giving several things to an argument that names one. */
function insteadOfSeveral(given: string, properties: Properties): string | undefined {
  const name = given.replace(/s$/, '')
  const many = name === given ? undefined : properties.get(name)?.ofSeveral
  return many === undefined ? undefined : `${name} names one: call once for each; ${many} takes several`
}

/** What to do instead of giving a comment to a tool that replaces the text commented on. */
function insteadOfRemark(given: string, properties: Properties): string | undefined {
  for (const [name, property] of properties)
    if (isRemark(given, property)) return `${name} replaces the whole text; ${property.commentedBy} comments`
  return undefined
}

/** What to do instead of adding to, or removing from, a list that a change replaces. */
function insteadOfPart(given: string, properties: Properties): string | undefined {
  const list = /^(?:add|remove)_(.*)/.exec(given)?.[1]
  if (list === undefined) return undefined
  const name = properties.has(list) ? list : (meantName(list, one => properties.has(one)) ?? '')
  return properties.get(name)?.replaces === true
    ? `${name} replaces the whole list: give all that should be in it afterwards`
    : undefined
}

/** What to do instead of giving a field of a list's items beside the list. */
function insteadOfItem(given: string, properties: Properties): string | undefined {
  for (const [name, { items }] of properties) {
    const own = [given, given.replace(/s$/, '')].find(one => ownValue(items?.properties, one) !== undefined)
    if (own !== undefined) return `${own === given ? 'which' : `${own} is what`} each of ${name} has`
  }
  return undefined
}

/**
 * For a number that may be of several kinds, another argument says which: so the number of an issue is never read as
 * that of a merge request, nor an epic's as that of an issue of the project.
 */
function kindOf(name: string, named: Arguments, properties: Properties): string {
  if (name === 'noteable_iid') return noteableNumber(named.noteable_type)
  if (name !== 'iid' && name !== 'iids') return name
  const { numberOf } = properties.get(name)!
  if (numberOf !== undefined) return `${numberOf}_iid`
  return 'group_id' in named && !('project_id' in named) ? 'epic_iid' : 'issue_iid'
}

function noteableNumber(type: unknown): string {
  const [, noun = ''] = (typeof type === 'string' && /^\s{0,9}(issue|merge|[mp]r\b|pull)/i.exec(type)) || []
  if (noun === '') return 'noteable_iid'
  return noun.toLowerCase() === 'issue' ? 'issue_iid' : 'merge_request_iid'
}

/** Reads one value, at any depth. @param path its place, for messages @param name the name by which it is read */
function readValue(
  path: string,
  name: string,
  value: unknown,
  property: ArgumentSchema,
  reading: Reading
): unknown {
  const meant =
    typeof value === 'object' && value !== null && !isOneText(value, property)
      ? meantItems(name, value, property, reading.texts)
      : readScalar(path, name, Array.isArray(value) ? value[0] : value, property, reading)
  if (Array.isArray(meant)) {
    const { items, maxItems = MAX_ITEMS } = property
    if (meant.length > maxItems) throw tooMany(path, meant.length, 'items', maxItems)
    return items === undefined
      ? meant
      : meant.map((item, at) =>
          // Only an item with parts of its own needs its place.
          typeof item === 'object' || items.type === 'object'
            ? readValue(`${path}.${at}`, name, item, items, reading)
            : readScalar(path, name, item, items, reading, at)
        )
  }
  if (typeof meant !== 'object' || meant === null || isOpen(property)) return meant
  const fields = new Map(Object.entries(property.properties!))
  const named = namedAnew(meant, property.properties!, `${path}.`, reading.absent.nulls)
  return gatherFields(named, fields, `${path}.`, reading, property)
}

/** Whether a value is a list of one text where a text is expected. */
const isOneText = (value: object, { type }: ArgumentSchema): value is readonly [string] =>
  type === 'string' && Array.isArray(value) && value.length === 1 && typeof value[0] === 'string'

const tooMany = (what: string, count: number, parts: string, most: number): CallProblem =>
  new CallProblem(`Invalid arguments: ${what} has ${count} ${parts}, and may have ${most}.`)

/** Whether a property is not an object, or is an object whose names the caller chooses. */
const isOpen = ({ properties }: ArgumentSchema): boolean =>
  properties === undefined || Object.keys(properties).length === 0

/** @param path its place, or that of its array, for messages @param at its index in that array */
function readScalar(
  path: string,
  name: string,
  value: unknown,
  property: ArgumentSchema,
  { texts, longest }: Reading,
  at?: number
): unknown {
  if (typeof value === 'string' && value.length > MAX_WORD) {
    const { maxLength = Number.POSITIVE_INFINITY } = property
    const most = mostUnits(property, longest)
    if (value.length > most) {
      const place = at === undefined ? path : `${path}.${at}`
      throw tooMany(place, value.length, 'characters', Math.min(most, maxLength))
    }
  }
  if (typeof value === 'string') refuseOtherSign(name, path, value)
  return meantScalar(name, value, property, texts)
}

/**
 * Longest text, in UTF-16 units, that is validated: a longer one is refused unread, because the validator tests
 * patterns even on texts beyond maxLength. Up to here the validator counts characters, as forges do, each of which has
 * at most two units.
 */
function mostUnits(property: ArgumentSchema, longest: number): number {
  const unbounded = Math.min(longest, longestOf(property))
  const { maxLength } = property
  return maxLength === undefined ? unbounded : Math.min(Math.max(maxLength, unbounded), 2 * maxLength)
}

/** Most characters of a value, by its type, if it is written as text. */
function longestOf({ type, enum: words }: ArgumentSchema): number {
  if (words !== undefined) return MAX_WORD
  if (type === undefined || String(type).includes('string')) return MAX_TEXT
  return type === 'array' || type === 'object' ? MAX_PLAIN : MAX_WORD
}
