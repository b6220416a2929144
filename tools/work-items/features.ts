import type { ForgeSchema } from '../../src/engine/facts/forge-schema.ts'

/*
 * The features of a work item, which depend on its type. Forges give them as `features`, older ones as `widgets` with
 * the same contents. A single part that a forge does not know makes the whole document fail. So each part is requested
 * only if the forge may have it.
 */

interface Feature {
  /** The field's name in WorkItemFeatures. */
  readonly name: string
  readonly widget: string
  readonly fields: string
  /** Set if only the schema of the Enterprise edition has it. */
  readonly enterprise?: true
}

const feature = (name: string, fields: string): Feature => ({
  name,
  widget: `WorkItemWidget${name[0]!.toUpperCase()}${name.slice(1)}`,
  fields
})

const place = 'iid namespace { fullPath }'
/** Selects whether there are more than the forge gives at once. */
const more = 'pageInfo { hasNextPage }'

const common = [
  feature('assignees', 'assignees { nodes { username } }'),
  feature('labels', 'labels { nodes { title } }'),
  feature('milestone', 'milestone { id title }'),
  feature('startAndDueDate', 'startDate dueDate')
]

/**
 * Features of the items in a list. With the children and links of each item, the query would be too complex for a
 * forge.
 */
export const listed: readonly Feature[] = [...common, feature('hierarchy', `parent { ${place} }`)]

const ofEnterprise = [
  feature('color', 'color'),
  feature('healthStatus', 'healthStatus'),
  feature('iteration', 'iteration { id }'),
  feature('status', 'status { name }'),
  feature('weight', 'weight')
]

/** Features of a single item. */
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

/** The same features with ids. A forge silently leaves out ids that it does not accept, so the ids are compared. */
const withIds = [
  feature('assignees', 'assignees { nodes { id username } }'),
  feature('labels', 'labels { nodes { id title } }'),
  ...[...listed, ...ofEnterprise].filter(({ name }) => name !== 'assignees' && name !== 'labels')
]

/**
 * The features that the arguments set in a new or changed item. Whatever is missing in the forge's answer, the forge
 * did not accept.
 */
export const set = (args: Readonly<Record<string, unknown>>): readonly Feature[] =>
  withIds.filter(({ name }) => setBy[name]?.some(arg => args[arg] !== undefined))

/**
 * The GraphQL selection of the wanted features that the forge has, in the form that it knows; empty if there are none.
 */
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
