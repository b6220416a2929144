import type { TObject } from 'typebox'
import { isEmptyList, isRecord } from '../../results/is-record.ts'
import type { ToolOutput } from '../../results/result.ts'
import { asKey } from '../../results/shortened.ts'
import { exactly } from '../../results/unseen-in-names.ts'
import { wordsOf } from '../../results/visible.ts'
import { argumentsOf, type NameFlag, type Noun } from '../arguments/argument-flags.ts'
import { guessOf } from '../arguments/problems.ts'
import type { Arguments } from '../arguments/values.ts'
import type { LookupContext } from '../context.ts'
import { PAGE } from '../requests/pages.ts'
import { queryOf } from '../requests/query.ts'
import { sideBySide } from '../requests/side-by-side.ts'
import { requestTo } from '../requests/template.ts'
import { slipOf } from '../suggestions/slips.ts'
import { saidOfJoined } from './joined-labels.ts'
import { kinds, type Listed, type NamedKind } from './named-kinds.ts'
import { meansNobody } from './people.ts'
import { titleFolder, titleLooks } from './titles.ts'

/*
 * Reports names of labels, milestones, people, branches, environments and paths that do not exist. If such a name is
 * used as a filter, a forge finds nothing; if it is a label to be set, a forge creates it, or leaves it out if the
 * caller may not create labels. It reports neither. rows/fields.ts says which arguments are affected.
 */

interface Named extends NameFlag {
  readonly argument: string
  readonly name: string
}

/** A name that does not exist, and the name that may have been meant. */
interface Missing extends Named {
  readonly where: string
  readonly guess: string | undefined
  /** The name of the thing with this id. */
  readonly isIdOf?: string | undefined
}

/** Returns remarks after the call. */
type Afterwards = (output: ToolOutput) => Promise<readonly string[]>

/** Most names of one call that are looked up, and how many at once. */
const MAX_LOOKED_UP = 10
const AT_ONCE = 4

/**
 * Prepares the check of the names in a call. After a change, the returned record shows which labels were set; the forge
 * is asked only about labels that look like several in one (joined-labels.ts), so that other writes are one request.
 * For a list, the names are looked up only if the list is empty. The check never fails a call.
 * @returns undefined for a tool that takes no such names
 */
export function unknownNamesStep(
  schema: TObject
): ((args: Arguments, context: LookupContext) => Afterwards | undefined) | undefined {
  const properties = Object.entries(argumentsOf(schema))
  const naming = properties.flatMap(([argument, { names }]) =>
    names === undefined ? [] : [{ argument, ...names }]
  )
  if (naming.length === 0) return undefined
  return (args, context) => {
    const named = naming
      .flatMap(one => namesIn(args[one.argument], one).map(name => ({ ...one, name })))
      .filter(({ noun }) => mayList(noun, context))
      .slice(0, MAX_LOOKED_UP)
    const set = named.filter(({ use }) => use === 'set')
    const filters = named.filter(one => one.use === 'filter' && kinds[one.noun].listOf(args) !== undefined)
    if (set.length + filters.length === 0) return undefined
    return async ({ value }) => {
      const looksOfTitle = titleLooks()
      return [
        ...set.filter(isLeftOut(value, args)).map(sayLeftOut),
        ...set.flatMap(spelledTwice(value, looksOfTitle)),
        ...mistyped(value, set, looksOfTitle),
        ...(await saidOfJoined(labelsIn(set, value), args, context)),
        ...(filters.length > 0 && isFirstPage(args) && isEmpty(value)
          ? ((await context.lookups.within(() => missingOf(filters, args, context))) ?? []).map(say)
          : [])
      ]
    }
  }
}

const mayList = (noun: Noun, context: LookupContext): boolean => {
  const { by } = kinds[noun]
  return by === undefined || context.mayRun(by)
}

const isFirstPage = ({ page = 1, after }: Arguments): boolean => Number(page) === 1 && after === undefined

/** Whether a value is an empty list, or a record whose list is empty. */
function isEmpty(value: unknown): boolean {
  const list = isRecord(value) ? Object.values(value).find(Array.isArray) : value
  return isEmptyList(list)
}

function namesIn(value: unknown, { noun, use, orAny = false }: NameFlag): string[] {
  const names = [value ?? []]
    .flat()
    .map(String)
    .filter(name => name !== '')
  const { words } = orAny ? { words: /^(?:none|any)$/i } : kinds[noun]
  return use === 'filter' ? names.filter(name => !words.test(name)) : names
}

/** Finds the names that do not exist. Kinds of names that cannot be listed are left out. */
async function missingOf(
  named: readonly Named[],
  args: Arguments,
  context: LookupContext
): Promise<readonly Missing[]> {
  const nouns = [...new Set(named.map(({ noun }) => noun))]
  const missing = await sideBySide(nouns, nouns.length, async noun => {
    try {
      const of = named.filter(one => one.noun === noun)
      return await missingOfKind(kinds[noun], of, args, context)
    } catch {
      return []
    }
  })
  return missing.flat()
}

async function missingOfKind(
  kind: NamedKind,
  named: readonly Named[],
  args: Arguments,
  context: LookupContext
): Promise<readonly Missing[]> {
  const { list, query, where = '' } = kind.listOf(args)!
  const { asked } = kind
  if (asked !== undefined) {
    const missing = await sideBySide(named, AT_ONCE, async one =>
      (await asked.isThere(one.name, context, args))
        ? []
        : [{ ...one, where, guess: await asked.suggest(one.name, args, context) }]
    )
    return missing.flat()
  }
  const ids = new Map<string, string>()
  const read = (narrower: Listed['query']) =>
    namesOf(kind, list, { ...query, ...narrower }, args, context, ids)
  const some = await read({})
  const missing = await sideBySide(named, AT_ONCE, async one => {
    const { name } = one
    // If the first page is full, the name itself is searched for.
    const names = some.length < PAGE ? some : await read({ search: name })
    if (names.length >= PAGE && !names.includes(name)) return []
    return names.includes(name)
      ? []
      : [{ ...one, where, guess: (kind.like ?? guessOf)(name, names), isIdOf: ids.get(name) }]
  })
  return missing.flat()
}

