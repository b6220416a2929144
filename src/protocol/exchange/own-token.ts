import { withoutPlainToken } from '../../session/token-forms.ts'
import type { Exchange } from './exchange.ts'

/**
 * A message to a caller without its token, which a forge may have written into a record, a name or a file: a model, and
 * whoever reads what it was told, needs none. No character of a token (token68) is written as an escape in JSON.
 * @param json of the message
 * @returns valid JSON
 */
export const withoutOwnToken = (json: string, { session }: Pick<Exchange, 'session'>): string =>
  session.credential.token === '' ? json : withoutPlainToken(json, session.credential.token)
