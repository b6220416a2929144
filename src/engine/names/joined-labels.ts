import { recordsIn } from '../../results/is-record.ts'
import { quoted, wordsOf } from '../../results/visible.ts'
import type { Arguments } from '../arguments/values.ts'
import type { LookupContext } from '../context.ts'
import { PAGE } from '../requests/pages.ts'
import { queryOf } from '../requests/query.ts'
import { requestTo } from '../requests/template.ts'
import { joinedFinder, partsOf } from './joined-names.ts'
import { labels, listHolderOf } from './named-kinds.ts'

/**
 * Finds labels that were set and whose names join the names of several other labels: a forge makes one label of them.
 * The others are looked up only if a name contains a separator; otherwise a write is one request.
 * @param names the labels as given @param args name the project or group of the labels
 * @returns sentences; none if one of the other labels does not exist, or if more than a page of labels would have to be
 *   read
 */
export async function saidOfJoined(
  names: readonly string[],
  args: Arguments,
  { forge, lookups }: LookupContext
): Promise<readonly string[]> {
  const joined = names.map(name => ({ name, parts: partsOf(name) })).filter(({ parts }) => parts.length > 0)
  const holder = listHolderOf(args)
  if (joined.length === 0 || holder === undefined) return []
  const place = requestTo(
    `${holder.place}/${labels.list}`,
    args,
    queryOf({ ...labels.query, per_page: PAGE })
  )
  const answer = await lookups.within(() => forge.send(place)).catch(() => undefined)
  const found = joinedFinder(recordsIn(answer?.value).map(label => wordsOf(label[labels.called])))
  return joined.flatMap(({ name, parts }) => {
    const others = found(parts)
    if (others === undefined) return []
    return `It has one label ${quoted(name)} now, and there are ${others.map(other => quoted(other)).join(' and ')}: if these are meant, give each as a name of its own, and take the one off by remove_labels.`
  })
}
