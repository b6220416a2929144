import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import type { NamedPlace } from '../../src/engine/facts/full-path.ts'
import { metadataOf } from '../../src/engine/facts/metadata.ts'
import { gidOf } from '../../src/engine/requests/gid.ts'
import {
  Day,
  integer,
  markdown,
  milestoneId,
  noneIfEmpty,
  oneOf,
  optional,
  text,
  userIds
} from '../../src/engine/rows/fields.ts'
import { explainFailure } from '../../src/results/failure.ts'
import type { Fields } from '../../src/results/is-record.ts'
import { ArgumentError, CallProblem } from '../../src/results/problem.ts'
import { weightOrNone } from '../families/items/new-weight.ts'
import { healths, healthThere } from './health.ts'
import { gidOfItem } from './place.ts'

/*
 * Builds the input of a mutation. The forge takes the parts of a work item as widgets, with one input record for each.
 */

const MAX_SHOWN = 60

/** Arguments that create_work_item and update_work_item share. */
export const Widgets = {
  description: optional(markdown()),
  assignee_ids: optional(userIds()),
  milestone_id: optional(milestoneId('Id or title')),
  parent_id: optional(text('Id or place (acme/rocket#7)')),
  start_date: optional(Day),
  due_date: optional(Day),
  weight: optional(integer()),
  health_status: optional(oneOf(healths)),
  iteration_id: optional(text('From list_iterations')),
  color: optional(noneIfEmpty(text('Of an epic: #rrggbb')))
}

const byPlace = 'give its place as parent_id, with its number: "acme/rocket#2", or "acme&2" of an epic'

/** Advice for a parent under another name. An iid alone would be taken for the id of another item. */
export const insteadOfParent = {
  parent: byPlace,
  parent_iid: byPlace,
  epic: byPlace,
  epic_id: byPlace,
  epic_iid: byPlace
}

/** Statuses that every forge of the Enterprise edition defines, in the order of their ids, which start at 1. */
export const systemStatuses = ['to_do', 'in_progress', 'done', 'wont_do', 'duplicate'] as const

