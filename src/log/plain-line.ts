import { withoutTokens } from './without-tokens.ts'

/** What a terminal does not show, or obeys: it would make another line of what a forge or a caller wrote. */
const hidden = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u007f-\u009f\u2028\u2029\ufff9-\ufffb]/gu
/** Nearly all lines are plain ASCII, and passed over at once. */
const notPlain = /[^\n -~]/

/** A line of the log, which is JSON, without tokens, and with what nobody sees written as JSON's escapes. */
export function plainLine(line: string): string {
  const clean = withoutTokens(line)
  return notPlain.test(clean) ? clean.replace(hidden, escaped) : clean
}

const escaped = (sign: string): string =>
  Array.from(
    { length: sign.length },
    (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`
  ).join('')
