import type { Arguments } from '../../../src/engine/arguments/values.ts'
import { fieldsOf, recordsIn } from '../../../src/results/is-record.ts'
import { asKey } from '../../../src/results/shortened.ts'
import { wordsOf } from '../../../src/results/visible.ts'

/** Arguments that set people, and the field of the record that shows them. */
const places = { assignee_ids: 'assignees', reviewer_ids: 'reviewers', user_ids: 'users' } as const

/** How many ids are named at most. */
const MAX_NAMED = 5

/**
 * Names the people that a change should have set but did not. A forge silently leaves out people who may not see the
 * item, and in the Community edition all but one.
 * @param args with ids in place of names
 * @param record the forge's record after the change
 */
export function peopleLeftOut(record: unknown, args: Arguments): string | undefined {
  const said = Object.entries(places).flatMap(([argument, field]) => {
    const now = fieldsOf(record)[field]
    const wanted = [args[argument] ?? []].flat().map(String)
    if (!Array.isArray(now) || now.length > wanted.length) return []
    // 0 means nobody.
    const set = wanted.filter(id => id !== '0')
    return leftOut(argument, set, now, mayBe.people)
  })
  return said.length === 0 ? undefined : said.join(' ')
}

/** Reasons why a forge silently leaves something out. */
export const mayBe = {
  people: () => 'who that is may not see it, or is nobody, or there may be one person only',
  labels: id =>
    `there is no such label here, or another one of its scope stands for it; digits are an id, and where ${id} was a name it is written ~"${id}"`,
  milestone: id =>
    `there is no milestone of that id here; digits are an id, and where ${id} was a title it is written %"${id}"`
} as const satisfies Readonly<Record<string, (id: string) => string>>

/**
 * A sentence about the ids that an argument should have set but a record does not have.
 * @param now the records that have the ids
 * @param why gives the reasons, for the first missing id
 */
export function leftOut(
  argument: string,
  wanted: readonly string[],
  now: unknown,
  why: (id: string) => string
): readonly string[] {
  const ids = new Set(recordsIn(now).map(({ id }) => asKey(wordsOf(id))))
  const missing = [...new Set(wanted)].filter(id => !ids.has(id))
  if (missing.length === 0 || ids.has('undefined')) return []
  const shown = missing.slice(0, MAX_NAMED).join(', ') + (missing.length > MAX_NAMED ? ' and more' : '')
  return [`Of ${argument} the forge left out ${shown}: ${why(missing[0]!)}.`]
}