/** Names of the records in a list, at most one page. @param ids collects the names by id */
async function namesOf(
  { called }: NamedKind,
  list: string,
  filter: Listed['query'],
  args: Arguments,
  { forge }: LookupContext,
  ids: Map<string, string>
): Promise<readonly string[]> {
  const query = queryOf({ ...filter, per_page: PAGE })
  const { value } = await forge.send(requestTo(list, args, query))
  return (Array.isArray(value) ? value : []).slice(0, PAGE).map(one => {
    const name = wordsOf(isRecord(one) ? one[called] : one)
    if (isRecord(one) && one.id !== undefined) ids.set(asKey(wordsOf(one.id)), name)
    return name
  })
}

/**
 * Finds labels that were not set. Labels that the same call removes are not reported.
 * @param record as it is after the change; if it does not list its labels, nothing is reported
 */
function isLeftOut(record: unknown, { remove_labels }: Arguments): (one: Named) => boolean {
  const now = labelsOf(record)
  if (now === undefined) return () => false
  const titleOf = titleFolder()
  const titles = new Set([...now, ...[remove_labels ?? []].flat().map(String)].map(titleOf))
  return ({ name }) => !titles.has(titleOf(name))
}

/** Most labels of a record that are compared with each name: no honest record has as many. */
const MAX_COMPARED = 300

/**
 * Finds labels that the record also has in another case, or in another spelling that looks the same: a forge makes a
 * label of each.
 * @param record as it is after the change
 */
function spelledTwice(
  record: unknown,
  looksOfTitle: (title: string) => string
): (one: Named) => readonly string[] {
  const now = labelsOf(record) ?? []
  const titleOf = now.length > MAX_COMPARED ? titleFolder() : looksOfTitle
  const alike = Map.groupBy(now, titleOf)
  return ({ name }) => {
    const set = name.trim()
    const titles = alike.get(titleOf(set)) ?? []
    const other = titles.find(title => title !== set)
    return other === undefined || !titles.includes(set)
      ? []
      : [
          `It has ${exactly(set, other)} and ${exactly(other, set)} now: these are two labels. remove_labels takes one off.`
        ]
  }
}

/**
 * Finds labels that were set and may be typing errors of others on the record: a forge makes a label of each. Which
 * labels the record had before, and which exist, only another request would show.
 */
function mistyped(
  record: unknown,
  set: readonly Named[],
  looksOfTitle: (title: string) => string
): readonly string[] {
  const given = new Set(set.map(({ name }) => name.trim()))
  const now = (labelsOf(record) ?? []).slice(0, MAX_COMPARED)
  const others = now.filter(title => !given.has(title))
  const toldAnyway = new Set(others.map(looksOfTitle))
  return now.flatMap(title => {
    const near = given.has(title) && !toldAnyway.has(looksOfTitle(title)) ? slipOf(title, others) : undefined
    return near === undefined
      ? []
      : [
          `It has ${exactly(title, near)} and ${exactly(near, title)} now: if one is meant, remove_labels takes the other off.`
        ]
  })
}

/** The titles of a record's labels; undefined if it does not list them. */
function labelsOf(record: unknown): readonly string[] | undefined {
  const now = isRecord(record) ? record.labels : undefined
  if (!Array.isArray(now) || now.length > MAX_LABELS) return undefined
  return now.map(label => asKey(wordsOf(isRecord(label) ? label.name : label)))
}

/** The labels of the call that the record has now. */
function labelsIn(set: readonly Named[], record: unknown): readonly string[] {
  const now = new Set(labelsOf(record) ?? [])
  return set.map(({ name }) => name.trim()).filter(name => now.has(name))
}

/** Most labels of a record that are read: no honest record has more. */
const MAX_LABELS = 5_000

const sayLeftOut = ({ noun, name }: Named): string =>
  `The forge did not set ${noun} ${exactly(name)}: ${name.includes('::') ? 'another of its scope may stand for it, or ' : ''}perhaps your role is too low to set one, or there is none and you may make none. ${kinds[noun].hint}`

function say({ argument, noun, name, where, guess, isIdOf }: Missing): string {
  if (isIdOf !== undefined)
    return `There is no ${noun} ${exactly(name)}${where}: that is the id of ${exactly(isIdOf)}, and ${argument} takes names.`
  if (noun === 'label' && /^[!-]/.test(name))
    return `There is no label ${exactly(name)}${where}, and ${argument} cannot leave a label out: list without it, and pass over what has that label.`
  const none = noneOf(argument, name)
  return `There is no ${noun} ${exactly(name)}${where}: ${guess ?? kinds[noun].hint}${none}`
}

/**
 * How to list things without a label or milestone, if the tool does not explain it; for people, how to list things
 * without one.
 */
function noneOf(argument: string, name: string): string {
  if (argument === 'labels' || argument === 'milestone')
    return ` ${argument}=None lists what has no ${argument.replace(/s$/, '')}.`
  if (!meansNobody(name)) return ''
  if (argument === 'assignee_username') return ' assignee_id=None lists what nobody is assigned to.'
  return argument === 'reviewer_username' ? ' reviewer_id=None lists what nobody is to review.' : ''
}
