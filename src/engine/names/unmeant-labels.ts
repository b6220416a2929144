import type { TObject } from 'typebox'
import { isStatus } from '../../results/failure.ts'
import { recordsIn } from '../../results/is-record.ts'
import { ArgumentError } from '../../results/problem.ts'
import { exactly, type UnseenLooks, unseenRemark } from '../../results/unseen-in-names.ts'
import { quoted, quotedFew } from '../../results/visible.ts'
import type { LookupContext } from '../context.ts'
import { PAGE } from '../requests/pages.ts'
import { queryOf } from '../requests/query.ts'
import { sideBySide } from '../requests/side-by-side.ts'
import { type ForgeRequest, requestTo } from '../requests/template.ts'
import { type Args, flaggedOf } from './flagged.ts'
import { labels, listHolderOf } from './named-kinds.ts'

const signed = /^\s*[+-]/

/** Says why a label is hardly meant to be made under a name. */
type Doubt = (name: string, changes: boolean) => string

const howMeant = (changes: boolean): string =>
  changes
    ? 'add_labels adds and remove_labels takes off, each by names without a sign'
    : 'labels are given by their names alone, without a sign; create_label makes one that is called so'

const ofSign: Doubt = (name, changes) =>
  `has ${quoted(name)}, and there is no label of that name: ${howMeant(changes)}. Nothing was ${changes ? 'changed' : 'made'}`

const ofUnseen: Doubt = name =>
  `has ${exactly(name)}, and there is no label of that name: it ${unseenRemark(name)}. Give the name without it`

const doubtOf = (name: string, looks: UnseenLooks): Doubt | undefined => {
  if (signed.test(name)) return ofSign
  return looks.findsIn(name) ? ofUnseen : undefined
}

/**
 * Prepares the refusal of labels to be set whose names nobody means to make, as a forge makes a label of any: with a sign
 * before them, as other programs write what to add and to take off, and with characters that nobody sees. A label may be
 * called so and is taken then: only for such a name is the forge asked.
 * @returns undefined for a tool that sets no labels by name; its step gives a promise if there is such a name, which is
 *   rejected with ArgumentError where the forge lists its labels and none has it, and says how names with a sign were taken
 *   where the forge has no labels at all, as then nothing shows that they are not meant
 */
export function unmeantLabelsStep(
  input: TObject
): ((args: Args, context: LookupContext) => Promise<string | undefined> | undefined) | undefined {
  const set = flaggedOf(input, ({ names }) => names?.noun === 'label' && names.use === 'set')
  if (set.length === 0) return undefined
  const changes = set.includes('add_labels')
  return (args, context) => {
    const found = set.flatMap(argument => doubtedIn(argument, args[argument], changes, context.unseen))
    return found.length === 0 ? undefined : refuseUnknown(found, args, context)
  }
}

interface Doubted {
  readonly argument: string
  readonly label: string
  readonly doubt: Doubt
  readonly changes: boolean
}

/** What forges take off the ends of a name (Ruby's strip): a byte order mark stays. */
const blanks = /^[\0\t-\r ]+|(?<![\0\t-\r ])[\0\t-\r ]+$/g

/** The names that are doubted, each once. */
function doubtedIn(
  argument: string,
  names: unknown,
  changes: boolean,
  looks: UnseenLooks
): readonly Doubted[] {
  if (!Array.isArray(names)) return []
  return [...new Set(names.map(name => String(name).replace(blanks, '')))].flatMap(label => {
    const doubt = doubtOf(label, looks)
    return doubt === undefined ? [] : [{ argument, label, doubt, changes }]
  })
}

/** Most names that one change has looked up. Who really has such labels has few; a request for each of a thousand costs all. */
const MOST = 10
/** Most that are told. */
const FEW = 3
/** Most that are looked up at once. */
const WIDTH = 4

async function refuseUnknown(
  found: readonly Doubted[],
  args: Args,
  context: LookupContext
): Promise<string | undefined> {
  const [first, ...rest] = found
  if (first === undefined) return undefined
  if (found.length > MOST)
    throw new ArgumentError(
      first.argument,
      `has ${found.length} names such as ${exactly(first.label)}, and no more than ${MOST} that begin with a sign or have characters that nobody sees are looked for: give labels by their plain names, or fewer of these. Nothing was sent`
    )
  const told = await toldOf(first, args, context)
  // Where the first is given no list, none is given.
  if (told === 'none') return undefined
  const others = await sideBySide(rest, WIDTH, one => toldOf(one, args, context))
  const taken = found.filter((_, at) => [told, ...others][at] === 'empty').map(({ label }) => label)
  return taken.length === 0
    ? undefined
    : `The forge lists no labels at all, so these are names as they are given: ${quotedFew(taken, FEW)}. Otherwise ${howMeant(first.changes)}.`
}

/**
 * What a forge tells of a label: a list that has it, or more than it may tell; no list, which says nothing of it and is no
 * reason to refuse the change; or that there is no label at all.
 */
type Told = 'list' | 'none' | 'empty'

/** @throws ArgumentError where none is called so; ForgeStatusError 401, as that is what the change would meet */
async function toldOf(
  { argument, label, doubt, changes }: Doubted,
  args: Args,
  { forge, names }: LookupContext
): Promise<Told> {
  const holder = listHolderOf(args)
  if (holder === undefined) return 'none'
  const list = `${holder.place}/${labels.list}`
  const query = queryOf({ search: label, per_page: PAGE })
  const request = requestTo(list, args, query)
  const isAny = requestTo(list, args, queryOf({ per_page: 1 }))
  return names.find<Told>(`unmeant label ${request.path}`, async () => {
    const { value } = await forge.send(request).catch(error => {
      if (isStatus(error, [401])) throw error
      return { value: undefined }
    })
    if (!Array.isArray(value)) return 'none'
    if (value.length >= PAGE || recordsIn(value).some(one => one[labels.called] === label)) return 'list'
    // Only a list with others shows that this one is not among them.
    if (
      doubt === ofSign &&
      value.length === 0 &&
      (await names.find(`any label ${isAny.path}`, () => saysAny(isAny, forge))) === 'none'
    )
      return 'empty'
    throw new ArgumentError(argument, doubt(label, changes))
  })
}

const saysAny = async (request: ForgeRequest, forge: LookupContext['forge']): Promise<'some' | 'none'> => {
  const answer = await forge.send(request).catch(() => undefined)
  return Array.isArray(answer?.value) && answer.value.length > 0 ? 'some' : 'none'
}
