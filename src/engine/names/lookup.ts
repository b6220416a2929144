import type { Fields } from '../../json/records.ts'
import { fieldsOf, recordsIn, textOf } from '../../results/is-record.ts'
import { CallProblem } from '../../results/problem.ts'
import { asKey } from '../../results/shortened.ts'
import { quoted } from '../../results/visible.ts'
import type { ForgeClient } from '../../upstream/client.ts'
import { sameName } from '../arguments/same-name.ts'
import type { Arguments, OwnArguments } from '../arguments/values.ts'
import type { LookupContext } from '../context.ts'
import { PAGE } from '../requests/pages.ts'
import { queryOf } from '../requests/query.ts'
import { numberIn } from '../requests/record.ts'
import { parseTemplate, requestOf, type Template } from '../requests/template.ts'
import { sentence } from '../suggestions/listed.ts'

/** Describes, as data, how the forge is asked for a missing placeholder. */
export interface Lookup {
  /** The argument to fill. */
  readonly fill: string
  /** The argument it is found by. */
  readonly by: string
  /** Lists to ask in turn, each a template plus a fixed query. The first record of the first non-empty list is used. */
  readonly lists: readonly LookupList[]
  /** The field of the record that fills the argument: a number. */
  readonly field: string
  /** The thing looked for, in messages. */
  readonly noun: string
  /** The field that distinguishes records of the same name. If there are several, a tool that changes one refuses. */
  readonly apart?: string
  /** Asks the forge which name may have been meant, before `hint` is used. */
  readonly suggest?: (wanted: string, args: Arguments, context: LookupContext) => Promise<string | undefined>
  /** A sentence that helps a caller who does not know the name. */
  readonly hint?: string
  /** Whether names that differ only in case are the same: usernames and namespaces. */
  readonly ignoreCase?: boolean
  /** Whether digits alone are the value itself, not a name. */
  readonly orId?: boolean
  /**
   * Whether names rarely move to another thing. If so, reads use what was found within the last minute, and no remark
   * is made.
   */
  readonly lasting?: boolean
}

interface LookupList {
  readonly request: string
  readonly query: Readonly<Record<string, string>>
  /** A remark for a record from this list. */
  readonly remark?: string
}

/** @returns which record was chosen, in words, if it has to be looked up; undefined if not */
type LookupStep = (args: OwnArguments, context: LookupContext) => Promise<string | undefined> | undefined

/**
 * Prepares a lookup.
 * @param writes whether the tool changes what is found
 * @returns a step that completes the arguments, or throws CallProblem
 */
export function lookupStep(lookup: Lookup, writes: boolean): LookupStep {
  const finder = new NameLookup(lookup, writes)
  const passedOver = Promise.resolve(
    `${lookup.by} was passed over: ${lookup.fill} says which ${lookup.noun}.`
  )
  return (args, context) => {
    const wanted = args[lookup.by]
    if (args[lookup.fill] !== undefined) return wanted === undefined || wanted === '' ? undefined : passedOver
    // A forge ignores an empty filter, and would return any record.
    if (wanted === undefined || wanted === '')
      throw new CallProblem(`Invalid arguments: give ${lookup.fill} or ${lookup.by}.`)
    return finder.fill(String(wanted), args, context)
  }
}

/** Finds records by their names. */
class NameLookup {
  readonly #lookup: Lookup
  readonly #writes: boolean
  readonly #lists: readonly (Omit<LookupList, 'request'> & { readonly template: Template })[]

  constructor(lookup: Lookup, writes: boolean) {
    this.#lookup = lookup
    this.#writes = writes
    this.#lists = lookup.lists.map(({ request, ...list }) => ({ template: parseTemplate(request), ...list }))
  }

  /**
   * Completes the arguments.
   * @returns which record was chosen, in words, if the caller does not know
   * @throws CallProblem if none has the name, or if it is not clear which one is to be changed
   */
  async fill(wanted: string, args: OwnArguments, context: LookupContext): Promise<string | undefined> {
    const { by, fill, lasting, noun } = this.#lookup
    const found = await this.#known(wanted, args, context)
    const value = String(found.value)
    args[fill] = value
    // A caller who names a person or the like knows which one. Which of several merge requests was chosen is new to the
    // caller.
    if (lasting === true) return undefined
    const chosen = `${by} ${JSON.stringify(args[by])} is ${noun} ${value}.`
    return found.remark === undefined ? chosen : `${chosen} ${found.remark}`
  }

