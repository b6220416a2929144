import type { ToolContext } from '../../src/engine/context.ts'
import { gidOf, numberOfGid } from '../../src/engine/requests/gid.ts'
import { explainFailure } from '../../src/results/failure.ts'
import { fieldsOf } from '../../src/results/is-record.ts'
import { CallProblem } from '../../src/results/problem.ts'
import { quoted, wordsOf } from '../../src/results/visible.ts'
import { nodesOf } from '../families/lists/connections.ts'
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
  wordsOf(name).slice(0, MAX_CHARS).trim().toLowerCase().replace(/\s+/g, '_')

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

interface OfType {
  readonly project_id?: string | undefined
  readonly type?: string | undefined
  readonly type_id?: string | undefined
}

/** Where epics are made, for a call that wants one in a project. */
function epicsElsewhere({ project_id, type, type_id }: OfType): string {
  const isEpic = plain(type) === 'epic' || numberOfGid(type_id) === EPIC || type_id === String(EPIC)
  return project_id !== undefined && isEpic
    ? ' Epics are of groups: give the group_id of the project’s group in place of project_id.'
    : ''
}

const EPIC = systemTypes.indexOf('epic') + 1

/**
 * Says which types there are, where the forge refused for the type; and of epics, whatever it refused a project for, that
 * they are of groups.
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

/** The types that there are, as a sentence; empty if the forge does not say. */
async function typesOf(namespacePath: () => Promise<string>, context: ToolContext): Promise<string> {
  try {
    const types = await context.lookups.within(async () => availableTypes(await namespacePath(), context))
    return types === undefined ? '' : ` ${typesThere(types)}`
  } catch {
    return ''
  }
}
