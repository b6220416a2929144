/*
 * The credentials with which this service logs in to the operator's proxies. A proxy may repeat them in its answers, in
 * any form. Unlike the credentials of callers they are known, so they are removed by their value. All requests of the
 * process use the same.
 */

/** Shortest form, in characters, that is removed: shorter forms would match parts of words. */
const MIN_CHARS = 8
/** A password that may occur in texts as a word. */
const wordLike = /^[a-z]{1,14}$/i

const hidden = new Set<string>()
let anyHidden: RegExp | undefined

/**
 * Registers the credentials of a proxy, which withoutProxyCredentials removes from now on.
 * @param proxyUrl as in HTTP_PROXY; its user information can be percent-decoded
 */
export function hideProxyCredentials(proxyUrl: string): void {
  const { username, password } = new URL(proxyUrl)
  if (username === '' && password === '') return
  const [user, key] = [decodeURIComponent(username), decodeURIComponent(password)]
  const both = `${user}:${key}`
  // A user without a password may be a token.
  const secret = key === '' ? user : key
  const pairs = key === '' ? [] : [both, `${username}:${password}`]
  const base64 = Buffer.from(both).toString('base64')
  const known = [...pairs, ...(wordLike.test(secret) ? [] : [secret]), base64, base64.replace(/={1,2}$/, '')]
  for (const form of known.flatMap(formsOf)) if (form.length >= MIN_CHARS) hidden.add(form)
  const longestFirst = [...hidden].sort((a, b) => b.length - a.length)
  if (longestFirst.length > 0) anyHidden = new RegExp(longestFirst.map(literal).join('|'), 'g')
}

/**
 * The forms of a text: unchanged, in a URL or a form with upper-case or lower-case escapes (RFC 3986 section 2.1), and
 * in JSON.
 */
function formsOf(text: string): string[] {
  const encoded = encodeURIComponent(text)
  const inSmall = encoded.replace(/%../g, code => code.toLowerCase())
  return [text, encoded, inSmall, text.replaceAll('/', '\\/'), JSON.stringify(text).slice(1, -1)]
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** Removes the credentials of the operator's proxies from a text. */
export const withoutProxyCredentials = (text: string): string =>
  anyHidden === undefined ? text : text.replace(anyHidden, '[redacted]')
