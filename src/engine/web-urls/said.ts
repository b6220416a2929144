import { quoted } from '../../results/visible.ts'
import { withArticle } from '../../results/with-article.ts'
import type { WebUrl } from './web-url.ts'

/* The remarks about addresses that a tool uses only in part. */

/** Knows which tools the caller may run, and so which may be suggested. */
export interface Offer {
  mayRun(tool: string): boolean
}

/**
 * Describes what is ignored in a page's address, and how the filters in a list's address were used. A tool that lists
 * other things ignores all filters.
 */
export function pageSaid(given: string, address: WebUrl, by: string): readonly string[] {
  const { tool, use, filters, unread: isUnread } = address
  if (isUnread === true) return [`${given} ${UNREAD}.`]
  if (filters === undefined) return []
  const taken = tool === by ? Object.entries(use) : []
  const unread = tool === by ? filters.unread : filters.given
  const values = taken.map(([name, value]) => `${name}=${quoted([value].flat().join(','))}`)
  return [
    ...(values.length === 0
      ? []
      : [`The address says ${values.join(', ')}; arguments given besides count before it.`]),
    ...(unread.length === 0
      ? []
      : [`Filters in the address that are not read: ${unread.map(quoted).join(', ')}.`])
  ]
}

/** The fault of an address of a page on which an item is open, if `show` cannot be read. */
export const UNREAD =
  'has ?show= for an item that is open on its page, and is not read here: give the number of that item, or leave it out'

/** Names the thing of an address or a reference, and the tool that shows it. */
export function thingOf({ kind, tool, isReference }: WebUrl, caller: Offer): string {
  const noun = kind.replace(/^(?=\w+s$)/, 'list_of_').replaceAll('_', ' ')
  const thing = `the ${isReference ? 'reference' : 'address'} of ${withArticle(noun)}`
  return caller.mayRun(tool) ? `${thing}, which ${tool} shows` : thing
}

/** @param isPlace whether the address was given for a project or group */
export function restSaid(given: string, address: WebUrl, caller: Offer, isPlace: boolean): string {
  const { owner } = address
  const place = owner !== undefined && 'group_path' in owner ? 'group' : 'project'
  const read = isPlace && owner !== undefined ? `only its ${place} is used here` : 'it is not used here'
  return `${given} is ${thingOf(address, caller)}: ${read}.`
}
