import type { TObject } from 'typebox'
import { isStatus } from '../../results/failure.ts'
import { recordsIn } from '../../results/is-record.ts'
import { ArgumentError } from '../../results/problem.ts'
import { exactly, type UnseenBudget, unseenRemark } from '../../results/unseen-in-names.ts'
import { quoted, quotedFew, quotedName } from '../../results/visible.ts'
import { pieceOfList } from '../arguments/meant-lists.ts'
import type { Arguments } from '../arguments/values.ts'
import type { LookupContext } from '../context.ts'
import { PAGE } from '../requests/pages.ts'
import { queryOf } from '../requests/query.ts'
import { sideBySide } from '../requests/side-by-side.ts'
import { type ForgeRequest, requestTo } from '../requests/template.ts'
import { flaggedOf } from './flagged.ts'
import { labels, listHolderOf } from './named-kinds.ts'

const signed = /^\s*[+-]/

const ofList = new RegExp(`^${pieceOfList}`)

/** Says why a label of this name was probably not intended. @param takes whether labels are taken off by these names */
type Doubt = (name: string, changes: boolean, takes: boolean) => string

const howMeant = (changes: boolean): string =>
  changes
    ? 'add_labels adds and remove_labels takes off, each by names without a sign'
    : 'labels are given by their names alone, without a sign; create_label makes one that is called so'

const ofSign: Doubt = (name, changes) =>
  `has ${quoted(name)}, and there is no label of that name: ${howMeant(changes)}. Nothing was ${changes ? 'changed' : 'made'}`

const asList: Doubt = (name, changes, takes) =>
  `has ${quoted(name)}, and there is no label of that name: give a list of names, as ["bug","ui"]${takes ? '' : '; create_label makes one that is called so'}. Nothing was ${changes ? 'changed' : 'made'}`

const ofUnseen: Doubt = name =>
  `has ${exactly(name)}, and there is no label of that name: it ${unseenRemark(name)}. Give the name without it`

const doubtOf = (name: string, budget: UnseenBudget): Doubt | undefined => {
  if (signed.test(name)) return ofSign
  if (ofList.test(name)) return asList
  return budget.findsIn(name) ? ofUnseen : undefined
}

/**
 * Prepares the refusal of labels whose names nobody intends: names with a sign before them, as other programs write
 * additions and removals, pieces of a list as text, and names with invisible characters. A forge would create a label
 * for any name, and takes none off that is not there. If a label of that name exists, it is used. The forge is asked
 * only about such names, and only for callers who may run the tool that lists labels: to others the refusal would tell
 * which there are.
 * @returns undefined for a tool that sets no labels by name; otherwise a step (args, context) that returns a promise if
 *   the call has such a name. The promise is rejected with ArgumentError if the forge lists labels and none has the
 *   name. If the forge has no labels at all, so that nothing shows the names to be wrong, it gives a sentence on how
 *   names with a sign were taken
 */
export function unmeantLabelsStep(
  input: TObject
): ((args: Arguments, context: LookupContext) => Promise<string | undefined> | undefined) | undefined {
  const set = flaggedOf(input, ({ names }) => names?.noun === 'label' && names.use !== 'filter')
  if (set.length === 0) return undefined
  const taken = new Set(flaggedOf(input, ({ names }) => names?.use === 'taken'))
  const changes = set.includes('add_labels')
  return (args, context) => {
    if (!context.mayRun(labels.by)) return undefined
    const found = set.flatMap(argument =>
      doubtedIn({ argument, changes, takes: taken.has(argument) }, args[argument], context.unseenBudget)
    )
    return found.length === 0 ? undefined : refuseUnknown(found, args, context)
  }
}

interface Labels {
  readonly argument: string
  readonly changes: boolean
  readonly takes: boolean
}

interface Doubted extends Labels {
  readonly label: string
  readonly doubt: Doubt
}

/** The characters that forges strip from the ends of a name (Ruby's strip). A byte order mark is not among them. */
const blanks = /^[\0\t-\r ]+|(?<![\0\t-\r ])[\0\t-\r ]+$/g

