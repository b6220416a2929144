import type { Arguments } from '../../src/engine/arguments/values.ts'
import { numberOfGid } from '../../src/engine/requests/gid.ts'
import type { Fields } from '../../src/results/is-record.ts'
import { leftOut, mayBe } from '../families/people/people-left-out.ts'
import { namedOf } from './record.ts'

/** Arguments that name things by id, and the part of an item that shows them. */
const places = {
  assignee_ids: 'people',
  label_ids: 'labels',
  add_label_ids: 'labels',
  milestone_id: 'milestone'
} as const

/**
 * Names the people, labels and milestone that a mutation should have set but did not. A forge silently leaves them out.
 * @param payload of the mutation
 * @param args with ids in place of names
 */
export function leftOutOf(payload: unknown, args: Arguments): string | undefined {
  const { workItem } = payload as { workItem?: Fields | null }
  if (!workItem) return undefined
  const now = namedOf(workItem)
  const said = Object.entries(places).flatMap(([argument, kind]) => {
    if (now[kind] === undefined) return []
    const wanted = [args[argument] ?? []]
      .flat()
      .map(id => String(numberOfGid(id)))
      // 0 removes a milestone.
      .filter(id => id !== '0')
    return leftOut(argument, wanted, now[kind], mayBe[kind])
  })
  return said.length === 0 ? undefined : said.join(' ')
}
