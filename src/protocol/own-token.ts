import type { Exchange } from './exchange.ts'

/**
 * A message to a caller without its token, which a forge may have written into a record, a name or a file: a model, and
 * whoever reads what it was told, needs none. No character of a token (token68) is written as an escape in JSON.
 * @param json of the message
 * @returns valid JSON
 */
export function withoutOwnToken(json: string, { session }: Pick<Exchange, 'session'>): string {
  const { token } = session.credential
  if (token === '' || !json.includes(token)) return json
  // After a backslash the first character may be part of an escape, which has to stay whole.
  return json.replaceAll(token, (found, at: number) =>
    json[at - 1] === '\\' ? `${found[0]}[token]` : '[token]'
  )
}
