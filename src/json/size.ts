/**
 * Whether the JSON of a value is longer than so many characters. It looks at no more of the value than that takes, and
 * does not count the length of escapes, except those of unpaired surrogates, which take thirty times as long to write.
 */
export const isLongerThan = (value: unknown, chars: number): boolean => roomAfter(value, chars) < 0

/** The length of the JSON of a value in characters, without that of escapes, as isLongerThan counts it. */
export const jsonLength = (value: unknown): number =>
  Number.MAX_SAFE_INTEGER - roomAfter(value, Number.MAX_SAFE_INTEGER)

/** The room that is left after a value, or a negative number. */
function roomAfter(value: unknown, room: number): number {
  if (typeof value === 'string') return room - lengthOf(value) - 2
  if (typeof value !== 'object' || value === null) return room - 1
  const isNamed = !Array.isArray(value)
  let left = room - 2
  let comma = 0
  for (const key in value) {
    const part = (value as Record<string, unknown>)[key]
    if (part === undefined && isNamed) continue
    left = roomAfter(part, left - comma - (isNamed ? key.length + 3 : 0))
    if (left < 0) return left
    comma = 1
  }
  return left
}

const ESCAPE = '\\ud800'.length

const lengthOf = (text: string): number => (text.isWellFormed() ? text.length : text.length * ESCAPE)
