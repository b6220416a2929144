import { timeOf } from '../../../src/engine/rows/calendar.ts'
import { type Call, ForgeError, queryText } from '../http.ts'

/** Whether a time lies between <field>_after and <field>_before, both inclusive. */
export const within = (call: Call, field: string, at: number): boolean => {
  const after = queryText(call, `${field}_after`)
  const before = queryText(call, `${field}_before`)
  return (!after || at >= timeOf(after)) && (!before || at <= timeOf(before))
}

type Key = string | number | null

/** For each word of order_by, the key or keys by which rows are ordered. */
export type Keys<T> = Readonly<Record<string, (row: T) => Key | readonly Key[]>>

/** The key for order_by. A key that the list does not have is refused. */
export const keyOf = <K>(call: Call, keys: Readonly<Record<string, K>>, fallback: string): K => {
  const key = keys[queryText(call, 'order_by') ?? fallback]
  if (!key) throw new ForgeError(400, { error: 'order_by does not have a valid value' })
  return key
}

/** How much of a name the search text covers. */
export const likeness = (call: Call, name: string): number =>
  (queryText(call, 'search') ?? '').length / Math.max(name.length, 1)

/** Rows ordered by a key: equal ones by id, those without a key last. `sort` may reverse the default direction. */
export const ordered = <T extends { id: number }>(
  call: Call,
  rows: readonly T[],
  key: Keys<T>[string],
  fallback: 'asc' | 'desc'
): T[] => {
  const sign = (queryText(call, 'sort') ?? fallback) === 'asc' ? 1 : -1
  const compareKeys = (a: Key, b: Key) => {
    if (a === b) return 0
    // As with the forge's NULLS LAST, in either direction.
    if (a === null || b === null) return a === null ? 1 : -1
    return sign * (a < b ? -1 : 1)
  }
  const compare = (a: T, b: T) => {
    const [left, right] = [[key(a)].flat(), [key(b)].flat()]
    const differing = left.findIndex((each, at) => each !== right[at])
    return differing < 0 ? sign * (a.id - b.id) : compareKeys(left[differing]!, right[differing]!)
  }
  return [...rows].sort(compare)
}
