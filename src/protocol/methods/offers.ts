import { type ListName, lists } from '../exchange/list-changes.ts'
import type { Service } from '../exchange/service.ts'

/*
 * The capabilities that a server declares, and their methods. A feature that is switched off is neither declared nor
 * served.
 */

export type Offered = Pick<Service, 'lists' | 'completions'>

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

/** Finds the entry of a method in the table of its era; undefined if the method is not offered. */
export function methodOf<Method>(
  table: ReadonlyMap<string, Method>,
  method: string,
  { completions, lists }: Offered
): Method | undefined {
  const about = method.slice(0, Math.max(0, method.indexOf('/')))
  if (about === 'completion' && completions === undefined) return undefined
  return isList(about) && !lists.includes(about) ? undefined : table.get(method)
}
