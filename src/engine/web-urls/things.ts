import { foldedPath } from '../../base/folded-path.ts'
import { isRecord, textOf } from '../../results/is-record.ts'
import { ArgumentError } from '../../results/problem.ts'
import { quotedName } from '../../results/visible.ts'
import { argumentsOf } from '../arguments/argument-flags.ts'
import { longerArguments } from '../arguments/near-argument.ts'
import type { Arguments, OwnArguments } from '../arguments/values.ts'
import { flaggedOf, isUrl } from '../names/flagged.ts'
import { withoutAnySign } from '../requests/signs.ts'
import { isNamespace } from '../requests/template.ts'
import { mirroredArguments } from '../rows/describe.ts'
import type { ToolRow } from '../rows/row.ts'
import { isOtherFile, plainName } from './contradiction.ts'
import { putPlace } from './group-in-place.ts'
import { placeIn } from './owner.ts'
import { type Read, reader, unlessProblem } from './reader.ts'
import { referenceIn } from './references.ts'
import { refusalStep } from './refusals.ts'
import { type Offer, pageSaid, restSaid, thingOf } from './said.ts'
import { fieldNames, isNameOfThing } from './segments.ts'
import { MAX_WEB_URL_CHARS, withoutSlashes } from './slashes.ts'
import { beginsWith, isWithin, type WebUrl } from './web-url.ts'

/*
 * Handles things that are named by their web address (`https://host/group/project/-/merge_requests/7`) or by a
 * reference (`group/project!7`) instead of their number. The address fills in missing arguments, except the project,
 * which gateways use to enforce policy. For the arguments of a target (`target_…`) it fills in the project, too.
 */

/**
 * Puts what addresses say into the arguments, under the tool's own names. It throws CallProblem if an address names
 * something other than what is expected.
 * @param told collects which parts of an address are used and which are not. It also gets the segments of a ref and a
 *   path whose border had to be guessed
 */
type ThingsStep = (raw: unknown, asked: WebUrlContext, told: WebUrlRemarks) => unknown

/** The forge, and the tools that the caller may run. */
export interface WebUrlContext extends Offer {
  readonly forge: { readonly webUrl: string }
}

export interface WebUrlRemarks {
  readonly said: string[]
  /**
   * Sentences on the unused parts of addresses: they explain why arguments are missing, or why the result has more.
   */
  readonly unused: string[]
  guess?: readonly string[]
  /** Characters of the addresses that have been read. */
  chars?: number
}

/** Issues are work items, and have the same number as both. */
const sameAs: Readonly<Record<string, string>> = { iid: 'issue_iid', issue_iid: 'iid' }

/** The prefix of arguments for the second of two things. The project of that thing has an argument of its own. */
const TARGET = 'target_'
const sideOf = (name: string): '' | typeof TARGET =>
  /^target_(?:\w+_iid|project_id)$/.test(name) ? TARGET : ''

/**
 * Names that no argument has, but that models use for an address. If the tool has a longer name that takes any address
 * (target_url), the model may mean that one: the reader of arguments says so.
 */
const plainNames = ['url', 'web_url', 'issue_url', 'merge_request_url', 'board_id']

/** Prepares the reading of addresses for a tool. A tool that only reads also gets lines and the like. */
export function thingsStep(row: ToolRow): ThingsStep {
  const { name: tool, input: schema, class: of } = row
  const mirrored = mirroredArguments(row)
  const reads = of === 'read'
  const names = new Set(Object.keys(schema.properties))
  const has = (name: string) => names.has(name)
  const takesSha = argumentsOf(schema).ref?.orCommit === true
  const refuse = refusalStep(row)
  const isOfMilestone = (schema.required ?? []).includes('milestone_id')
  const found = finder(row, names)

  return (raw, asked, told) => {
    const read = reader(asked.forge.webUrl, told)
    const addresses = isRecord(raw) ? found(raw, read) : []
    if (addresses.length === 0) return raw
    const args = { ...(raw as Arguments) }
    for (const one of addresses) {
      const { name, given, address } = one
      if (given !== name) delete args[given]
      if (address.unclear !== undefined && args.ref === undefined && has('ref')) told.guess = address.unclear
      put(one, args, { tool, has, mirrored, reads, read, asked, isOfMilestone, takesSha })
      told.said.push(...pageSaid(given, address, tool))
    }
    for (const one of addresses) {
      const own = sidedFields(one.address.fields, sideOf(one.name))
      told.said.push(...refuse(one, has => othersOf(own, has), args, asked))
      sayUnused(one, args, { tool, has, asked }, told)
    }
    return args
  }
}

