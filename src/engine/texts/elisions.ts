import { maySayElsewhere } from './elision-elsewhere.ts'
import { type Certainty, certaintyOf, isMarkAlone } from './elision-words.ts'

/* The lines of a text that stand for others (elision-words.ts), and which of them are new. */

/** Longest line that is looked at, in characters. */
const MOST_CHARS = 200
/** Fewest characters that a line counts for, once it is found, and once it is looked at: a short one takes as long. */
const LEAST = { begun: 80, worded: 16 }
/**
 * How many characters are still looked at, of all texts of a call and of what they replace: of lines that begin with such
 * signs, and of those that have such a word.
 */
interface Looks {
  begun: number
  worded: number
}
/** What one call may look at, which delays all others meanwhile. */
export const looksOfCall = (): Looks => ({ begun: 800_000, worded: 32_768 })
/** What such a line begins with, or a block of code in Markdown, behind no more blanks than a line that is looked at has. */
const beginning = /^[ \t]{0,199}(?:[.…[(<*_/{#;%⋯・。（［【〔＃／]|--|`{3}|~{3})/gm
const anySign =
  /existing|keep|kept|original|other|previous|remain|rest|same|unchanged|untouched|omitted|[[［] ?(?:\.{3}|…)/i
/** Code in Markdown. */
const indented = /^(?: {4}|\t)/
const fence = /^[ \t]*(`{3,200}|~{3,200})/

/** The lines of a text that begin so, each with where it ends. */
function* linesIn(text: string, looks: Looks): Generator<readonly [line: string, end: number]> {
  for (let from = 0; looks.begun > 0; ) {
    beginning.lastIndex = from
    const at = beginning.exec(text)?.index
    if (at === undefined) return
    const newline = text.indexOf('\n', at)
    from = newline < 0 ? text.length : newline
    const isLong = from - at > MOST_CHARS
    looks.begun -= isLong ? LEAST.begun : Math.max(from - at, LEAST.begun)
    if (!isLong) yield [text.slice(at, from), from]
  }
}

/** Leaves out the blocks of code, which only quote. */
function* outsideCode(lines: Iterable<readonly [string, number]>): Generator<readonly [string, number]> {
  let open: string | undefined
  for (const line of lines) {
    const ticks = fence.exec(line[0])?.[1]
    if (open !== undefined) {
      if (ticks?.startsWith(open) === true) open = undefined
    } else if (ticks !== undefined) open = ticks
    else if (!indented.test(line[0])) yield line
  }
}

const countingIn = (text: string, isMarkdown: boolean, looks: Looks): Iterable<readonly [string, number]> =>
  isMarkdown ? outsideCode(linesIn(text, looks)) : linesIn(text, looks)

/**
 * Whether the line after one that ends there is blank, as far as a line is looked at, or there is none: a comment on what
 * follows stands before it.
 */
function isBlankAfter(text: string, end: number): boolean {
  const next = text.indexOf('\n', end + 1)
  return text.slice(end, next < 0 ? end + MOST_CHARS : Math.min(next, end + MOST_CHARS)).trim() === ''
}

/** A line that stands for others, without the white space around it. */
export interface Elision {
  readonly line: string
  readonly certainty: Certainty
  /** Whether the text is nothing else. */
  readonly isAll: boolean
}

/**
 * The lines of a text that stand for others.
 * @param isMarkdown whether the text is Markdown that people read, or else a file
 * @param looks of the call, of which it takes its own
 */
export function* elisionsIn(text: string, isMarkdown: boolean, looks: Looks): Generator<Elision> {
  for (const [line, end] of countingIn(text, isMarkdown, looks)) {
    if (!anySign.test(line) && !maySayElsewhere(line)) continue
    looks.worded -= Math.max(line.length, LEAST.worded)
    if (looks.worded < 0) return
    const certainty = certaintyOf(line, isMarkdown, () => isBlankAfter(text, end))
    if (certainty !== undefined) yield { line: line.trim(), certainty, isAll: false }
  }
}

/** A text that is nothing but the mark of what was left out, such as `// ...` or `[unchanged]`; undefined for others. */
export function nothingElse(text: string): Elision | undefined {
  const line = text.trim()
  if (line.length > MOST_CHARS || line.includes('\n') || !isMarkAlone(line)) return undefined
  return { line, certainty: 'sure', isAll: true }
}

/**
 * The first of such lines that is new.
 * @param stored what is replaced, if it is known: what stands in it the same way is meant
 * @param looks of the call, of which it takes its own; where they do not last, what is stored is not known
 */
export function firstNew(
  elisions: readonly Elision[],
  stored: readonly string[] | undefined,
  isMarkdown: boolean,
  looks: Looks
): string | undefined {
  if (elisions.length === 0) return undefined
  const given = new Set(elisions.map(({ line }) => line))
  const kept = new Set<string>()
  for (const text of stored ?? [])
    for (const [line] of countingIn(text, isMarkdown, looks)) {
      const said = line.trim()
      if (given.has(said)) kept.add(said)
    }
  const isKnown = stored !== undefined && looks.begun > 0
  return elisions.find(
    ({ line, isAll, certainty }) =>
      (isKnown || certainty === 'sure') &&
      !(isAll ? stored?.some(text => text.trim() === line) : kept.has(line))
  )?.line
}