/** The doubtful names, each once. */
function doubtedIn(labels: Labels, names: unknown, budget: UnseenBudget): readonly Doubted[] {
  if (!Array.isArray(names)) return []
  return [...new Set(names.map(name => String(name).replace(blanks, '')))].flatMap(label => {
    const doubt = doubtOf(label, budget)
    return doubt === undefined ? [] : [{ ...labels, label, doubt }]
  })
}

/**
 * Most names that one change looks up. A caller who really has such labels has few; a request for each of a thousand
 * would be too much.
 */
const MAX_LOOKED_UP = 10
/** Most that are named in a message. */
const MAX_NAMED = 3
/** Most look-ups at once. */
const WIDTH = 4

async function refuseUnknown(
  found: readonly Doubted[],
  args: Arguments,
  context: LookupContext
): Promise<string | undefined> {
  const [first, ...rest] = found
  if (first === undefined) return undefined
  if (found.length > MAX_LOOKED_UP)
    throw new ArgumentError(
      first.argument,
      `has ${found.length} names such as ${exactly(first.label)}, and no more than ${MAX_LOOKED_UP} that ${found.some(({ doubt }) => doubt === asList) ? 'are pieces of a list, ' : ''}begin with a sign or have characters that nobody sees are looked for: give labels by their plain names, or fewer of these. Nothing was sent`
    )
  const told = await toldOf(first, args, context)
  // If the forge gives no list for the first name, it gives none for the others.
  if (told === 'none') return undefined
  const others = await sideBySide(rest, WIDTH, one => toldOf(one, args, context))
  const taken = found.filter((_, at) => [told, ...others][at] === 'empty').map(({ label }) => label)
  return taken.length === 0
    ? undefined
    : `The forge lists no labels at all, so these were taken as names: ${quotedFew(taken, MAX_NAMED, quotedName)}. If that was not meant: ${howMeant(first.changes)}.`
}

/**
 * The forge's answer about a label: `list`, if a list has it, or may have it beyond the first page; `none`, if the
 * forge gives no list, which is no reason to refuse the change; `empty`, if there is no label at all.
 */
type Told = 'list' | 'none' | 'empty'

/** @throws ArgumentError if no label has that name; ForgeStatusError 401, which the change would get as well */
async function toldOf(
  { argument, label, doubt, changes, takes }: Doubted,
  args: Arguments,
  { forge, names }: LookupContext
): Promise<Told> {
  const holder = listHolderOf(args)
  if (holder === undefined) return 'none'
  const place = `${holder.place}/${labels.list}`
  const query = queryOf({ search: label, per_page: PAGE })
  const request = requestTo(place, args, query)
  const isAny = requestTo(place, args, queryOf({ per_page: 1 }))
  return names.find<Told>(`unmeant label ${request.path}`, async () => {
    const list = await listFrom(request, forge)
    if (list === undefined) return 'none'
    if (list.length >= PAGE || recordsIn(list).some(one => one[labels.called] === label)) return 'list'
    // Only a list with other labels shows that this one is not among them.
    if (
      doubt === ofSign &&
      list.length === 0 &&
      (await names.find(`any label ${isAny.path}`, () => saysAny(isAny, forge))) === 'none'
    )
      return 'empty'
    throw new ArgumentError(argument, doubt(label, changes, takes))
  })
}

/**
 * Only a list that was read and is empty says that there are none: a request that failed shows nothing of them.
 * @throws ForgeStatusError 401
 */
async function saysAny(request: ForgeRequest, forge: LookupContext['forge']): Promise<'some' | 'none'> {
  const list = await listFrom(request, forge)
  return list?.length === 0 ? 'none' : 'some'
}

/**
 * The labels that a forge lists; undefined where it gives no list.
 * @throws ForgeStatusError 401, as that is what the change would meet
 */
async function listFrom(
  request: ForgeRequest,
  forge: LookupContext['forge']
): Promise<readonly unknown[] | undefined> {
  const answer = await forge.send(request).catch(error => {
    if (isStatus(error, [401])) throw error
  })
  return Array.isArray(answer?.value) ? answer.value : undefined
}
