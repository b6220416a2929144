/** A part of one text and its replacement in another: half-open ranges of UTF-16 units. */
export interface Edit {
  readonly from: number
  readonly to: number
  readonly start: number
  readonly end: number
}

/**
 * Combines two steps into one: `edits` led from a first text to a second, and now the places `at` of the second text
 * are replaced. Edits that touch are merged.
 * @param edits ascending and without overlaps
 * @param at ascending and without overlaps
 * @param removed length of the text that is removed at each place
 * @param added length of the text that is added at each place
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
  // The distance from a place in the first text to the same place in the second.
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
