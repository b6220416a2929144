import { sameName } from '../../src/engine/arguments/same-name.ts'
import type { Arguments } from '../../src/engine/arguments/values.ts'
import { timeOf } from '../../src/engine/rows/calendar.ts'
import { fieldsOf } from '../../src/results/is-record.ts'
import { ArgumentError, CallProblem } from '../../src/results/problem.ts'
import { wordsOf } from '../../src/results/visible.ts'

/* The filters by the time of a merge, and by the person who merged. */

const names = ['merged_after', 'merged_before', 'merge_user_id', 'merge_user_username']

/**
 * Refuses combinations that can find nothing. A forge answers them with an empty list.
 * @throws ArgumentError, CallProblem
 */
export function onlyMerged(args: Arguments): void {
  const { state, merge_user_username: by } = args
  if (/^(?:none|any)$/i.test(String(by)))
    throw new ArgumentError(
      'merge_user_username',
      `takes one username, not ${by}: state tells what is merged`
    )
  const name = names.find(name => args[name] !== undefined)
  if (name !== undefined && (state === 'opened' || state === 'closed'))
    throw new CallProblem(`'${name}' finds what is merged, and nothing with state=${state}: leave one out.`)
}

/** Older forges ignore these filters and list everything, so the filters are applied here as well. */
export function mergedAsAsked(value: unknown, args: Arguments): unknown {
  const { merged_after: after, merged_before: before, merge_user_id: id, merge_user_username: name } = args
  if (!Array.isArray(value) || (after ?? before ?? id ?? name) === undefined) return value
  const [from, to] = [after, before].map(timeOf)
  const isWanted = name === undefined ? undefined : sameName(String(name))
  return value.filter(record => {
    const by = fieldsOf(record?.merge_user ?? record?.merged_by)
    if (id !== undefined && wordsOf(by.id) !== String(id)) return false
    if (isWanted?.(by.username) === false) return false
    const at = timeOf(record?.merged_at)
    return !(at < from! || at > to! || Number.isNaN(at))
  })
}
