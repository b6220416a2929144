import { foldedPath } from '../../base/folded-path.ts'
import type { Fields } from '../../json/records.ts'
import { recordsIn } from '../../results/is-record.ts'
import { ArgumentError } from '../../results/problem.ts'
import { quotedName } from '../../results/visible.ts'
import type { Arguments } from '../arguments/values.ts'
import type { LookupContext } from '../context.ts'
import { type Find, isUrl } from '../names/flagged.ts'
import { listHolderOf, milestones } from '../names/named-kinds.ts'
import { queryOf } from '../requests/query.ts'
import { decodeNamespace, requestTo } from '../requests/template.ts'
import type { Owner } from './owner.ts'
import { thingOf } from './said.ts'
import { MAX_WEB_URL_CHARS } from './slashes.ts'
import { refusePart } from './whole.ts'

/*
 * Finds milestones by their web address. The address has their iid in the project or group, but neither id nor title.
 */

interface Place {
  readonly argument: 'project_id' | 'group_id'
  readonly path: string
}

const placeIn = (owner: Owner): Place =>
  'project_path' in owner
    ? { argument: 'project_id', path: owner.project_path }
    : { argument: 'group_id', path: owner.group_path }

/**
 * @throws ArgumentError for the address of anything else, or of a part of a milestone if the call changes that
 *   milestone
 */
function readMilestone(
  name: string,
  text: string,
  context: LookupContext,
  isActedOn: boolean
): { place: Place; iid: string } {
  if (text.length > MAX_WEB_URL_CHARS) throw new ArgumentError(name, 'is too long for an address')
  const address = context.readWebUrl(text.trim(), name)
  const { owner, fields } = address
  if (owner === undefined || fields.milestone_iid === undefined)
    throw new ArgumentError(name, `is ${thingOf(address, context)}: give that of a milestone`)
  if (isActedOn) refusePart(name, address, false)
  return { place: placeIn(owner), iid: String(fields.milestone_iid) }
}

const isBelow = (path: string, above: string): boolean => path.startsWith(`${above}/`)

/**
 * Whether a call may use a milestone of that place: the call's place is the same, or above or below it. An id is not
 * compared with a path of another kind of place: the forge decides.
 * @param isActedOn whether the milestone itself is changed; then its place must be the call's
 */
function isInReach({ argument, path }: Place, record: Fields, args: Arguments, isActedOn: boolean): boolean {
  const holder = listHolderOf(args)
  if (holder === undefined) return true
  const isSameKind = holder.argument === argument
  const given = foldedPath(decodeNamespace(holder.argument, String(args[holder.argument])))
  if (/^\d+$/.test(given)) return isSameKind ? Number(given) === record[argument] : !isActedOn
  const own = foldedPath(path)
  if (isSameKind && given === own) return true
  return !isActedOn && (isBelow(given, own) || isBelow(own, given))
}

/**
 * Finds the milestone of an address.
 * @param isActedOn whether the milestone itself is changed or deleted
 * @param isById whether the caller wants its id, which never changes and may be remembered; its title may change
 * @returns its record, as the forge lists it
 * @throws ArgumentError for the address of anything else, of a milestone that does not exist or may not be seen, or of
 *   another place than the call's; CallProblem for an address of another forge; and the forge's errors
 */
async function milestoneAt(
  name: string,
  text: string,
  args: Arguments,
  context: LookupContext,
  isActedOn: boolean,
  isById: boolean
): Promise<Fields> {
  const { place, iid } = readMilestone(name, text, context, isActedOn)
  const { argument, path } = place
  const given = args[argument]
  const isNamed =
    given !== undefined && foldedPath(decodeNamespace(argument, String(given))) === foldedPath(path)
  const whole = `${argument === 'project_id' ? 'GET /projects/{project_id}' : 'GET /groups/{group_id}'}/${milestones.list}`
  const none = new ArgumentError(name, 'is the address of no milestone, or of none that may be seen here')
  if (!isNamed && !context.serves(path)) throw none
  const ask = async () => {
    // When a forge includes milestones of ancestor groups, it ignores iids.
    const sent = requestTo(whole, { [argument]: path }, queryOf({ iids: [iid] }))
    const { value } = await context.forge.send(sent)
    const found = recordsIn(value).find(one => String(one.iid) === iid)
    if (found === undefined) throw none
    // Keeps only the fields that are used: the others may change while it is the same milestone.
    return { id: found.id, title: found.title, [argument]: found[argument] }
  }
  const record = await (isById ? context.names.find(`milestone ${iid} of ${argument} ${path}`, ask) : ask())
  if (isInReach(place, record, args, isActedOn)) return record
  throw new ArgumentError(
    name,
    `is the address of a milestone of ${quotedName(path)}: give that as ${argument}, and no other place`
  )
}

/** Finds the id of the milestone of an address. @param isActedOn whether the milestone itself is changed or deleted */
export const idAtWebUrl =
  (isActedOn: boolean): Find =>
  async (name, text, args, context) => {
    const { id } = await milestoneAt(name, text, args, context, isActedOn, true)
    if (typeof id === 'number') return id
    throw new ArgumentError(name, 'is the address of a milestone of which the forge gives no id')
  }

/**
 * For lists, which filter by title: converts the address of a milestone to its title, and leaves other values as they
 * are.
 */
export const milestoneTitle: Find = async (name, text, args, context) => {
  if (!isUrl(text)) return text
  const { title } = await milestoneAt(name, text, args, context, false, false)
  return String(title)
}
