/** The forms of secrets, anywhere in a text. */
const tokenShapes: readonly RegExp[] = [
  /\bgl[a-z]{2,10}-[\w.-]{10,}/g,
  // Sealed values of any kind, as in src/seal.
  /\bv1\.[a-z]{2,3}\.[\w.-]+/g,
  /(:\/\/)[^\s/@"\\]+@/g,
  /\b(\w*(?:token|secret|password|code|state)=)[^\s&"\\]+/gi
]

/** The credential of an Authorization or Proxy-Authorization header. */
const headerValue = /\b(bearer|basic) +([\w.~+/=-]{8,})/gi
/** No credential but a word, as in "Basic authentication". */
const word = /^[a-z]{1,14}\.?$/

/** A text without the credentials of headers in it, such as an echo of a request has. */
export const withoutHeaderValues = (text: string): string =>
  text.replace(headerValue, (found, scheme, value) => (word.test(value) ? found : `${scheme}[redacted]`))

/** What every match contains: one search shows that a line has no secret, as nearly all lines. */
const suspicious = /gl[a-z]{2}|v1\.|bearer|basic|:\/\/|=/i

/** Replaces everything in a log line that looks like a token, a sealed value or a credential in a URL. */
export function withoutTokens(line: string): string {
  if (!suspicious.test(line)) return line
  let clean = withoutHeaderValues(line)
  for (const shape of tokenShapes)
    clean = clean.replace(shape, (found, kept) =>
      typeof kept === 'string' && found.startsWith(kept) ? `${kept}[redacted]` : '[redacted]'
    )
  return clean
}
