import type { ForgeSchema } from '../../src/engine/forge-schema.ts'

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
const enterprise = (name: string, fields: string): Feature => ({ ...feature(name, fields), enterprise: true })

const place = 'iid namespace { fullPath }'

const common = [
  feature('assignees', 'assignees { nodes { username } }'),
  feature('labels', 'labels { nodes { title } }'),
  feature('milestone', 'milestone { id }'),
  feature('startAndDueDate', 'startDate dueDate')
]

/** Of each item of a list: children and links of each would make a question too complex for a forge. */
export const listed: readonly Feature[] = [...common, feature('hierarchy', `parent { ${place} }`)]

/** Of one item. */
export const whole: readonly Feature[] = [
  ...common,
  feature('hierarchy', `parent { ${place} } children { nodes { ${place} } }`),
  feature('linkedItems', `linkedItems { nodes { linkType workItem { ${place} } } }`),
  enterprise('color', 'color'),
  enterprise('healthStatus', 'healthStatus'),
  enterprise('iteration', 'iteration { id }'),
  enterprise('status', 'status { name }'),
  enterprise('weight', 'weight')
]

/** The selection of what is wanted and there, in the form that the forge has. */
export async function selectionOf(wanted: readonly Feature[], schema: ForgeSchema): Promise<string> {
  const isEnterprise = wanted.some(feature => feature.enterprise) && (await schema.isEnterprise())
  const there = wanted.filter(feature => feature.enterprise !== true || isEnterprise)
  if (schema.has('WorkItem.features')) {
    const parts = there.filter(({ name }) => schema.has(`WorkItemFeatures.${name}`))
    return `features { ${parts.map(({ name, fields }) => `${name} { ${fields} }`).join(' ')} }`
  }
  const parts = there.filter(({ widget }) => schema.has(widget))
  return `widgets { ${parts.map(({ widget, fields }) => `... on ${widget} { ${fields} }`).join(' ')} }`
}
