import type { Exchange } from './exchange.ts'

/**
 * Characters at the beginning of a token by which it is found: longer than any that a forge makes. The time to search for
 * more than V8 has tables for (250) is that of the text times the token's, and anybody can make up a token for which it
 * is.
 */
const FOUND_BY = 200

/**
 * A message to a caller without its token, which a forge may have written into a record, a name or a file: a model, and
 * whoever reads what it was told, needs none. No character of a token (token68) is written as an escape in JSON.
 * @param json of the message
 * @returns valid JSON
 */
export function withoutOwnToken(json: string, { session }: Pick<Exchange, 'session'>): string {
  const { token } = session.credential
  if (token === '') return json
  const beginning = token.slice(0, FOUND_BY)
  if (!json.includes(beginning)) return json
  const parts: string[] = []
  let from = 0
  for (let at = json.indexOf(beginning); at >= 0; at = json.indexOf(beginning, from)) {
    // After a backslash the first character may be part of an escape, which has to stay whole.
    parts.push(json.slice(from, json[at - 1] === '\\' ? at + 1 : at), '[token]')
    from = at + sameLength(json, at, token)
  }
  return parts.join('') + json.slice(from)
}

/** How many characters of the token are there. */
function sameLength(json: string, at: number, token: string): number {
  let length = FOUND_BY
  while (length < token.length && json[at + length] === token[length]) length++
  return Math.min(length, token.length)
}
