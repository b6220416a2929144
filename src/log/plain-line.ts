import { unseen } from '../base/unseen.ts'
import { withoutTokens } from './without-tokens.ts'

/**
 * Characters that a terminal does not show, or that control it: they would change how the text of a forge or a caller
 * appears.
 */
const hidden = new RegExp(String.raw`[${unseen}\u2028\u2029]`, 'gu')
/** Nearly all lines are plain ASCII, and need no further processing. */
const notPlain = /[^\n -~]/

/** Cleans a line of the log, which is JSON: tokens are replaced, and invisible characters become JSON escapes. */
export function plainLine(line: string): string {
  const clean = withoutTokens(line)
  return notPlain.test(clean) ? clean.replace(hidden, escaped) : clean
}

const escaped = (sign: string): string =>
  Array.from(
    { length: sign.length },
    (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`
  ).join('')