/** Prepares the search of given arguments for addresses of things. @param names of the tool's arguments */
function finder(
  { input: schema, class: of }: ToolRow,
  names: ReadonlySet<string>
): (raw: Arguments, read: Read) => readonly Found[] {
  const plain = new Set(plainNames.filter(name => longerArguments(name, [...names]).length === 0))
  // The address of a person looks like that of a group. names/people.ts reads it.
  const people = new Set(flaggedOf(schema, ({ username }) => username))
  const argumentOf = (given: string): string | undefined => {
    if (names.has(given)) return people.has(given) ? undefined : given
    return plain.has(given) ? '' : undefined
  }
  // A tool that does not read items uses the page behind the open item.
  const takesItem = of !== 'read' || names.has('issue_iid') || names.has('iid')
  const meantOf = (address: WebUrl): WebUrl => (takesItem ? address : (address.page ?? address))
  return (raw, read) => {
    const ofGroup = names.has('group_id') && isGiven(raw.group_id) && !isGiven(raw.project_id)
    return Object.entries(raw).flatMap(([given, value]) => {
      if (typeof value !== 'string' || value.length > MAX_WEB_URL_CHARS) return []
      const name = argumentOf(given)
      const address = name === undefined ? undefined : addressIn(value.trim(), name, { given, ofGroup, read })
      return address === undefined ? [] : [{ name: name!, given, address: meantOf(address) }]
    })
  }
}

interface Found {
  /** The argument that the address is for; empty if it was given under a name that no argument has. */
  readonly name: string
  readonly given: string
  readonly address: WebUrl
}

const isGiven = (value: unknown): boolean => (value ?? null) !== null

/** @param ofGroup whether the call names a group and no project */
function addressIn(
  text: string,
  name: string,
  { given, ofGroup, read }: { given: string; ofGroup: boolean; read: Read }
): WebUrl | undefined {
  const isUrl = /^https?:\/\//i.test(text)
  const field = name.slice(sideOf(name).length)
  if (!isUrl) return field.endsWith('iid') && fieldNames.has(field) ? referenceIn(text, ofGroup) : undefined
  if (name === '' || fieldNames.has(field)) return read(text, given)
  if (!isNamespace(name)) return undefined
  // The address of a project or group itself is read, and refused if need be, in step.ts.
  const address = unlessProblem(() => read(text, given))
  return address !== undefined && isWithin(address) ? address : undefined
}

/** Fields that apply only to the file that the address names. */
const lines: ReadonlySet<string> = new Set(['start_line', 'end_line'])

interface Tool {
  readonly tool: string
  readonly has: (name: string) => boolean
  readonly mirrored: ReadonlyMap<string, string>
  readonly reads: boolean
  readonly read: Read
  readonly asked: Offer
  readonly isOfMilestone: boolean
  /** Whether its ref may be a commit. */
  readonly takesSha: boolean
}

function put({ name, given, address }: Found, args: OwnArguments, by: Tool): void {
  const { has, mirrored, reads, isOfMilestone } = by
  // The id is looked up by the address, which has the iid (milestones.ts).
  if (isOfMilestone && isNamespace(name) && address.fields.milestone_iid !== undefined)
    args.milestone_id ??= args[name]
  const fields = sidedFields(fieldsOf(address, args, by.tool), sideOf(name))
  const others = othersOf(fields, has)
  const isTaken = (meant: string) => reads || isNameOfThing(meant)
  const saysAll = isWithin(address) && !address.isReference && others.every(([meant]) => isTaken(meant))
  const isElsewhere = name !== 'path' && isOtherFile(address, args.path)
  putOwn({ name, given, address }, args, by, fields, saysAll)
  for (const [meant, value] of others) {
    if (!isTaken(meant) || isGiven(args[meant]) || (isElsewhere && lines.has(meant))) continue
    if (mirrored.has(meant))
      throw new ArgumentError(given, `is of ${quotedName(String(value))}: give that as ${meant}`)
    args[meant] = value
  }
}

/** The tool's arguments that fields of an address are for, with their values. */
const othersOf = (fields: Arguments, has: Tool['has']): readonly (readonly [string, unknown])[] =>
  Object.entries(fields).flatMap(([field, value]) =>
    [field, otherName(field)].filter(has).map(meant => [meant, value] as const)
  )

