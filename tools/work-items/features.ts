import type { ForgeSchema } from '../../src/engine/facts/forge-schema.ts'

/*
 * What a work item has by its type. Forges give it as `features`; older ones as `widgets`, with the same contents.
 * One part that a forge lacks fails the whole document, so each is asked for only where the forge may have it.
 */

interface Feature {
  /** Its field of WorkItemFeatures. */
  readonly name: string
  readonly widget: string
  readonly fields: string
  /** Only the schema of the Enterprise edition has it. */
  readonly enterprise?: true
}

const feature = (name: string, fields: string): Feature => ({
  name,
  widget: `WorkItemWidget${name[0]!.toUpperCase()}${name.slice(1)}`,
  fields
})

const place = 'iid namespace { fullPath }'
/** Whether there are more than a forge gives at once. */
const more = 'pageInfo { hasNextPage }'

const common = [
  feature('assignees', 'assignees { nodes { username } }'),
  feature('labels', 'labels { nodes { title } }'),
  feature('milestone', 'milestone { id title }'),
  feature('startAndDueDate', 'startDate dueDate')
]

/** Of each item of a list: children and links of each would make a question too complex for a forge. */
export const listed: readonly Feature[] = [...common, feature('hierarchy', `parent { ${place} }`)]

const ofEnterprise = [
  feature('color', 'color'),
  feature('healthStatus', 'healthStatus'),
  feature('iteration', 'iteration { id }'),
  feature('status', 'status { name }'),
  feature('weight', 'weight')
]

/** Of one item. */
export const whole: readonly Feature[] = [
  ...common,
  feature('hierarchy', `parent { ${place} } children { nodes { ${place} } ${more} }`),
  feature('linkedItems', `linkedItems { nodes { linkType workItem { ${place} } } }`),
  ...ofEnterprise.map(feature => ({ ...feature, enterprise: true as const }))
]

/** The arguments that set a feature, by its name. */
const setBy: Readonly<Record<string, readonly string[]>> = {
  assignees: ['assignee_ids'],
  labels: ['label_ids', 'add_label_ids', 'remove_label_ids'],
  milestone: ['milestone_id'],
  startAndDueDate: ['start_date', 'due_date'],
  hierarchy: ['parent_id'],
  color: ['color'],
  healthStatus: ['health_status'],
  iteration: ['iteration_id'],
  status: ['status'],
  weight: ['weight']
}

/** With the ids that were given: what a forge does not take of them it leaves out without a word. */
const withIds = [
  feature('assignees', 'assignees { nodes { id username } }'),
  feature('labels', 'labels { nodes { id title } }'),
  ...[...listed, ...ofEnterprise].filter(({ name }) => name !== 'assignees' && name !== 'labels')
]

/**
 * What the arguments set in an item that was made or changed, as the forge has it now. What is missing the forge refused.
 */
export const set = (args: Readonly<Record<string, unknown>>): readonly Feature[] =>
  withIds.filter(({ name }) => setBy[name]?.some(arg => args[arg] !== undefined))

/** The selection of what is wanted and there, in the form that the forge has; empty where nothing is. */
export async function selectionOf(wanted: readonly Feature[], schema: ForgeSchema): Promise<string> {
  const isEnterprise = wanted.some(feature => feature.enterprise) && (await schema.isEnterprise())
  const there = wanted.filter(feature => feature.enterprise !== true || isEnterprise)
  if (there.length === 0) return ''
  if (schema.has('WorkItem.features')) {
    const parts = there.filter(({ name }) => schema.has(`WorkItemFeatures.${name}`))
    return `features { ${parts.map(({ name, fields }) => `${name} { ${fields} }`).join(' ')} }`
  }
  const parts = there.filter(({ widget }) => schema.has(widget))
  return `widgets { ${parts.map(({ widget, fields }) => `... on ${widget} { ${fields} }`).join(' ')} }`
}
