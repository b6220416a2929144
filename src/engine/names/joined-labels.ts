import { recordsIn } from '../../results/is-record.ts'
import { quoted, wordsOf } from '../../results/visible.ts'
import { nameFolder } from '../arguments/same-name.ts'
import type { Arguments } from '../arguments/values.ts'
import type { Asked } from '../context.ts'
import { PAGE } from '../requests/pages.ts'
import { queryOf } from '../requests/query.ts'
import { requestTo } from '../requests/template.ts'
import { labels, listHolderOf } from './named-kinds.ts'

/** What people write between names, other than the comma by which they are told apart, and hardly any name has. */
const between = /[;|\n]/
/** Most characters of a name that is read, and most names in one. */
const MAX_CHARS = 200
const MOST_PARTS = 5

/** The names that one may consist of; none for a name that is plainly one. */
function partsOf(name: string): readonly string[] {
  if (name.length > MAX_CHARS) return []
  const parts = name
    .split(between)
    .map(part => part.trim())
    .filter(part => part !== '')
  return parts.length > 1 && parts.length <= MOST_PARTS ? parts : []
}

/**
 * Tells which labels that were set are the names of several others in one: a forge makes a label of it. The others are
 * looked up only where a name has such signs in it: otherwise a write is one request.
 * @param names the labels as given @param args name where labels are looked up
 * @returns sentences; none where not all of the others exist, or if more than a page of labels would have to be read
 */
export async function saidOfJoined(
  names: readonly string[],
  args: Arguments,
  { forge, looks }: Asked
): Promise<readonly string[]> {
  const joined = names.map(name => ({ name, parts: partsOf(name) })).filter(({ parts }) => parts.length > 0)
  const holder = listHolderOf(args)
  if (joined.length === 0 || holder === undefined) return []
  const place = requestTo(
    `${holder.place}/${labels.list}`,
    args,
    queryOf({ ...labels.query, per_page: PAGE })
  )
  const answer = await looks.within(() => forge.send(place)).catch(() => undefined)
  const folded = nameFolder()
  const there = new Map(
    recordsIn(answer?.value).map(label => {
      const called = wordsOf(label[labels.called])
      return [folded(called), called]
    })
  )
  return joined.flatMap(({ name, parts }) => {
    const others = parts.map(part => there.get(folded(part)))
    if (others.includes(undefined)) return []
    return `It has one label ${quoted(name)} now, and there are ${others.map(other => quoted(other!)).join(' and ')}: if these are meant, give each as a name of its own, and take the one off by remove_labels.`
  })
}
