import type { TObject } from 'typebox'
import { isStatus } from '../../results/failure.ts'
import { recordsIn } from '../../results/is-record.ts'
import { ArgumentError, PolicyProblem } from '../../results/problem.ts'
import { type ArgumentSchema, argumentsOf } from '../arguments/argument-flags.ts'
import type { Arguments, OwnArguments } from '../arguments/values.ts'
import type { LookupContext } from '../context.ts'
import { idOfPath } from '../facts/id-of-path.ts'
import { PAGE } from '../requests/pages.ts'
import { queryOf } from '../requests/query.ts'
import { sideBySide } from '../requests/side-by-side.ts'
import { requestTo } from '../requests/template.ts'
import { nearGroup } from '../suggestions/places.ts'
import {
  type Find,
  flaggedOf,
  idDigitsOf,
  isUrl,
  type MilestoneWebUrls,
  type NamedStep,
  titleIn
} from './flagged.ts'
import { type HeldThing, heldId, idCalled } from './held.ts'
import { labels, listHolderOf, milestones } from './named-kinds.ts'
import { personId, personIdOrAny } from './people.ts'

/* Finds the ids of things that a caller may give by name. */

/** Most names of one argument that are looked up, each by a request, and how many at once. */
const MAX_NAMES = 50
export const AT_ONCE = 4

/**
 * Prepares the look-up of people, milestones, labels and projects by name.
 * @param oldLabels whether labels that are set must exist already
 * @param byWebUrl finds milestones by their addresses
 * @returns undefined for a tool without such arguments
 */
export function namedStep(
  schema: TObject,
  oldLabels: boolean,
  byWebUrl: MilestoneWebUrls
): NamedStep | undefined {
  const setsLabels = ({ names }: ArgumentSchema) =>
    oldLabels && names?.noun === 'label' && names.use === 'set'
  const required: readonly string[] = schema.required ?? []
  const finds: readonly (readonly [string, Find])[] = [
    ...flaggedOf(schema, ({ projectNumber }) => projectNumber).map(name => [name, projectNumber] as const),
    ...flaggedOf(schema, ({ groupNumber, type }) => groupNumber && type !== 'array').map(
      name => [name, groupNumber] as const
    ),
    ...flaggedOf(schema, ({ groupNumber, type }) => groupNumber && type === 'array').map(
      name => [name, groupOfSeveral] as const
    ),
    ...flaggedOf(schema, ({ people, orAny }) => people && !orAny).map(name => [name, personId] as const),
    ...flaggedOf(schema, ({ orAny }) => orAny).map(name => [name, personIdOrAny] as const),
    ...flaggedOf(schema, ({ milestone }) => milestone).map(
      name => [name, milestoneId(required.includes(name), byWebUrl)] as const
    ),
    ...flaggedOf(schema, ({ names }) => names?.noun === 'milestone').map(
      name => [name, byWebUrl.milestoneTitle] as const
    ),
    ...flaggedOf(schema, ({ labelIds }) => labelIds).map(name => [name, labelId] as const),
    ...flaggedOf(schema, ({ namedIn }) => namedIn === 'label').map(
      name => [name, argumentsOf(schema)[name]!.toDelete ? labelToDelete : labelInTexts] as const
    ),
    ...flaggedOf(schema, setsLabels).map(name => [name, oldLabel] as const)
  ]
  if (finds.length === 0) return undefined
  return async (args, context) => {
    for (const [name, find] of finds) {
      const value = args[name]
      if (Array.isArray(value)) {
        fewNamed(name, value.filter(one => isLookedUp(find, String(one), byWebUrl)).length)
        const found = await sideBySide(value, AT_ONCE, one =>
          find(name, String(one), inTarget(args), context)
        )
        args[name] = [...new Set(found)]
      } else if (typeof value === 'string')
        args[name] = String(await find(name, value, inTarget(args), context))
    }
  }
}

/** Whether finding the value takes a request. */
function isLookedUp(find: Find, text: string, { milestoneTitle }: MilestoneWebUrls): boolean {
  if (find === milestoneTitle) return isUrl(text)
  return find === oldLabel || idDigitsOf(text) === undefined
}

/** Things that are created in another project have the labels and milestones of that project. */
const inTarget = ({ project_id, target_project_id: target = project_id, ...args }: Arguments): Arguments => ({
  ...args,
  ...(target !== undefined && { project_id: target })
})

/** @throws ArgumentError if a call would cause too many requests */
export function fewNamed(name: string, names: number): void {
  if (names > MAX_NAMES)
    throw new ArgumentError(name, `has ${names} names to look up, and may have ${MAX_NAMES}: give ids`)
}

const projectNumber: Find = (_name, project, _args, context) =>
  idOfPath('project_id', { project_id: project }, context)

const groupNumber: Find = (_name, group, _args, context) => idOfPath('group_id', { group_id: group }, context)

