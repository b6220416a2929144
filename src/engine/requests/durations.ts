/*
 * Lengths of time. A forge takes what it cannot read of one for none, so that an estimate is lost, and a number without a
 * unit for hours: 2h30 would be 32 hours (GitLab: Gitlab::TimeTrackingFormatter, gitlab-chronic-duration).
 */

/** A number that forges read in one. */
const count = '(?:\\d{1,9}(?:\\.\\d{1,9})?|\\.\\d{1,9})'

/** A length of time without its sign in the form that every forge reads: `3h30m`, `1.5d`. */
export const plainDuration = `(?:${count}(?:mo|[wdhms]))+`

/** The words for units, by what forges read of them; they read no years, which are twelve of their months. */
const wordsFor = {
  y: ['years', 'year', 'yrs', 'yr', 'y'],
  mo: ['months', 'month', 'mos', 'mo'],
  w: ['weeks', 'week', 'wks', 'wk', 'w'],
  d: ['days', 'day', 'dy', 'd'],
  h: ['hours', 'hour', 'hrs', 'hr', 'h'],
  m: ['minutes', 'minute', 'mins', 'min', 'm'],
  s: ['seconds', 'second', 'secs', 'sec', 's']
}
const unitOf = new Map(
  Object.entries(wordsFor).flatMap(([unit, words]) => words.map(word => [word, unit] as const))
)

const part = `(${count})\\s?(${[...unitOf.keys()].join('|')})(?![a-z])`
const eachPart = new RegExp(part, 'g')
/** Parts, and minutes after hours. */
const whole = new RegExp(`^([+-]?)\\s{0,9}((?:${part}\\s{0,9}){1,12})([0-5]\\d)?$`)

/** @param count as written, which is kept but for years */
const inUnit = (count: string, unit: string): string =>
  unit === 'y' ? `${Math.round(Number(count) * MONTHS * 1e6) / 1e6}mo` : `${count}${unit}`
const MONTHS = 12

/**
 * A length of time as every forge reads it: `2 hours and 30 minutes`, `2h30` and PT2H30M (ISO 8601) are `2h30m`. Days of
 * ISO 8601 have 24 hours, and those of a forge eight, so none is made of them.
 * @param value at most some hundred characters
 * @returns the value as it came if it is none
 */
export function meantDuration(value: string): string {
  const text = value
    .trim()
    .toLowerCase()
    .replace(/^([+-]?)pt(?=[\d.hms]+$)/, '$1')
    .replace(/,|(?<=[a-z])\.(?!\d)|\b(?:and|plus|with)\b/g, ' ')
  const [, sign, parts, , , minutes] = whole.exec(text) ?? []
  if (parts === undefined) return /^0+$/.test(text) ? text : value
  const read = [...parts.matchAll(eachPart)].map(([, count, word]) => inUnit(count!, unitOf.get(word!)!))
  if (minutes !== undefined && !/^\d+h$/.test(read.at(-1)!)) return value
  return `${sign === '-' ? '-' : ''}${read.join('')}${minutes === undefined ? '' : `${minutes}m`}`
}
