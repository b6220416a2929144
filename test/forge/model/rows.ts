import { type Call, queryText } from '../http.ts'

/** Whether a time lies within <field>_after and <field>_before, both inclusive. */
export const within = (call: Call, field: string, at: number): boolean => {
  const after = queryText(call, `${field}_after`)
  const before = queryText(call, `${field}_before`)
  return (!after || at >= Date.parse(after)) && (!before || at <= Date.parse(before))
}

/** Rows in the order of a key, equal ones by id; `sort` may turn the default direction round. */
export const ordered = <T extends { id: number }>(
  call: Call,
  rows: readonly T[],
  key: (row: T) => string | number,
  fallback: 'asc' | 'desc'
): T[] => {
  const sign = (queryText(call, 'sort') ?? fallback) === 'asc' ? 1 : -1
  const compare = (a: T, b: T) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.id - b.id)
  return [...rows].sort((a, b) => sign * compare(a, b))
}
