import type { TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import { isRecord, ownValue } from '../../results/is-record.ts'
import { CallProblem } from '../../results/problem.ts'
import { UnseenLooks } from '../../results/unseen-in-names.ts'
import { refuseOtherSign } from '../requests/signs.ts'
import { type ArgumentSchema, argumentsOf } from './argument-flags.ts'
import { isNoneBeside, meantItems, meantScalar, namesNothing, saysNothing, unseenInMade } from './coercion.ts'
import { describeFault, type Fault, type Properties } from './faults.ts'
import { foundByName, placeByName } from './found-by-name.ts'
import { JsonTexts } from './json-texts.ts'
import { dividedName, isRemark, meantName } from './name-meant.ts'
import { namedAnew } from './own-names.ts'
import { Problems } from './problems.ts'
import type { Arguments } from './values.ts'
import { asksNoPage } from './whole-list.ts'

/** Most items of an array whose schema sets no bound. */
const MAX_ITEMS = 1000
/** Most characters of a text whose schema sets no bound: the longest description that a forge accepts. */
const MAX_TEXT = 1_048_576
/**
 * Most characters of values that are not long texts: arguments of a tool that only reads, which go into a URL or are
 * looked up, and lists or objects that are written as text. Quoting a million of them in a message would delay all
 * others.
 */
const MAX_PLAIN = 20_000
/** Most characters of an enum word, a number or a boolean. */
const MAX_WORD = 200

/** The places of what was given, and counts as absent. */
export interface Absent {
  /** It was empty. */
  readonly emptied: string[]
  /** It was null. */
  readonly nulls: string[]
}

/**
 * Makes the reader of a tool's arguments from its schema, of which a client is told a part (rows/describe.ts).
 * Compiled once per tool.
 *
 * Reading is lenient where models are sloppy (coercion.ts): an empty text counts as absent where something is named.
 * Everything else that does not fit is refused, including unknown names, with a list of the problems; if there are very
 * many, only of the first few.
 * @param reads whether the tool only reads: for such a tool an empty text counts as absent, as it filters by nothing
 * @param now milliseconds since 1970
 * @returns a function of the arguments by the tool's own names (own-names.ts), of what is to collect what counts as absent,
 *   and of the looks of the call. It gives them as read or throws CallProblem
 */
export function argumentReader(
  schema: TObject,
  reads = false,
  now: () => number = Date.now
): (named: unknown, absent?: Absent, looks?: UnseenLooks) => Record<string, unknown> {
  const required = new Set(schema.required ?? [])
  const properties = new Map(Object.entries(argumentsOf(schema)))
  // What changes a thing may be given its new name.
  const foundBy = (given: string) =>
    reads ? foundByName(given, { has: name => properties.has(name), required }) : undefined
  const validator = Compile(schema)

  const faultsOf = (args: Arguments): string[] =>
    validator.Check(args)
      ? []
      : [...(validator.Errors(args) as Iterable<Fault>)].flatMap(fault =>
          describeFault(fault, args, properties, now())
        )

  return (named, absent = { emptied: [], nulls: [] }, looks = new UnseenLooks()) => {
    const problems = new Problems()
    const longest = reads ? MAX_PLAIN : MAX_TEXT
    const reading = { problems, json: new JsonTexts(), longest, foundBy, reads, absent, looks }
    const args = gather(named, properties, reading, schema)
    for (const fault of faultsOf(args)) problems.add(fault)
    problems.refuse()
    return args
  }
}

/** Settings of one call, the same at each depth. */
interface Reading {
  readonly problems: Problems
  readonly json: JsonTexts
  /** Characters of a text whose schema sets no bound of its own. */
  readonly longest: number
  /** How the thing of a tool is found by an argument that it does not have. */
  readonly foundBy: (given: string) => string | undefined
  /** Whether the tool only reads, so that any empty text filters by nothing. */
  readonly reads: boolean
  readonly absent: Absent
  readonly looks: UnseenLooks
}

/** The given arguments, coerced, and a problem for each name that the tool does not have. */
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

/** The same rules hold at every depth where names are declared. @param where prefix for messages */
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
      if (isWhole === true && asksNoPage(name, value)) continue
      reading.problems.addUnknown(where, name, properties.keys(), () => ({
        instead: ownValue(instead, name) ?? insteadOf(name, properties),
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

/** Takes out what is none beside others, puts in defaults, and looks at the names that are given to what is made. */
function complete(
  args: Record<string, unknown>,
  properties: Properties,
  where: string,
  { absent, looks, problems }: Reading
): void {
  for (const [name, property] of properties) {
    if (args[name] === '' && isNoneBeside(property, args)) {
      delete args[name]
      absent.emptied.push(where + name)
    }
    if (property.default !== undefined) args[name] ??= property.default
    for (const problem of unseenInMade(where + name, property, args[name], args, looks)) problems.add(problem)
  }
}

/** What is done instead of giving an argument that is written otherwise here. */
const insteadOf = (given: string, properties: Properties): string | undefined =>
  dividedName(given, name => properties.has(name)) ??
  placeByName(given, name => properties.has(name)) ??
  insteadOfSeveral(given, properties) ??
  insteadOfRemark(given, properties) ??
  insteadOfPart(given, properties) ??
  insteadOfItem(given, properties)

/** What is done instead of giving several things where one is named. */
function insteadOfSeveral(given: string, properties: Properties): string | undefined {
  const name = given.replace(/s$/, '')
  const many = name === given ? undefined : properties.get(name)?.ofSeveral
  return many === undefined ? undefined : `${name} names one: call once for each; ${many} takes several`
}

/** What is done instead of giving a comment to what changes the text that it is on. */
function insteadOfRemark(given: string, properties: Properties): string | undefined {
  for (const [name, property] of properties)
    if (isRemark(given, property)) return `${name} replaces the whole text; ${property.commentedBy} comments`
  return undefined
}

/** What is done instead of adding to a list, or taking from one, that a change replaces. */
function insteadOfPart(given: string, properties: Properties): string | undefined {
  const list = /^(?:add|remove)_(.*)/.exec(given)?.[1]
  if (list === undefined) return undefined
  const name = properties.has(list) ? list : (meantName(list, one => properties.has(one)) ?? '')
  return properties.get(name)?.replaces === true
    ? `${name} replaces the whole list: give all that should be in it afterwards`
    : undefined
}

/** What is done instead of giving beside a list what each of its items has. */
function insteadOfItem(given: string, properties: Properties): string | undefined {
  for (const [name, { items }] of properties) {
    const own = [given, given.replace(/s$/, '')].find(one => ownValue(items?.properties, one) !== undefined)
    if (own !== undefined) return `${own === given ? 'which' : `${own} is what`} each of ${name} has`
  }
  return undefined
}

/**
 * For a number that may be of several kinds, another argument tells which it is: so the number of an issue is never
 * read as that of a merge request, nor an epic's as that of an issue of the project.
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

/** One value, at any depth. @param path its place, for messages @param name by which it is read */
function readValue(
  path: string,
  name: string,
  value: unknown,
  property: ArgumentSchema,
  reading: Reading
): unknown {
  const meant =
    typeof value === 'object' && value !== null && !isOneText(value, property)
      ? meantItems(name, value, property)
      : readScalar(path, name, Array.isArray(value) ? value[0] : value, property, reading)
  if (Array.isArray(meant)) {
    const { items, maxItems = MAX_ITEMS } = property
    if (meant.length > maxItems) throw tooMany(path, meant.length, 'items', maxItems)
    return items === undefined
      ? meant
      : meant.map((item, at) =>
          // Only what has parts of its own needs its place.
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

/** Whether a property is no object, or one whose names are the caller's own. */
const isOpen = ({ properties }: ArgumentSchema): boolean =>
  properties === undefined || Object.keys(properties).length === 0

/** @param path its place, or that of the array it is in, for messages @param at its index there */
function readScalar(
  path: string,
  name: string,
  value: unknown,
  property: ArgumentSchema,
  { json, longest }: Reading,
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
  return meantScalar(name, value, property, json)
}

/**
 * UTF-16 units of a text beyond which it is refused unread: the validator tries patterns on whatever it is too long
 * for. Below its bound the validator counts characters, as forges do, of which one has two units at most.
 */
function mostUnits(property: ArgumentSchema, longest: number): number {
  const unbounded = Math.min(longest, longestOf(property))
  const { maxLength } = property
  return maxLength === undefined ? unbounded : Math.min(Math.max(maxLength, unbounded), 2 * maxLength)
}

/** Characters of a value of a type that is written as text. */
function longestOf({ type, enum: words }: ArgumentSchema): number {
  if (words !== undefined) return MAX_WORD
  if (type === undefined || String(type).includes('string')) return MAX_TEXT
  return type === 'array' || type === 'object' ? MAX_PLAIN : MAX_WORD
}