/** Adds a remark if the call uses nothing of the thing that an address names. */
function sayUnused(
  { name, given, address }: Found,
  args: Arguments,
  { tool, has, asked }: Pick<Tool, 'tool' | 'has' | 'asked'>,
  told: WebUrlRemarks
): void {
  const isElsewhere = name === '' || isNamespace(name)
  if (!isElsewhere || Object.keys(address.fields).length === 0) return
  const fields = sidedFields(fieldsOf(address, args, tool), sideOf(name))
  const isUsed = othersOf(fields, has).some(
    ([meant, value]) => withoutAnySign(String(args[meant] ?? '')) === String(value)
  )
  const isLookedUp = fields.milestone_iid !== undefined && isUrl(String(args.milestone_id))
  if (isUsed || isLookedUp) return
  told.unused.push(restSaid(given, address, asked, name !== ''))
}

const sidedFields = (fields: Arguments, side: string): Arguments =>
  side === ''
    ? fields
    : Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${side}${name}`, value]))

/** The other name of an issue's number; empty for other fields. */
function otherName(field: string): string {
  const side = sideOf(field)
  const same = sameAs[field.slice(side.length)]
  return same === undefined ? '' : `${side}${same}`
}

/** Sets the argument that the address was given for to its number, project or group. */
function putOwn(
  { name, given, address }: Found,
  args: OwnArguments,
  by: Tool,
  fields: Arguments,
  saysAll: boolean
): void {
  if (!isNamespace(name)) {
    if (name !== '') args[name] = ownOf(name, given, address, fields, by)
    checkOwner({ name, given, address }, args, by, saysAll)
  } else putPlace({ name, given, address }, args, by.reads && by.has('group_id'))
}

function ownOf(
  name: string,
  given: string,
  address: WebUrl,
  fields: Arguments,
  { asked, takesSha }: Pick<Tool, 'asked' | 'takesSha'>
): unknown {
  const own = fields[name] ?? fields[otherName(name)] ?? (name === 'ref' && takesSha ? fields.sha : undefined)
  if (own !== undefined) return own
  throw new ArgumentError(given, `is ${thingOf(address, asked)}`)
}

/**
 * The arguments that an address gives to a tool. If the border between ref and path is unclear, a given ref decides.
 */
function fieldsOf(address: WebUrl, { ref }: Arguments, tool: string): Arguments {
  const { fields, use, unclear } = address
  const all: OwnArguments = { ...fields, ...(address.tool === tool && use) }
  if (unclear === undefined || typeof ref !== 'string') return all
  const [whole, given] = [plainName(unclear.join('/')), plainName(ref)]
  if (beginsWith(whole, given)) all.path = whole.slice(given.length + 1)
  return all
}

/**
 * Checks that the thing belongs to the project or group that is also given. For a target, the project may be left out.
 * @param saysAll whether the error may suggest giving the whole address as the project or group
 */
function checkOwner(
  { name: own, given, address }: Found,
  args: OwnArguments,
  { has, read, asked }: Tool,
  saysAll: boolean
): void {
  const { owner } = address
  if (owner === undefined) return
  const [place, path] = placeIn(owner)
  const side = sideOf(own)
  const name = `${side}${place}`
  if (!has(name)) {
    // The epic of a group would be taken for the project's issue with the same number.
    if (own !== '' && has(`${side}project_id`))
      throw new ArgumentError(given, `is ${thingOf(address, asked)}`)
    return
  }
  const [named] = [args[name]].flat()
  const there = textOf(named)
  if (there === '' && side !== '') {
    args[name] = path
    return
  }
  const whose = quotedName(path)
  const orNumber = given.endsWith('id') ? ', or the number alone' : ''
  const orWhole = saysAll ? ', or the whole address,' : ''
  if (there === '') throw new ArgumentError(given, `is of ${whose}: give that${orWhole} as ${name}`)
  if (plainPath(there, read) !== foldedPath(path))
    throw new ArgumentError(given, `is of ${whose}: give that as ${name}${orNumber}`)
}

/** The plain path of a project or group, from an address, an encoded path, or a path with slashes around it. */
function plainPath(text: string, read: Read): string {
  const isUrl = text.length <= MAX_WEB_URL_CHARS && text.includes('://')
  const owner = isUrl ? unlessProblem(() => read(text))?.owner : undefined
  return withoutSlashes(foldedPath(owner === undefined ? text : placeIn(owner)[1]).replaceAll('%2f', '/'))
}
