import { nearest } from '../../base/nearest.ts'
import { capabilityFor } from '../../engine/consent/question.ts'
import { type ListName, lists } from '../exchange/list-changes.ts'
import type { Service } from '../exchange/service.ts'

/* The capabilities that a server declares, and their methods: what is switched off is neither declared nor served. */

type Offered = Pick<Service, 'lists' | 'completions'>

/** ServerCapabilities, the same in both eras. */
const capabilitiesOf = ({ completions, lists }: Offered): object => ({
  logging: {},
  ...(completions !== undefined && { completions: {} }),
  ...Object.fromEntries(lists.map(list => [list, { listChanged: true }]))
})

/** The JSON fields `capabilities` and `instructions` for every client, serialized once. */
export const offerOf = (offered: Offered, instructions: string): string =>
  JSON.stringify({ capabilities: capabilitiesOf(offered), instructions }).slice(1, -1)

const isList = (word: string): word is ListName => (lists as readonly string[]).includes(word)

/** Finds the entry of a method in the table of its era; undefined for what is not offered. */
export function methodOf<Method>(
  table: ReadonlyMap<string, Method>,
  method: string,
  { completions, lists }: Offered
): Method | undefined {
  const about = method.slice(0, Math.max(0, method.indexOf('/')))
  if (about === 'completion' && completions === undefined) return undefined
  return isList(about) && !lists.includes(about) ? undefined : table.get(method)
}

/** The words of a method name, in a fixed order: libraries call tools/list listTools or list_tools. */
const wordsOf = (method: string): string =>
  method
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '/')
    .toLowerCase()
    .split(/[^a-z]/)
    .map(word => word.replace(/s$/, ''))
    .sort()
    .join('/')

type Methods = ReadonlyMap<string, unknown>

/**
 * The message for an unknown method. Its name is chosen by the caller, and may have any length.
 * @param others the methods of the other era, and its revisions
 */
export function unknownMethod(
  method: string,
  table: Methods,
  [others, versions]: readonly [Methods, readonly string[]],
  service: Offered & Pick<Service, 'catalog'>
): string {
  const name = method.slice(0, 100)
  if (table.has(method)) return `Unknown method: ${name}. What it is about is switched off on this server.`
  if (others.has(method))
    return `Unknown method: ${name}. It is of ${versions.join(', ')}, and this request is not.`
  if (Object.hasOwn(capabilityFor, method))
    return `Unknown method: ${name}. It is what a server asks its client, whose answer has a result or an error and no method.`
  if (method.startsWith('notifications/'))
    return `Unknown method: ${name}. A notification has no id: leave that out.`
  if (service.catalog.find(method) !== undefined)
    return `Unknown method: ${name}. It is a tool: send tools/call with params.name and params.arguments.`
  const words = wordsOf(name)
  const served = [...table.keys()].filter(other => methodOf(table, other, service) !== undefined)
  const near = served.find(other => wordsOf(other) === words) ?? nearest(name, served)
  return `Unknown method: ${name}${near === undefined ? '' : `. Did you mean ${near}?`}`
}
