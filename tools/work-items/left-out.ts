import { numberOfGid } from '../../src/engine/requests/gid.ts'
import { leftOut, mayBe } from '../families/people/people-left-out.ts'
import { type Fields, namedOf } from './record.ts'

/** Arguments that set what is named by ids, and what of it an item has. */
const places = {
  assignee_ids: 'people',
  label_ids: 'labels',
  add_label_ids: 'labels',
  milestone_id: 'milestone'
} as const

/**
 * Names the people, labels and milestone that a mutation should have set but did not: a forge silently leaves them out.
 * @param payload the mutation's
 * @param args with ids in place of names
 */
export function leftOutOf(payload: unknown, args: Fields): string | undefined {
  const { workItem } = payload as { workItem?: Fields | null }
  if (!workItem) return undefined
  const now = namedOf(workItem)
  const said = Object.entries(places).flatMap(([argument, kind]) => {
    if (now[kind] === undefined) return []
    const wanted = [args[argument] ?? []]
      .flat()
      .map(id => String(numberOfGid(id)))
      // By 0 a milestone is taken off.
      .filter(id => id !== '0')
    return leftOut(argument, wanted, now[kind], mayBe[kind])
  })
  return said.length === 0 ? undefined : said.join(' ')
}
