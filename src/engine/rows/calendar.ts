/** For tools that count days with timeOf. */
export { DAY_MS } from '../../base/units.ts'

/*
 * Patterns of valid dates and times: forges silently ignore invalid ones, or misread them. 29 February exists in years
 * divisible by 4, except those divisible by 100 but not by 400.
 */

const leapYear = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)'
const inMonth = '(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31'
const clock = '(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:[.,]\\d{1,30})?)?'
const zone = ' ?(?:[Zz]|UTC|GMT|[+-](?:0\\d|1[0-4])(?::?[0-5]\\d)?)'

/** A day, YYYY-MM-DD. */
export const dayPattern = `(?:\\d{4}-(?:${inMonth})|${leapYear}-02-29)`

/** A day, or a time in ISO 8601. */
export const timePattern = `${dayPattern}(?:[Tt ]${clock}(?:${zone})?)?`

/** The parts of a time: its day, its clock, and the hours and minutes of its zone. */
const parts =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)\d* ?(?:([+-]\d\d):?(\d\d)?|Z|UTC|GMT)?)?$/i

/** Most characters of a time that is read: forges send any text in place of one. */
const MAX_TIME = 64

/**
 * Converts a text that matches timePattern to milliseconds since 1970; NaN for anything else. It does not check whether
 * the day exists. A time without a zone is in UTC, as forges read it. Date.parse would use the zone of this server, and
 * does not know every form.
 */
export function timeOf(time: unknown): number {
  if (typeof time !== 'string' || time.length > MAX_TIME) return Number.NaN
  const [, day, clock = '00:00', hours = '+00', minutes = '00'] = parts.exec(time) ?? []
  return Date.parse(`${day}T${clock.replace(',', '.')}${hours}:${minutes}`)
}
