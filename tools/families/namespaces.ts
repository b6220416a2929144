import type { ToolContext } from '../../src/engine/context.ts'
import { inSmallLetters } from '../../src/engine/facts/full-path.ts'
import { decodeNamespace, placeOf } from '../../src/engine/requests/template.ts'
import { CallProblem } from '../../src/results/problem.ts'

/* Tools accept a path where a forge requires the id of a project or namespace. */

type Asked = Pick<ToolContext, 'forge' | 'names'>

const places = {
  namespace: { request: 'GET /namespaces/{namespace}', noun: 'namespace' },
  parent: { request: 'GET /namespaces/{parent}', noun: 'namespace' },
  to_project: { request: 'GET /projects/{to_project}', noun: 'project' }
} as const

const isId = (value: string): boolean => /^\d{1,15}$/.test(value)

/**
 * Returns the id for an argument. @param argument its name; the forge is asked if its value is a path
 * @throws CallProblem when the forge returns a record without an id, and what ForgeClient.send throws
 */
export async function idOf(
  argument: keyof typeof places,
  args: Readonly<Record<string, unknown>>,
  { forge, names }: Asked
): Promise<number> {
  const value = String(args[argument])
  if (isId(value)) return Number(value)
  const { request, noun } = places[argument]
  return names.find(`${noun} ${inSmallLetters(decodeNamespace(argument, value))}`, async () => {
    const { value: record } = await forge.send({ method: 'GET', ...placeOf(request, args) })
    const id = (record as { id?: unknown } | undefined)?.id
    if (typeof id === 'number') return id
    throw new CallProblem(`The forge did not say which ${noun} ${JSON.stringify(value)} is: give its id.`)
  })
}
