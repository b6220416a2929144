import { ArgumentError } from '../results/problem.ts'
import { wordFor } from './record.ts'

/** The lists the forge documents as comma-joined in a query; all others are sent as `name[]`. */
const commaJoined = new Set(['labels', 'tag_list'])

/**
 * Characters of a query; a longer URL is refused by every server, and making one takes a tenth of a second and some
 * hundred megabytes for what fits into a message.
 */
const MAX_QUERY = 16_384

/**
 * The one place where a caller's text becomes part of a query.
 * @returns it without the question mark @throws ArgumentError naming the argument with which it gets too long
 */
export function queryOf(values: Readonly<Record<string, unknown>>): string {
  let query = ''
  let room = MAX_QUERY
  for (const [name, value] of Object.entries(values))
    for (const [key, text] of pairsOf(name, value)) {
      room -= key.length + text.length
      if (room < 0)
        throw new ArgumentError(name, `is too long for a URL: a query may have ${MAX_QUERY} characters`)
      query += `${query === '' ? '' : '&'}${inQuery(key)}=${inQuery(text)}`
    }
  return query
}

/** Nearly all names and values are of these, and stand for themselves. */
const plain = /^[\w.-]*$/

const inQuery = (text: string): string =>
  plain.test(text) ? text : new URLSearchParams({ '': text }).toString().slice(1)

/** How a value stands in a query: a list as `name[]`, an object as `name[key]`. */
function pairsOf(name: string, value: unknown): readonly (readonly [string, string])[] {
  if (Array.isArray(value)) {
    if (value.length > 0 && commaJoined.has(name)) return [[name, value.join(',')]]
    return value.map(item => [`${name}[]`, wordFor(name, item)])
  }
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).map(([key, item]) => [`${name}[${key}]`, wordFor(name, item)])
  return [[name, wordFor(name, value)]]
}
