import { isHidden } from './character-kinds.ts'
import { withoutHidden } from './hidden.ts'
import { shortened } from './shortened.ts'

/*
 * Text from a forge is written by strangers, and a model reads characters that a person does not see. Such characters
 * are removed everywhere in a result: what a display ignores, control characters, and lone surrogates, which could become
 * a character when something between them is removed.
 */

/** Text as a person sees it: without hidden characters, and without character references that stand for them. */
export const visibleText = (text: string): string => withoutReferences(withoutHidden(text))

/**
 * Text of a file, or a diff, without hidden characters. Nothing renders it, so that people see character references as
 * they are written; and what is read may be sent back: `&it;` is C, and `&shy;` may be in somebody's page.
 */
export const visibleSource = (text: string): string => withoutHidden(text)

/** The same as visibleText for JSON as JSON.stringify writes it, in which control characters are escapes. */
export const visibleJson = (json: string): string =>
  withoutReferences(
    withoutHidden(controlEscape.test(json) ? json.replace(escapes, '$1') : json),
    proseReference
  )

const controlEscape = /\\(?:[bfr]|u(?:00|d[89a-f]))/
/**
 * Matches each escape whole, or the end of one would be taken for the beginning of another; those that stay are the group.
 * A function that decides would be called for each, which takes three times as long.
 */
const escapes = /(\\(?:r\\n|[^bfru]|u(?!00[01]|d[89a-f])))|\\(?:[bfr]|u[\da-f]{4})/g

/** HTML's character references, which Markdown takes too: by number, and the names of hidden characters. */
const reference =
  /&(?:#(?:x0*([\da-f]{1,6})(?![\da-f])|0*(\d{1,7})(?!\d));?|(shy|zwj|zwnj|lrm|rlm|NoBreak|ZeroWidthSpace|Negative(?:VeryThin|Thin|Medium|Thick)Space|af|ApplyFunction|it|InvisibleTimes|ic|InvisibleComma);)/gi

/** Fields of records that are written in files, or that name files, branches and tags. */
const sources =
  'diff|patch|data|text|lines|code|path|old_path|new_path|file_path|file_name|filename|ref|tag_name|source_branch|target_branch|branch'
const jsonText = '"(?:[^"\\\\]|\\\\.)*"'
/** The same in JSON, except in those fields, which are matched whole and kept. */
const proseReference = new RegExp(
  `"(?:${sources})":(?:${jsonText}|\\[(?:${jsonText},?)*\\])|${reference.source}`,
  'gi'
)

/** Most passes: removing one reference may put another one together. */
const MAX_PASSES = 3

function withoutReferences(text: string, written = reference): string {
  let shown = text
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    if (!shown.includes('&')) return shown
    const next = shown.replace(written, hiddenOnly)
    if (next.length === shown.length) return next
    shown = next
  }
  // If a text still has references after that, all of them are made ineffective.
  return shown.replace(/&(?=#|\w+;)/g, '& ')
}

const hiddenOnly = (written: string, hex?: string, decimal?: string, name?: string): string => {
  if (name !== undefined) return ''
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  return code <= 0x10ffff && isHidden(code) ? '' : written
}

/** Most characters of a quoted text that are read; no sentence is as long. */
const MAX_QUOTED_CHARS = 4_000

/** A quoted text, shortened to what fits in a sentence. */
const abbreviated = (words: string): string => shortened(words, MAX_QUOTED_CHARS)

/**
 * Somebody else's words inside a sentence of ours: in quotes that they cannot end, on one line, without their final
 * full stop.
 */
export const quoted = (words: unknown): string =>
  writtenOut(visibleText(abbreviated(wordsOf(words))).replace(/\.$/, ''))

/** A text in quotes; also escapes the line ends of Unicode and displays that JSON allows. */
export const writtenOut = (words: string): string =>
  JSON.stringify(words).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')

/** The first of some texts in quotes, and whether there are more. */
export const quotedFew = (texts: readonly string[], most: number): string =>
  texts.slice(0, most).map(quoted).join(', ') + (texts.length > most ? ' and more' : '')

/** A text, also if the forge sent a record or a list instead. */
export const wordsOf = (words: unknown): string =>
  typeof words === 'object' && words !== null ? 'what is no text' : String(words)

/** A name from a forge, quoted in the same way but whole, because a full stop is part of it. It may be missing. */
export const quotedName = (name: unknown): string =>
  typeof name === 'string' ? writtenOut(abbreviated(name)) : 'one without a name'
