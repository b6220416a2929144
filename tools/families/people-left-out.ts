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
    // 0 is for nobody.
    const set = wanted.filter(id => id !== '0')
    return leftOut(argument, set, now, mayBe.people)
  })
  return said.length === 0 ? undefined : said.join(' ')
}

/** Why a forge leaves something out without a word. */
export const mayBe = {
  people: 'who that is may not see it, or is nobody, or there may be one person only',
  labels: 'there is no such label here, or another one of its scope stands for it'
} as const

/** One sentence for the ids that an argument was to set and a record has not. @param now what the record has of them */
export function leftOut(
  argument: string,
  wanted: readonly string[],
  now: unknown,
  why: string
): readonly string[] {
  const ids = new Set(recordsIn(now).map(({ id }) => String(id)))
  const missing = [...new Set(wanted)].filter(id => !ids.has(id))
  if (missing.length === 0 || ids.has('undefined')) return []
  const shown = missing.slice(0, FEW).join(', ') + (missing.length > FEW ? ' and more' : '')
  return [`Of ${argument} the forge left out ${shown}: ${why}.`]
}