/** Finds one of several groups that a call names: the forge's refusal does not say which of them does not exist. */
const groupOfSeveral: Find = async (name, group, args, context) => {
  try {
    return await groupNumber(name, group, args, context)
  } catch (error) {
    if (!isStatus(error, [404])) throw error
    const guess = context.mayRun('list_groups')
      ? await context.lookups.within(() => nearGroup(group, args, context.forge)).catch(() => undefined)
      : undefined
    const said = `names ${JSON.stringify(group)}, and there is no such group, or you may not see it`
    throw new ArgumentError(name, guess === undefined ? said : `${said}. ${guess.replace(/\.$/, '')}`)
  }
}

/** @param isActedOn whether the call is about the milestone itself, and not about things that have it */
const milestoneId =
  (isActedOn: boolean, { idAtWebUrl }: MilestoneWebUrls): Find =>
  (name, title, args, context) =>
    isUrl(title)
      ? idAtWebUrl(isActedOn)(name, title, args, context)
      : heldId(heldMilestone(isActedOn), name, title, args, context)

const heldMilestone = (isActedOn: boolean): HeldThing => ({
  of: milestones,
  narrower: title => ({ title }),
  noun: 'milestone',
  lists: 'list_milestones with include_ancestors=true',
  isActedOn,
  ...(!isActedOn && { none: '0 is for none' })
})

const heldLabel: HeldThing = {
  of: labels,
  narrower: search => ({ search, per_page: PAGE }),
  noun: 'label',
  lists: labels.by
}

const labelId: Find = (name, title, args, context) => heldId(heldLabel, name, title, args, context)

/**
 * Finds a label that is written as in texts, `~"1"`. Forges take any other value, and try digits as an id first (spec:
 * 3-reach.md).
 */
const labelInTexts: Find = (name, label, args, context) =>
  titleIn(label) === undefined
    ? Promise.resolve(label)
    : heldId({ ...heldLabel, isActedOn: true }, name, label, args, context)

/** Finds a label to be deleted. The same digits given as the name that confirms the call are no id. */
const labelToDelete: Find = async (name, label, args, context) => {
  const holder = listHolderOf(args)
  if (!/^\d+$/.test(label) || args.confirm !== label || holder === undefined) return label
  return (await idCalled(heldLabel, holder, name, label, args, context)) ?? label
}

/**
 * Returns the arguments of a refused call with the id of what was meant. @throws the refusal if nothing else was meant
 */
type Meant = (refusal: unknown, args: Arguments, context: LookupContext) => Promise<OwnArguments>

/**
 * Prepares a second attempt for digits that a forge does not accept as the id of a milestone: they may be its title.
 * The forge is asked only then, so that a call with an id is one request. A tool that changes the milestone itself has
 * no second attempt, because it could change another one.
 * @returns a function that takes the arguments as given, before names become ids; undefined for a tool without such an
 *   argument
 */
export function titleStep(schema: TObject): ((given: Arguments) => Meant | undefined) | undefined {
  const [name] = flaggedOf(schema, ({ milestone }) => milestone)
  if (name === undefined || (schema.required ?? []).includes(name)) return undefined
  const held = heldMilestone(false)
  return given => {
    const digits = idDigitsOf(String(given[name] ?? ''))
    if (digits === undefined || Number(digits) === 0) return undefined
    return async (refusal, args, context) => {
      const holder = listHolderOf(inTarget(args))
      if (holder === undefined || !isOfMilestone(refusal)) throw refusal
      const look = () => idCalled(held, holder, name, digits, inTarget(args), context)
      const id = await context.lookups.within(look).catch(() => undefined)
      if (id === undefined) throw refusal
      return { ...args, [name]: String(id) }
    }
  }
}

/** Most characters of a refusal that are read: forges name the subject at its beginning. */
const MAX_WORDS = 500

const isOfMilestone = (refusal: unknown): boolean =>
  isStatus(refusal, [400, 404, 422]) && /milestone/i.test((refusal as Error).message.slice(0, MAX_WORDS))

/** A forge creates a label for any unknown name, so a caller who may not create labels must only name existing ones. */
const oldLabel: Find = async (name, title, args, context) => {
  const { forge, names } = context
  if (title === '') return title
  const query = queryOf({ search: title, per_page: PAGE })
  const place = requestTo(`GET /projects/{project_id}/${labels.list}`, args, query)
  return names.find(`label ${place.path}`, async () => {
    const { value } = await forge.send(place)
    if (recordsIn(value).some(label => label[labels.called] === title)) return title
    const off = 'would become a label, and create_label is switched off on this server'
    throw new PolicyProblem(
      `${name} names ${JSON.stringify(title)}, which ${off}${context.mayRun(labels.by) ? `; ${labels.by} has those there are` : ''}.`,
      `${name} names what ${off}.`
    )
  })
}