  async #known(wanted: string, args: Arguments, context: LookupContext): Promise<Found> {
    const { lasting, noun, orId } = this.#lookup
    if (orId === true && /^\d+$/.test(wanted)) return { value: wanted, remark: undefined }
    if (lasting !== true) return this.#find(args, context)
    // The key differs from that of the ids kept under the same name (named.ts).
    return context.names.find(`looked up ${noun} ${wanted}`, () => this.#find(args, context))
  }

  async #find(args: Arguments, context: LookupContext): Promise<Found> {
    const lookup = this.#lookup
    const wanted = JSON.stringify(args[lookup.by])
    for (const { template, query, remark } of this.#lists) {
      const found = await listed(template, query, args, lookup, context.forge)
      const [one, ...others] = found.records
      if (one === undefined) continue
      const value = numberIn(one, lookup.field)
      if (others.length === 0 || lookup.apart === undefined) return { value, remark }
      const told = toldApart(found, lookup)
      if (this.#writes)
        throw new CallProblem(
          `Several have ${lookup.by} ${wanted}: ${told}. Nothing was done: give ${lookup.fill}.`
        )
      return { value, remark: `Several open ones have it: ${told}.` }
    }
    const help = await helpWith(lookup, args, context)
    throw new CallProblem(
      `No ${lookup.noun} has ${lookup.by} ${wanted}. Nothing was done.${help === undefined ? '' : ` ${help}`}`
    )
  }
}

/** A sentence that helps a caller whose name does not exist: similar names, or the hint. */
async function helpWith(
  lookup: Lookup,
  args: Arguments,
  context: LookupContext
): Promise<string | undefined> {
  const guess = await context.lookups.within(async () =>
    lookup.suggest?.(String(args[lookup.by]), args, context)
  )
  return guess === undefined ? lookup.hint : sentence(guess)
}

interface Found {
  readonly value: unknown
  readonly remark: string | undefined
}

interface Listed {
  readonly records: readonly Fields[]
  /** Whether there may be more records than these. */
  readonly isFull: boolean
}

async function listed(
  template: Template,
  query: Readonly<Record<string, string>>,
  args: Arguments,
  lookup: Lookup,
  forge: ForgeClient
): Promise<Listed> {
  const search = queryOf({ ...query, [lookup.by]: args[lookup.by] })
  const { value } = await forge.send(requestOf(template, args, search))
  const isWanted = named(String(args[lookup.by]), lookup)
  const all = recordsIn(value).slice(0, PAGE)
  return {
    records: all.filter(record => isWanted(record[lookup.by]) && isInState(record, query.state)),
    isFull: all.length >= Number(query.per_page ?? PAGE)
  }
}

/** Whether a record may have the requested state: a forge may ignore the filter, and a record may lack the field. */
const isInState = ({ state }: Fields, wanted = 'all'): boolean =>
  wanted === 'all' || typeof state !== 'string' || state === wanted

/**
 * Describes records of the same name by the field that distinguishes them, or by their authors if that field is equal
 * or missing.
 */
function toldApart({ records, isFull }: Listed, { field, apart = '' }: Lookup): string {
  const counts = new Map<string, number>()
  const keyOf = ({ [apart]: value }: Fields) => asKey(textOf(value))
  for (const key of records.map(keyOf)) counts.set(key, (counts.get(key) ?? 0) + 1)
  const told = records.map(record => {
    const { [apart]: value, author } = record
    const { username } = fieldsOf(author)
    const isTold = typeof value === 'string'
    const isAlone = isTold && counts.get(keyOf(record)) === 1
    const said = [
      ...(isTold ? [`${apart} ${quoted(value)}`] : []),
      ...(isAlone || username === undefined ? [] : [`by ${quoted(username)}`])
    ]
    return `${numberIn(record, field)}${said.length === 0 ? '' : ` (${said.join(', ')})`}`
  })
  return [...told, ...(isFull ? ['and perhaps more'] : [])].join(', ')
}

/** A record without its name counts as matching the search. */
function named(wanted: string, { ignoreCase = false }: Lookup): (name: unknown) => boolean {
  const isWanted = ignoreCase ? sameName(wanted) : (name: unknown) => name === wanted
  return name => name === undefined || isWanted(name)
}
