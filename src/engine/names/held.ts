import type { Fields } from '../../json/records.ts'
import { recordsIn } from '../../results/is-record.ts'
import { ArgumentError } from '../../results/problem.ts'
import { guessOf } from '../arguments/problems.ts'
import type { Arguments } from '../arguments/values.ts'
import type { LookupContext } from '../context.ts'
import { PAGE } from '../requests/pages.ts'
import { queryOf } from '../requests/query.ts'
import { requestTo } from '../requests/template.ts'
import { textsOf } from '../suggestions/listed.ts'
import { firstIdOf, idDigitsOf, titleIn } from './flagged.ts'
import { type HeldList, type ListHolder, listHolderOf } from './named-kinds.ts'

/** A thing that a project or group holds, such as a milestone or a label, as a call may name it. */
export interface HeldThing {
  readonly of: HeldList
  /** The query that narrows the list to a name. */
  readonly narrower: (name: string) => Readonly<Record<string, string | number>>
  readonly noun: string
  /** The tool that lists them all, and how. */
  readonly lists: string
  /** The value for none, in words, if there is one. */
  readonly none?: string
  /** Whether the call changes the thing itself. A project can change only its own things. */
  readonly isActedOn?: boolean
}

/** @throws ArgumentError if only a group of the project has the thing of that name */
function refuseOfGroup(name: string, title: string, noun: string, found: readonly Fields[]): void {
  const [{ group_id: group } = {}] = found
  if (typeof group !== 'number' || found.some(({ project_id: own }) => own !== undefined)) return
  throw new ArgumentError(
    name,
    `names ${JSON.stringify(title)}, a ${noun} of a group above: give group_id=${group} in place of project_id`
  )
}

/** The id of the thing of that name in a project or group; the name itself if the call has neither of them. */
export async function heldId(
  held: HeldThing,
  name: string,
  given: string,
  args: Arguments,
  context: LookupContext
): Promise<number | string> {
  const { of, noun, isActedOn = false } = held
  const id = idDigitsOf(given)
  // A deletion may be confirmed by the title. Digits that equal it are a title.
  if (id !== undefined && !(isActedOn && args.confirm === given)) return Number(id)
  const holder = listHolderOf(args)
  if (holder === undefined) return given
  const title = titleIn(given) ?? given
  const { path } = requestTo(`${holder.place}/${of.list}`, args)
  return context.names.find(`id of ${isActedOn ? 'own ' : ''}${noun} ${path} ${title}`, async () => {
    const found = await idCalled(held, holder, name, title, args, context)
    if (found !== undefined) return found
    throw new ArgumentError(name, await saidOfNone(held, holder, title, args, context))
  })
}

/**
 * @returns undefined if nothing has that name @throws ArgumentError for a thing of a group, which a project cannot
 *   change
 */
export async function idCalled(
  { of, narrower, noun, isActedOn = false }: HeldThing,
  holder: ListHolder,
  name: string,
  title: string,
  args: Arguments,
  { forge }: LookupContext
): Promise<number | undefined> {
  const place = requestTo(`${holder.place}/${of.list}`, args, queryOf({ ...narrower(title), ...of.query }))
  const { value } = await forge.send(place)
  const isCalled = (record: Fields) => record[of.called] === title
  if (isActedOn && holder.noun === 'project')
    refuseOfGroup(name, title, noun, recordsIn(value).filter(isCalled))
  return firstIdOf(value, isCalled)
}

/** Says that a project or group has nothing of that name, with the name that may be meant. */
async function saidOfNone(
  { of, noun, lists, none, isActedOn }: HeldThing,
  holder: ListHolder,
  title: string,
  args: Arguments,
  context: LookupContext
): Promise<string> {
  const { list, query, by, called } = of
  const mayList = context.mayRun(by)
  // For a change or deletion, no similar name is suggested.
  const guess =
    isActedOn || !mayList
      ? undefined
      : await context.lookups
          .within(async () => {
            const everyOne = requestTo(`${holder.place}/${list}`, args, queryOf({ ...query, per_page: PAGE }))
            const found = recordsIn((await context.forge.send(everyOne)).value)
            return guessOf(title, textsOf(found, called))
          })
          .catch(() => undefined)
  return [
    `names ${JSON.stringify(title)}, and no ${noun} of the ${holder.noun} has that ${called}`,
    guess === undefined ? '' : ` (${guess})`,
    mayList ? `; ${lists} has those there are` : '',
    none === undefined ? '' : `, and ${none}`
  ].join('')
}
