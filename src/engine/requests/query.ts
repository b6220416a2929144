import { ArgumentError } from '../../results/problem.ts'
import { wordFor } from './record.ts'

/** Lists that the forge documents as joined by commas in a query. All others are sent as `name[]`. */
const commaJoined = new Set(['labels', 'tag_list'])

/**
 * Most characters of a query, as it is sent. Every server refuses longer URLs, and building one from all that fits into
 * a message would take a tenth of a second and some hundred megabytes.
 */
const MAX_QUERY = 16_384

/**
 * The only place where a caller's text becomes part of a query.
 * @returns the query without the question mark @throws ArgumentError for the argument with which it becomes too long
 */
export function queryOf(values: Readonly<Record<string, unknown>>): string {
  let query = ''
  for (const [name, value] of Object.entries(values))
    for (const [key, text] of pairsOf(name, value)) {
      // Encoding never makes a text shorter, so a text that is too long already is not encoded.
      const isShort = key.length + text.length < MAX_QUERY
      if (isShort) query += `${query === '' ? '' : '&'}${inQuery(key)}=${inQuery(text)}`
      if (!isShort || query.length > MAX_QUERY)
        throw new ArgumentError(name, `is too long for a URL: a query may have ${MAX_QUERY} characters`)
    }
  return query
}

/** Nearly all names and values consist of these characters, which need no encoding. */
const plain = /^[\w.-]*$/

const inQuery = (text: string): string =>
  plain.test(text) ? text : new URLSearchParams({ '': text }).toString().slice(1)

/** A value as it is written in a query: a list as `name[]`, an object as `name[key]`. */
function pairsOf(name: string, value: unknown): readonly (readonly [string, string])[] {
  if (Array.isArray(value)) {
    if (value.length > 0 && commaJoined.has(name)) return [[name, value.join(',')]]
    return value.map(item => [`${name}[]`, wordFor(name, item)])
  }
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).map(([key, item]) => [`${name}[${key}]`, wordFor(name, item)])
  return [[name, wordFor(name, value)]]
}
