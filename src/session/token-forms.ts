/**
 * Characters at the beginning of a token by which the token is found: more than any token that a forge issues has. V8
 * searches for patterns of up to 250 characters with tables. For longer ones the time may be the text's length times
 * the token's, and anybody can make up a token for which it is.
 */
const FOUND_BY = 200

/** The only characters of a token (token68) that a URL, a form or JSON may write differently. */
const written = /[+/=~]/
const codes = ['%2B', '%2F', '%3D', '%7E']

/**
 * The forms in which a text may contain a token, the longest first: unchanged; percent-encoded as in a URL or a form,
 * in upper or lower case (RFC 3986 section 2.1); and with the slashes that some programs escape in JSON (RFC 8259
 * section 7).
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

/** Most characters of a form for one character of the token. */
export const MAX_FORM_WIDTH = 3

/**
 * Replaces each occurrence of a token in a text by `[token]`, in any of the token's forms, even an occurrence that is
 * cut off after its beginning.
 * @param token may be empty
 */
export function withoutToken(text: string, token: string): string {
  // No form is shorter than the token.
  if (token === '' || text.length < Math.min(token.length, FOUND_BY)) return text
  // A form begins like the form of the token's beginning, and hardly any text contains one of these. Making all forms
  // of a made-up token can take half a millisecond, so they are made only if a beginning is found.
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
 * Replaces each occurrence of a token by `[token]` in a message, if the token is unchanged there, even an occurrence
 * that is cut off after its beginning.
 * @param json stays valid: after a backslash, the first character may be part of an escape, and is kept
 * @param token not empty
 */
export const withoutPlainToken = (json: string, token: string): string =>
  json.includes(beginningOf(token)) ? withoutForms(json, [token], true) : json

const beginningOf = (form: string): string => form.slice(0, FOUND_BY)

/** @param forms with the same beginning; of those, the one that matches the longest part of the text is replaced */
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

/** How many characters of the form are at that place of the text. */
function sameLength(text: string, at: number, form: string): number {
  let length = FOUND_BY
  while (length < form.length && text[at + length] === form[length]) length++
  return Math.min(length, form.length)
}