function statusGid(status: string): string {
  const at = (systemStatuses as readonly string[]).indexOf(
    status
      .trim()
      .toLowerCase()
      .replace(/['’]/g, '')
      .replace(/[\s-]+/g, '_')
  )
  if (at >= 0) return `gid://gitlab/WorkItems::Statuses::SystemDefined::Status/${at + 1}`
  if (/^gid:\/\/gitlab\/WorkItems::Statuses::[\w:]+\/\d{1,19}$/.test(status)) return status
  throw new ArgumentError(
    'status',
    `must be ${systemStatuses.join(', ')} or a global id gid://gitlab/WorkItems::Statuses::…; state_event closes and reopens`
  )
}

const gids = (type: string, argument: string, values: unknown) =>
  (values as (number | string)[]).map(value => gidOf(type, argument, value))
/** The global id, or null for 0 or an empty text, which clear the value. */
const oneOrNone = (type: string, argument: string, value: unknown) =>
  String(value) === '0' ? null : gidOf(type, argument, String(value))
function iterationOrNone(value: string): string | null {
  if (/^\d+$|^gid:/.test(value)) return oneOrNone('Iteration', 'iteration_id', value)
  throw new ArgumentError(
    'iteration_id',
    `must be an id, as list_iterations gives it (state=current: that of now), not ${JSON.stringify(value.slice(0, MAX_SHOWN))}`
  )
}
const orNone = (value: unknown) => (value === '' ? null : value)

/**
 * Where each argument goes: the widget and its field, and how to write its value. A parent may have to be looked up, so
 * it is not here.
 */
const places: Readonly<
  Record<string, readonly [widget: string, field: string, written?: (value: unknown) => unknown]>
> = {
  description: ['descriptionWidget', 'description'],
  assignee_ids: ['assigneesWidget', 'assigneeIds', value => gids('User', 'assignee_ids', value)],
  label_ids: ['labelsWidget', 'labelIds', value => gids('Label', 'label_ids', value)],
  add_label_ids: ['labelsWidget', 'addLabelIds', value => gids('Label', 'add_label_ids', value)],
  remove_label_ids: ['labelsWidget', 'removeLabelIds', value => gids('Label', 'remove_label_ids', value)],
  milestone_id: ['milestoneWidget', 'milestoneId', value => oneOrNone('Milestone', 'milestone_id', value)],
  start_date: ['startAndDueDateWidget', 'startDate', orNone],
  due_date: ['startAndDueDateWidget', 'dueDate', orNone],
  weight: ['weightWidget', 'weight', weightOrNone],
  health_status: ['healthStatusWidget', 'healthStatus', value => healthThere(String(value))],
  iteration_id: ['iterationWidget', 'iterationId', value => iterationOrNone(String(value))],
  color: ['colorWidget', 'color'],
  status: ['statusWidget', 'status', value => statusGid(String(value))]
}

/**
 * The widget inputs for the given arguments. Wrong values are refused before any request.
 * @throws ArgumentError for a value that is no id; CallProblem for arguments that the forge's edition does not have
 */
export async function widgetInputs(
  args: NamedPlace & Fields,
  context: ToolContext
): Promise<Record<string, Record<string, unknown>>> {
  const inputs: Record<string, Record<string, unknown>> = {}
  for (const [name, [widget, field, written]] of Object.entries(places)) {
    const value = args[name]
    if (value === undefined) continue
    inputs[widget] = { ...inputs[widget], [field]: written === undefined ? value : written(value) }
  }
  await refuseWithoutEdition(args, context)
  const { parent_id: parent } = args
  if (parent !== undefined)
    inputs.hierarchyWidget = { parentId: await parentOrNone(`${parent}`, args, context) }
  return inputs
}

const parentOrNone = async (
  parent: string,
  args: NamedPlace,
  context: ToolContext
): Promise<string | null> => (parent === '0' ? null : gidOfItem('parent_id', parent, args, context))

const enterpriseOnly = ['weight', 'health_status', 'iteration_id', 'color', 'status'] as const

/**
 * Refuses arguments that only the Enterprise edition has, if the forge says that it is the Community edition.
 * @throws CallProblem
 */
async function refuseWithoutEdition(args: Arguments, context: ToolContext): Promise<void> {
  const given = enterpriseOnly.filter(name => args[name] !== undefined)
  if (given.length === 0 || (await metadataOf(context))?.enterprise !== false) return
  throw new CallProblem(
    `${given.join(', ')}: only the Enterprise edition of the forge has this, and this is the Community edition. Nothing was sent: leave it out.`
  )
}

/** Messages about a parent that does not exist or may not be seen, as opposed to one that cannot have such a child. */
const aboutParent = /\b(?:work item|(?<!type of )parent|hierarchy|resource that you are attempting)\b/i

/** The same for an iteration. These messages do not name it. */
const aboutIteration = /\biteration\b|\bresource that you are attempting\b/i

/**
 * Adds which numbers name a parent and an iteration, if the forge refused one of them. Callers often give other
 * numbers.
 */
export function explainNamed(error: unknown, { parent_id, iteration_id }: Fields): unknown {
  // Problems that arise in this server already explain themselves.
  if (!(error instanceof Error) || error instanceof ArgumentError) return error
  const said = explainFailure(error, true) ?? error.message
  const named = [
    parent_id !== undefined && aboutParent.test(error.message)
      ? ' parent_id is the id of a work item, not its iid: give its place, as in acme/rocket#7.'
      : '',
    iteration_id !== undefined && aboutIteration.test(error.message)
      ? ' iteration_id is the id, as list_iterations gives it, not the iid.'
      : ''
  ].join('')
  return named === '' ? error : new CallProblem(`${said}${/[.!]$/.test(said) ? '' : '.'}${named}`)
}
