import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { eachPage, pageOf } from '../../src/engine/requests/pages.ts'
import { planner } from '../../src/engine/requests/plan.ts'
import type { ToolOutput } from '../../src/results/result.ts'
import { wordsOf } from '../../src/results/visible.ts'

/** Most pages of 100 deployments that are read when this service filters or sorts. */
const MAX_PAGES = 10

interface Deployment extends Record<string, unknown> {
  id?: number
  ref?: string
  sha?: string
  status?: string
  environment?: { name?: string }
}

/** Sort keys that the forge refuses, or that only some releases know. */
const keys: Readonly<Record<string, (deployment: Deployment) => string>> = {
  ref: ({ ref }) => ref ?? '',
  status: ({ status }) => status ?? '',
  environment: ({ environment }) => environment?.name ?? ''
}

const plan = planner({ request: 'GET /projects/{project_id}/deployments', local: ['ref', 'sha'] })

/**
 * Lists deployments as the forge does. A forge ignores the filters ref and sha and refuses some orders. In these cases
 * the deployments are filtered and sorted here, from a bounded number of the forge's pages.
 */
export async function listDeployments(args: Arguments, context: ToolContext): Promise<ToolOutput> {
  const key = keys[String(args.order_by)]
  if (args.ref !== undefined || args.sha !== undefined || key !== undefined)
    return pickDeployments(args, key, context)
  const order_by = args.order_by ?? pairedOrder(args)
  const { value, headers } = await context.forge.send(plan(args, { ...args, order_by }))
  return { value, page: headers }
}

/** The order that goes with a filter by update time. Without it, a forge may refuse the filter. */
const pairedOrder = ({ updated_after, updated_before }: Arguments) =>
  updated_after === undefined && updated_before === undefined ? undefined : 'updated_at'

async function pickDeployments(
  args: Arguments,
  key: ((deployment: Deployment) => string) | undefined,
  { forge }: ToolContext
): Promise<ToolOutput> {
  const { page, per_page, order_by, sort, ...filters } = args
  const upstreamOrder = key === undefined ? order_by : undefined
  // The forge is asked for the latest first, whatever the order of the result: if the list is too long to read
  // completely, the latest matter.
  const latest = { ...filters, order_by: upstreamOrder ?? pairedOrder(args) ?? 'id', sort: 'desc' }
  let found: Deployment[] = []
  const isMeant = filterOf(args)
  let read = 0
  const more = await eachPage(
    forge,
    plan(args, latest),
    records => {
      read += records.length
      found.push(...(records as Deployment[]).filter(isMeant))
      return undefined
    },
    { maxPages: MAX_PAGES }
  )
  if (sort !== 'desc') found.reverse()
  if (key !== undefined) found = sortedBy(found, key, sort === 'desc')
  const done =
    key === undefined
      ? `does not filter deployments by ref or sha: ${found.length} of the ${read} read match.`
      : `does not sort deployments by ${order_by}: the ${found.length} ${found.length < read ? `that match of the ${read} read` : 'read'} were sorted here.`
  return {
    ...pageOf(found, { page, per_page }, true),
    notices: [`The forge ${done}${more ? ` ${onlyLatest}` : ''}`]
  }
}

const onlyLatest =
  'Only the latest were read: for older ones narrow with environment, status or updated_before.'

function filterOf({ ref, sha }: Arguments): (deployment: Deployment) => boolean {
  const head = sha === undefined ? undefined : String(sha).toLowerCase()
  return deployment =>
    (ref === undefined || deployment.ref === ref) &&
    (head === undefined || wordsOf(deployment.sha).startsWith(head))
}

/** A stable sort by a key. */
function sortedBy(
  found: readonly Deployment[],
  key: (deployment: Deployment) => string,
  descending: boolean
): Deployment[] {
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
  // A forge may send a list in place of a name. It is converted once, not at each comparison.
  const keyed = found.map(deployment => ({ deployment, key: wordsOf(key(deployment)).slice(0, MAX_KEY) }))
  return keyed
    .sort((a, b) => (descending ? compare(b.key, a.key) : compare(a.key, b.key)))
    .map(({ deployment }) => deployment)
}

/** How many characters of a key are compared: no name is longer. */
const MAX_KEY = 255
