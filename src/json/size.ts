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
  if (typeof value !== 'object' || value === null) return room - String(value ?? null).length
  return Array.isArray(value) ? roomAfterItems(value, room - 2) : roomAfterFields(value, room - 2)
}

/** A list is read by `for…of`: `for…in` makes the names of all its items first, of which there may be very many. */
function roomAfterItems(items: readonly unknown[], room: number): number {
  let left = room
  let comma = 0
  for (const item of items) {
    left = roomAfter(item, left - comma)
    if (left < 0) return left
    comma = 1
  }
  return left
}

function roomAfterFields(record: object, room: number): number {
  let left = room
  let comma = 0
  for (const key in record) {
    const part = (record as Record<string, unknown>)[key]
    if (part === undefined) continue
    left = roomAfter(part, left - comma - key.length - 3)
    if (left < 0) return left
    comma = 1
  }
  return left
}

const ESCAPE = '\\ud800'.length

const lengthOf = (text: string): number => (text.isWellFormed() ? text.length : text.length * ESCAPE)
