import { withoutProxyCredentials } from './proxy-credentials.ts'

/** The forms that secrets have, anywhere in a text. */
const tokenShapes: readonly RegExp[] = [
  /\bgl[a-z]{2,10}-[\w.-]{10,}/g,
  // Sealed values of any kind, as in src/seal.
  /\bv1\.[a-z]{2,3}\.[\w.-]+/g,
  /(:\/\/)[^\s/@"\\]+@/g,
  /\b(\w*(?:token|secret|password|code|state)=)[^\s&"\\]+/gi
]

/** The credential of an Authorization or Proxy-Authorization header, even if it was copied into a URL or a page. */
const headerValue = /\b(bearer|basic)(?:[\s:+]|%20|&nbsp;)+([\w.~+/=-]{8,})/gi
/** A plain word in place of a credential, as in "Basic authentication". */
const word = /^[A-Z]?[a-z]{1,14}\.?$/

/** Removes the credentials of headers and of the operator's proxies from a text, such as the echo of a request. */
export const withoutHeaderValues = (text: string): string =>
  withoutProxyCredentials(text).replace(headerValue, (found, scheme, value) =>
    word.test(value) ? found : `${scheme}[redacted]`
  )

/**
 * Every match contains one of these. A single search shows that a line has no secret, as is the case for nearly all
 * lines.
 */
const suspicious = /gl[a-z]{2}|v1\.|bearer|basic|:\/\/|=/i

/** Replaces everything in a log line that looks like a token, a sealed value or a credential in a URL. */
export function withoutTokens(line: string): string {
  if (!suspicious.test(line)) return withoutProxyCredentials(line)
  let clean = withoutHeaderValues(line)
  for (const shape of tokenShapes)
    clean = clean.replace(shape, (found, kept) =>
      typeof kept === 'string' && found.startsWith(kept) ? `${kept}[redacted]` : '[redacted]'
    )
  return clean
}
