/**
 * Characters at the beginning of a token by which it is found: longer than any that a forge makes. The time to search for
 * more than V8 has tables for (250) is that of the text times the token's, and anybody can make up a token for which it
 * is.
 */
const FOUND_BY = 200

/** The only characters of a token (token68) that a URL, a form or JSON may write in another way. */
const written = /[+/=~]/
const codes = ['%2B', '%2F', '%3D', '%7E']

/**
 * The ways in which a text may have a token, the longest first: as it is, percent-encoded as in a URL or a form, in
 * capitals or not (RFC 3986 section 2.1), and with the slashes that some write as escapes in JSON (RFC 8259 section 7).
 */
function tokenForms(token: string): readonly string[] {
  if (!written.test(token)) return [token]
  const encoded = encodeURIComponent(token)
  const inCapitals = token.includes('~') ? [encoded, encoded.replaceAll('~', '%7E')] : [encoded]
  const inSmall = inCapitals.map(form =>
    codes.reduce((text, code) => text.replaceAll(code, code.toLowerCase()), form)
  )
  const forms = new Set([token, token.replaceAll('/', '\\/'), ...inCapitals, ...inSmall])
  return [...forms].sort((a, b) => b.length - a.length)
}

/** Most characters of a form for one of the token. */
export const WIDEST = 3

/**
 * A text in which `[token]` stands for each occurrence of a token in any of its forms, also one that is cut off after
 * its beginning.
 * @param token may be empty
 */
export function withoutToken(text: string, token: string): string {
  // No form is shorter than the token.
  if (token === '' || text.length < Math.min(token.length, FOUND_BY)) return text
  // A form begins as that of the token's beginning does, and hardly any text has one: to make those of all of a token
  // that was made up for it takes half a millisecond.
  const beginnings = new Set(tokenForms(token.slice(0, FOUND_BY)).map(beginningOf))
  const found = [...beginnings].filter(beginning => text.includes(beginning))
  if (found.length === 0) return text
  const forms = tokenForms(token)
  return found.reduce(
    (clean, beginning) =>
      withoutForms(
        clean,
        forms.filter(form => form.startsWith(beginning))
      ),
    text
  )
}

/**
 * A message in which `[token]` stands for each occurrence of a token as it is, also one that is cut off after its
 * beginning.
 * @param json stays valid: after a backslash the first character may be part of an escape
 * @param token not empty
 */
export const withoutPlainToken = (json: string, token: string): string =>
  json.includes(beginningOf(token)) ? withoutForms(json, [token], true) : json

const beginningOf = (form: string): string => form.slice(0, FOUND_BY)

/** @param forms that begin alike: of those that go on there, the one that does so for longest is meant */
function withoutForms(text: string, forms: readonly string[], inJson = false): string {
  const beginning = beginningOf(forms[0]!)
  const parts: string[] = []
  let from = 0
  for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, from)) {
    parts.push(text.slice(from, inJson && text[at - 1] === '\\' ? at + 1 : at), '[token]')
    from = at + Math.max(...forms.map(form => sameLength(text, at, form)))
  }
  return parts.join('') + text.slice(from)
}

/** How many characters of the form are there. */
function sameLength(text: string, at: number, form: string): number {
  let length = FOUND_BY
  while (length < form.length && text[at + length] === form[length]) length++
  return Math.min(length, form.length)
}
