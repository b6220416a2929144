/** What secrets look like, wherever in a text they stand. */
const tokenShapes: readonly RegExp[] = [
  /\bgl[a-z]{2,10}-[\w.-]{10,}/g,
  // Of any kind, as of src/seal.
  /\bv1\.[a-z]{2,3}\.[\w.-]+/g,
  /\b(bearer|basic) +[\w.~+/=-]{8,}/gi,
  /(:\/\/)[^\s/@"\\]+@/g,
  /\b(\w*(?:token|secret|password|code|state)=)[^\s&"\\]+/gi
]

/** What every find of them has at least: one look tells that a line has none, as nearly all do. */
const suspicious = /gl[a-z]{2}|v1\.|bearer|basic|:\/\/|=/i

/** Replaces everything in a log line that looks like a token, a sealed value or a credential in a URL. */
export function withoutTokens(line: string): string {
  if (!suspicious.test(line)) return line
  let clean = line
  for (const shape of tokenShapes)
    clean = clean.replace(shape, (found, kept) =>
      typeof kept === 'string' && found.startsWith(kept) ? `${kept}[redacted]` : '[redacted]'
    )
  return clean
}
