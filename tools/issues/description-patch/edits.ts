/** A part of one text and what stands in its place in another: half-open ranges of UTF-16 units. */
export interface Edit {
  readonly from: number
  readonly to: number
  readonly start: number
  readonly end: number
}

/**
 * What two steps did together: `edits` led from a first text to a second, and now each of the places `at` of the
 * second gets another text. Edits that touch become one.
 * @param edits @param at both ascending and without overlaps
 * @param removed @param added lengths of what goes and what comes at each place
 */
export function withReplaced(
  edits: readonly Edit[],
  at: readonly number[],
  removed: number,
  added: number
): Edit[] {
  const result: Edit[] = []
  const growth = added - removed
  let [edit, place] = [0, 0]
  // By how much a place of the second text lies beyond the same place of the first.
  let shift = 0
  while (edit < edits.length || place < at.length) {
    const begin = Math.min(edits[edit]?.start ?? Infinity, at[place] ?? Infinity)
    const [from, start] = [begin - shift, begin + place * growth]
    let finish = begin
    for (;;) {
      const next = edits[edit]
      if (next !== undefined && next.start <= finish) {
        finish = Math.max(finish, next.end)
        shift = next.end - next.to
        edit++
      } else if (place < at.length && at[place]! <= finish) finish = Math.max(finish, at[place++]! + removed)
      else break
    }
    result.push({ from, to: finish - shift, start, end: finish + place * growth })
  }
  return result
}
