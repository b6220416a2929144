import type { ToolContext } from '../../src/engine/context.ts'
import { gidOf, numberOfGid } from '../../src/engine/requests/gid.ts'
import { explainFailure } from '../../src/results/failure.ts'
import { fieldsOf } from '../../src/results/is-record.ts'
import { CallProblem } from '../../src/results/problem.ts'
import { quoted, wordsOf } from '../../src/results/visible.ts'
import { nodesOf } from '../families/lists/connections.ts'
import { typesQuery } from './documents.ts'

/** Types that every forge defines, in the order of their ids, which start at 1. */
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

/** How many types of a place are read, and how many characters of a name. No forge has more. */
const MAX_TYPES = 200
const MAX_CHARS = 300

/** A type's name in one form, so that "Key Result" equals key_result. */
const plain = (name: unknown): string =>
  wordsOf(name).slice(0, MAX_CHARS).trim().toLowerCase().replace(/\s+/g, '_')

/**
 * The types that items of a place may have.
 * @throws what ForgeClient.graphql throws
 */
async function availableTypes(namespacePath: string, { forge }: ToolContext): Promise<Type[]> {
  const { namespace } = await forge.graphql(typesQuery, { namespacePath, onlyAvailable: true })
  return nodesOf(fieldsOf(namespace).workItemTypes).slice(0, MAX_TYPES)
}

function typesThere(types: readonly Type[]): string {
  const names = types.flatMap(({ name }) => (typeof name === 'string' ? [quoted(name)] : []))
  return names.length === 0
    ? 'The forge names no type there: check the path, and that it is a project, as groups have none without a licence for epics.'
    : `Types there: ${names.join(', ')}.`
}

/**
 * The global id of a type. A type that is not a system type is looked up in the place.
 * @throws CallProblem that names the types there are
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

interface OfType {
  readonly project_id?: string | undefined
  readonly type?: string | undefined
  readonly type_id?: string | undefined
}

/** Says where epics are created, for a call that wants one in a project. */
function epicsElsewhere({ project_id, type, type_id }: OfType): string {
  const isEpic = plain(type) === 'epic' || numberOfGid(type_id) === EPIC || type_id === String(EPIC)
  return project_id !== undefined && isEpic
    ? ' Epics are of groups: give the group_id of the project’s group in place of project_id.'
    : ''
}

const EPIC = systemTypes.indexOf('epic') + 1

/**
 * Adds to a refusal which types there are, if the forge refused the type. For an epic in a project it adds that epics
 * belong to groups, whatever the forge refused.
 */
export async function explainType(
  error: unknown,
  args: OfType,
  namespacePath: () => Promise<string>,
  context: ToolContext
): Promise<unknown> {
  if (!(error instanceof Error)) return error
  const said = explainFailure(error, true) ?? error.message
  const isRefusal = /^The forge refused/.test(said)
  const elsewhere = isRefusal ? epicsElsewhere(args) : ''
  const there = aboutType.test(error.message) ? await typesOf(namespacePath, context) : ''
  const stop = /[.!]$/.test(said) ? '' : '.'
  return elsewhere + there === '' ? error : new CallProblem(`${said}${stop}${there}${elsewhere}`)
}

/** The available types, as a sentence; empty if the forge does not say. */
async function typesOf(namespacePath: () => Promise<string>, context: ToolContext): Promise<string> {
  try {
    const types = await context.lookups.within(async () => availableTypes(await namespacePath(), context))
    return types === undefined ? '' : ` ${typesThere(types)}`
  } catch {
    return ''
  }
}
