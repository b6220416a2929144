import { withoutPlainToken } from '../../session/token-forms.ts'
import type { Exchange } from './exchange.ts'

/**
 * Removes the caller's token from a message to the caller. A forge may have written the token into a record, a name or
 * a file, and neither a model nor its users need it. No character of a token (token68) is escaped in JSON.
 * @param json the message
 * @returns valid JSON
 */
export const withoutOwnToken = (json: string, { session }: Pick<Exchange, 'session'>): string =>
  session.credential.token === '' ? json : withoutPlainToken(json, session.credential.token)
