/*
 * Durations. A forge takes a duration that it cannot read for none, so that an estimate is lost. It takes a number
 * without a unit for hours: 2h30 would be 32 hours (GitLab: Gitlab::TimeTrackingFormatter, gitlab-chronic-duration).
 */

/** A number as forges read it in a duration. */
const count = '(?:\\d{1,9}(?:\\.\\d{1,9})?|\\.\\d{1,9})'

/** A duration without its sign, in the form that every forge reads: `3h30m`, `1.5d`. */
export const plainDuration = `(?:${count}(?:mo|[wdhms]))+`

/** The words for each unit that forges read. They do not read years; a year is twelve of their months. */
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
/** A sign, parts, and perhaps minutes directly after hours. */
const whole = new RegExp(`^([+-]?)\\s{0,9}((?:${part}\\s{0,9}){1,12})([0-5]\\d)?$`)

/** @param count as written; it is kept unless the unit is years */
const inUnit = (count: string, unit: string): string =>
  unit === 'y' ? `${Math.round(Number(count) * MONTHS * 1e6) / 1e6}mo` : `${count}${unit}`
const MONTHS = 12

/**
 * Converts a duration to the form that every forge reads: `2 hours and 30 minutes`, `2h30` and PT2H30M (ISO 8601)
 * become `2h30m`. Days of ISO 8601 are not converted: they have 24 hours, and those of a forge have eight.
 * @param value at most some hundred characters
 * @returns the value unchanged if it is no duration
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
