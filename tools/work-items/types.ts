import type { ToolContext } from '../../src/engine/context.ts'
import { gidOf } from '../../src/engine/gid.ts'
import { explainFailure } from '../../src/results/failure.ts'
import { fieldsOf } from '../../src/results/is-record.ts'
import { CallProblem } from '../../src/results/problem.ts'
import { quoted } from '../../src/results/visible.ts'
import { nodesOf } from '../families/connections.ts'
import { typesQuery } from './documents.ts'

/** Types that every forge defines, in the order of their ids, from 1. */
export const systemTypes = [
  'issue',
  'incident',
  'test_case',
  'requirement',
  'task',
  'objective',
  'key_result',
  'epic',
  'ticket'
] as const

interface Type {
  id?: unknown
  name?: unknown
}

/** Types of a place that are looked at, and characters of a name: no forge has more. */
const MOST_TYPES = 200
const MAX_CHARS = 300

/** "Key Result" and key_result are one. */
const plain = (name: unknown): string =>
  String(name).slice(0, MAX_CHARS).trim().toLowerCase().replace(/\s+/g, '_')

/** The types that items of a place may have. @throws what ForgeClient.graphql throws */
async function availableTypes(namespacePath: string, { forge }: ToolContext): Promise<Type[]> {
  const { namespace } = await forge.graphql(typesQuery, { namespacePath, onlyAvailable: true })
  return nodesOf(fieldsOf(namespace).workItemTypes).slice(0, MOST_TYPES)
}

function typesThere(types: readonly Type[]): string {
  const names = types.flatMap(({ name }) => (typeof name === 'string' ? [quoted(name)] : []))
  return names.length === 0
    ? 'The forge names no type there: check the path, and that it is a project, as groups have none without a licence for epics.'
    : `Types there: ${names.join(', ')}.`
}

/**
 * The global id of a type; one that is not of the forge's own making is looked for among those of the place.
 * @throws CallProblem with the names that there are
 */
export async function typeGid(
  { type, type_id }: { readonly type?: string | undefined; readonly type_id?: string | undefined },
  namespacePath: string,
  context: ToolContext
): Promise<string> {
  if (type_id !== undefined) return gidOf('WorkItems::Type', 'type_id', type_id)
  const wanted = plain(type)
  const at = (systemTypes as readonly string[]).indexOf(wanted)
  if (at >= 0) return `gid://gitlab/WorkItems::Type/${at + 1}`
  const types = await availableTypes(namespacePath, context)
  const found = types.find(({ name }) => plain(name) === wanted)
  if (typeof found?.id === 'string') return found.id
  throw new CallProblem(
    `There is no type ${JSON.stringify(String(type).slice(0, 60))} in ${JSON.stringify(namespacePath)}. ${typesThere(types)}`
  )
}

const aboutType = /\btypes?\b[^.;]{0,80}\b(?:not found|not available|not allowed|not enabled|is invalid)\b/i

/** Says which types there are, where the forge refused for the type. */
export async function explainType(
  error: unknown,
  namespacePath: () => Promise<string>,
  context: ToolContext
): Promise<unknown> {
  if (!(error instanceof Error) || !aboutType.test(error.message)) return error
  try {
    const types = await context.looks.within(async () => availableTypes(await namespacePath(), context))
    if (types === undefined) return error
    const said = explainFailure(error, false) ?? error.message
    const stop = /[.!]$/.test(said) ? '' : '.'
    return new CallProblem(`${said}${stop} ${typesThere(types)}`)
  } catch {
    return error
  }
}
