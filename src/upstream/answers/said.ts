import { withoutHeaderValues } from '../../log/without-tokens.ts'
import { MAX_FORM_WIDTH, withoutToken } from '../../session/token-forms.ts'
import { isMarkup } from './answer-text.ts'
import { withoutPrintedHashes } from './printed-hash.ts'

/*
 * What a forge says in a refusal or a page, truncated and without secrets. Refusals are read in the event loop, and
 * hundreds may arrive at once, so what each costs is bounded whatever it contains.
 */

/** Most characters of a forge's words that are passed on. */
const MAX_DETAIL = 2000

/** Most characters in which secrets are searched for and removed, before the text is cut to MAX_DETAIL. */
const MAX_LOOKED_AT = 4 * MAX_DETAIL

/**
 * Most bytes of an error body that are read for its message: JSON of this size takes a millisecond at most. A longer
 * body is not parsed, and its beginning is passed on as it stands.
 */
export const MAX_ERROR_BYTES = 8 * 1024

/** Bytes of a page in which its title is looked for. */
const MAX_TITLE_AT = 64 * 1024

/** The title of a web page, truncated. @param token the caller's, so that an echo of it is removed */
export function titleOf(page: string, token: string): string {
  const [, title = ''] = /<title[^<>]{0,200}>([^<]{0,300})/i.exec(page.slice(0, MAX_TITLE_AT)) ?? []
  return scrub(title.replaceAll(/\s+/g, ' '), token)
}

/**
 * What a forge says in an error body, truncated; empty for a web page.
 * @param token the caller's, so that an echo of it is removed
 */
export function saidOf({ body }: { readonly body: string }, token: string): string {
  if (body.length <= MAX_ERROR_BYTES)
    try {
      return forgeWordsOf(JSON.parse(body), token)
    } catch {
      // It is no JSON.
    }
  return isMarkup(body) ? '' : scrub(body, token)
}

/**
 * The forge's own words in the JSON of a refusal, truncated: `message`, `error_description` or `error`, nested up to five
 * deep, and the error code.
 * @param token the caller's, so that an echo of it is removed
 */
export const forgeWordsOf = (value: unknown, token: string): string =>
  scrub(detailIn(value, MAX_FORM_WIDTH * token.length), token)

function detailIn(value: unknown, spare: number): string {
  const words = (part: unknown) => flatten(part, MAX_LOOKED_AT + spare + 1)
  if (typeof value !== 'object' || value === null) return words(value)
  const {
    message,
    error_description: description,
    error,
    error_code: code
  } = value as Record<string, unknown>
  const reason = [error, description].filter(part => part !== undefined && part !== null).map(words)
  const said = message ?? (reason.length === 0 ? undefined : reason.join(': '))
  return typeof code === 'string' && said !== undefined
    ? `${words(said)} (${words(code)})`
    : words(said ?? value)
}

/** Appends a value to a text; null says nothing. @returns the text with the value, cut to `most` characters */
function flatten(value: unknown, most: number, before = '', depth = 0): string {
  const write = (text: string, part: string) => text + part.slice(0, most - text.length)
  if (value === null) return before
  if (typeof value !== 'object') return write(before, String(value))
  if (depth > 4) return write(before, '…')
  const isList = Array.isArray(value)
  let text = before
  let between = ''
  for (const key of isList ? value.keys() : Object.keys(value)) {
    if (text.length >= most) break
    const part = (value as Record<string | number, unknown>)[key]
    if (part === null && !isList) continue
    const head = write(text, isList ? between : `${between}${key}: `)
    text = flatten(part, most, head, depth + 1)
    between = isList ? ', ' : '; '
  }
  return text
}

/**
 * Removes the caller's token and credentials in URLs and headers from foreign text, truncates it, and makes it plain.
 * An echo of the request contains the credentials of the operator's proxy, too.
 * @param token the caller's; empty if there is none
 */
export function scrub(text: string, token: string): string {
  const longest = MAX_FORM_WIDTH * token.length
  const part = text.slice(0, MAX_LOOKED_AT + longest)
  const replaced = withoutToken(part, token)
  // A part may end with the beginning of a token.
  const clean = withoutHeaderValues(
    replaced.slice(0, part.length < text.length ? replaced.length - longest : undefined)
  )
    .replace(/:\/\/[^\s/@]+@/g, '://')
    .trim()
  return withoutPrintedHashes(clean.length > MAX_DETAIL ? `${clean.slice(0, MAX_DETAIL)}…` : clean)
}
