/*
 * What the operator's proxies are logged in to with. A proxy may repeat it in what it answers, in any form, and unlike
 * the credentials of others it is known: it is taken out by its value. All requests of the process have the same.
 */

/** Characters that a form has at least, or words would be taken out. */
const LEAST = 8
/** A password that texts may have as a word of theirs. */
const wordLike = /^[a-z]{1,14}$/i

const hidden = new Set<string>()
let anyHidden: RegExp | undefined

/**
 * From now on, withoutProxyCredentials takes out those of a proxy.
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
  for (const form of known.flatMap(formsOf)) if (form.length >= LEAST) hidden.add(form)
  const longestFirst = [...hidden].sort((a, b) => b.length - a.length)
  if (longestFirst.length > 0) anyHidden = new RegExp(longestFirst.map(literal).join('|'), 'g')
}

/** A text as it is, in a URL or a form, with capitals in its escapes or without (RFC 3986 section 2.1), and in JSON. */
function formsOf(text: string): string[] {
  const encoded = encodeURIComponent(text)
  const inSmall = encoded.replace(/%../g, code => code.toLowerCase())
  return [text, encoded, inSmall, text.replaceAll('/', '\\/'), JSON.stringify(text).slice(1, -1)]
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** A text without the credentials of the operator's proxies. */
export const withoutProxyCredentials = (text: string): string =>
  anyHidden === undefined ? text : text.replace(anyHidden, '[redacted]')
