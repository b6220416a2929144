import { maySayElsewhere } from './elision-elsewhere.ts'
import { type Certainty, certaintyOf, isMarkAlone } from './elision-words.ts'

/* The lines of a text that stand for others (elision-words.ts), and which of them are new. */

/** Longest line that is looked at, in characters. */
const MOST_CHARS = 200
/**
 * How much is still looked at, of all texts of a call: lines that begin with such signs, and characters of those that have
 * such a word.
 */
interface Looks {
  begun: number
  worded: number
}
/** What one call may look at, which delays all others meanwhile. */
export const looksOfCall = (): Looks => ({ begun: 10_000, worded: 32_768 })
/** What such a line begins with, or a block of code in Markdown. */
const beginning = /^[ \t]*(?:[.…[(<*_/{#;%⋯・。（［【〔＃／]|--|`{3}|~{3})/gm
const anySign =
  /existing|keep|kept|original|other|previous|remain|rest|same|unchanged|untouched|omitted|[[［] ?(?:\.{3}|…)/i
/** Code in Markdown. */
const indented = /^(?: {4}|\t)/
const fence = /^[ \t]*(`{3,200}|~{3,200})/

/** The lines of a text that begin so, each with where it ends. */
function* linesIn(text: string, looks: Looks): Generator<readonly [line: string, end: number]> {
  for (let from = 0; looks.begun > 0; looks.begun--) {
    beginning.lastIndex = from
    const at = beginning.exec(text)?.index
    if (at === undefined) return
    const newline = text.indexOf('\n', at)
    from = newline < 0 ? text.length : newline
    if (from - at <= MOST_CHARS) yield [text.slice(at, from), from]
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

/** Whether the line after one that ends there is blank, or there is none: a comment on what follows stands before it. */
function isBlankAfter(text: string, end: number): boolean {
  const next = text.indexOf('\n', end + 1)
  return text.slice(end, next < 0 ? end + MOST_CHARS : next).trim() === ''
}

/** A line that stands for others, without the white space around it. */
export interface Elision {
  readonly line: string
  readonly certainty: Certainty
  /** Whether the text is nothing else. */
  readonly isAll: boolean
}

/** Fewest characters that a line counts for: to look at a short one takes as long. */
const LEAST_CHARS = 16

/**
 * The lines of a text that stand for others.
 * @param isMarkdown whether the text is Markdown that people read, or else a file
 * @param looks of the call, of which it takes its own
 */
export function* elisionsIn(text: string, isMarkdown: boolean, looks: Looks): Generator<Elision> {
  const lines = linesIn(text, looks)
  for (const [line, end] of isMarkdown ? outsideCode(lines) : lines) {
    if (!anySign.test(line) && !maySayElsewhere(line)) continue
    looks.worded -= Math.max(line.length, LEAST_CHARS)
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
 * @param looks at what is stored
 */
export function firstNew(
  elisions: readonly Elision[],
  stored: readonly string[] | undefined,
  isMarkdown: boolean,
  looks = looksOfCall()
): string | undefined {
  if (elisions.length === 0) return undefined
  if (stored === undefined) return elisions.find(({ certainty }) => certainty === 'sure')?.line
  const [kept, keptAlone] = [new Set<string>(), new Set<string>()]
  for (const text of stored) {
    const all = nothingElse(text)
    if (all !== undefined) keptAlone.add(all.line)
    for (const { line } of elisionsIn(text, isMarkdown, looks)) kept.add(line)
  }
  return elisions.find(({ line, isAll }) => !keptAlone.has(line) && (isAll || !kept.has(line)))?.line
}
