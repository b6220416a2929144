import { isHidden } from './character-kinds.ts'
import { withoutHidden } from './hidden.ts'
import { shortened } from './shortened.ts'

/*
 * Strangers write the text on a forge, and a model reads characters that a person does not see. Such characters are
 * removed everywhere in a result: those that a display ignores, control characters, and lone surrogates, which could
 * form a character when something between them is removed.
 */

/** Text as a person sees it: without hidden characters, and without character references to them. */
export const visibleText = (text: string): string => withoutReferences(withoutHidden(text))

/**
 * Text of a file, or a diff, without hidden characters. Nothing renders it, so people see character references as they
 * are written. It may also be sent back: `&it;` is C, and `&shy;` may be in somebody's page.
 */
export const visibleSource = (text: string): string => withoutHidden(text)

/** The same as visibleText for JSON as JSON.stringify writes it, in which control characters are escaped. */
export const visibleJson = (json: string): string =>
  withoutReferences(
    withoutHidden(controlEscape.test(json) ? json.replace(escapes, '$1') : json),
    proseReference
  )

const controlEscape = /\\(?:[bfr]|u(?:00|d[89a-f]))/
/**
 * Matches each escape as a whole: otherwise the end of one could be taken for the beginning of another. The group
 * matches escapes that stay. A callback that decides this would be called for each escape, which takes three times as
 * long.
 */
const escapes = /(\\(?:r\\n|[^bfru]|u(?!00[01]|d[89a-f])))|\\(?:[bfr]|u[\da-f]{4})/g

/** HTML character references, which Markdown takes too: by number, and the names of hidden characters. */
const reference =
  /&(?:#(?:x0*([\da-f]{1,6})(?![\da-f])|0*(\d{1,7})(?!\d));?|(shy|zwj|zwnj|lrm|rlm|NoBreak|ZeroWidthSpace|Negative(?:VeryThin|Thin|Medium|Thick)Space|af|ApplyFunction|it|InvisibleTimes|ic|InvisibleComma);)/gi

/** Fields of records with text from files, or with names of files, branches and tags. */
const sources =
  'diff|patch|data|text|lines|code|path|old_path|new_path|file_path|file_name|filename|ref|tag_name|source_branch|target_branch|branch'
const jsonText = '"(?:[^"\\\\]|\\\\.)*"'
/** The same for JSON. The fields above are matched as a whole and kept. */
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
  // If the text still has references after that, all of them are made ineffective.
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

/** The first of some texts in quotes, and whether there are more. @param quote how each is quoted */
export const quotedFew = (
  texts: readonly string[],
  most: number,
  quote: (text: string) => string = quoted
): string => texts.slice(0, most).map(quote).join(', ') + (texts.length > most ? ' and more' : '')

/** Converts a value to text, even if the forge sent a record or a list instead. */
export const wordsOf = (words: unknown): string =>
  typeof words === 'object' && words !== null ? 'what is no text' : String(words)

/**
 * A name from a forge, quoted in the same way, but with its final full stop, which is part of the name. It may be
 * missing.
 */
export const quotedName = (name: unknown): string =>
  typeof name === 'string' ? writtenOut(abbreviated(name)) : 'one without a name'
