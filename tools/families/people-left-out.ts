import type { Arguments } from '../../src/engine/checks.ts'
import { fieldsOf, recordsIn } from '../../src/results/is-record.ts'

/** Arguments that set people, and where the record has them. */
const places = { assignee_ids: 'assignees', reviewer_ids: 'reviewers', user_ids: 'users' } as const

/** Ids that are told. */
const FEW = 5

/**
 * Says which of the people that a change was to set its record has not: a forge leaves out without a word whoever may not
 * see the thing, and in the Community edition all but one.
 * @param args with ids in the place of names @param record the forge's, as it is after the change
 */
export function peopleLeftOut(record: unknown, args: Arguments): string | undefined {
  const said = Object.entries(places).flatMap(([argument, field]) => {
    const now = fieldsOf(record)[field]
    const wanted = [args[argument] ?? []].flat().map(String)
    if (!Array.isArray(now) || now.length > wanted.length) return []
    const ids = new Set(recordsIn(now).map(({ id }) => String(id)))
    // 0 is for nobody.
    const missing = [...new Set(wanted)].filter(id => id !== '0' && !ids.has(id))
    if (missing.length === 0 || ids.has('undefined')) return []
    const shown = missing.slice(0, FEW).join(', ') + (missing.length > FEW ? ' and more' : '')
    return [
      `Of ${argument} the forge left out ${shown}: who that is may not see it, or is nobody, or there may be one person only.`
    ]
  })
  return said.length === 0 ? undefined : said.join(' ')
}
