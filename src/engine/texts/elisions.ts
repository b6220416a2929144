import { maySayElsewhere } from './elision-elsewhere.ts'
import { type Certainty, certaintyOf, isMarkAlone } from './elision-words.ts'

/* Finds the lines of a text that stand for omitted text (elision-words.ts), and tells which of them are new. */

/** The longest line that is examined, in characters. */
const MAX_CHARS = 200
/**
 * Fewest characters that a line counts for, once it is found (`begun`) and once it is examined (`worded`): a short line
 * takes as much time.
 */
const MIN_CHARS = { begun: 80, worded: 16 }
/**
 * How many characters may still be examined, in all texts of a call and the texts they replace: of lines that begin
 * with such a sign (`begun`), and of those that contain such a word (`worded`). Once these are used up, `searched` is
 * how many characters of stored texts may be searched for the lines that were given.
 */
export interface ElisionBudget {
  begun: number
  worded: number
  searched: number
}
/** The budget of one call, which delays all other calls meanwhile. */
export const elisionBudget = (): ElisionBudget => ({ begun: 800_000, worded: 32_768, searched: 8_388_608 })
/** Matches how such a line, or a code block in Markdown, begins. An examined line has at most that many blanks. */
const beginning = /^[ \t]{0,199}(?:[.…[(<*_/{#;%⋯・。（［【〔＃／]|--|`{3}|~{3})/gm
const anySign =
  /existing|keep|kept|original|other|previous|remain|rest|same|unchanged|untouched|omitted|[[［] ?(?:\.{3}|…)/i
/** Code blocks in Markdown. */
const indented = /^(?: {4}|\t)/
const fence = /^[ \t]*(`{3,200}|~{3,200})/

/** Yields the lines of a text that begin with such a sign, each with the index of its end. */
function* linesIn(text: string, budget: ElisionBudget): Generator<readonly [line: string, end: number]> {
  for (let from = 0; budget.begun > 0; ) {
    beginning.lastIndex = from
    const at = beginning.exec(text)?.index
    if (at === undefined) return
    const newline = text.indexOf('\n', at)
    from = newline < 0 ? text.length : newline
    const isLong = from - at > MAX_CHARS
    budget.begun -= isLong ? MIN_CHARS.begun : Math.max(from - at, MIN_CHARS.begun)
    if (!isLong) yield [text.slice(at, from), from]
  }
}

/** Leaves out code blocks, which only quote. */
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

const countingIn = (
  text: string,
  isMarkdown: boolean,
  budget: ElisionBudget
): Iterable<readonly [string, number]> =>
  isMarkdown ? outsideCode(linesIn(text, budget)) : linesIn(text, budget)

/**
 * Whether the next line is blank, as far as a line is examined, or there is none. Otherwise the comment may be on what
 * follows.
 */
function isBlankAfter(text: string, end: number): boolean {
  const next = text.indexOf('\n', end + 1)
  return text.slice(end, next < 0 ? end + MAX_CHARS : Math.min(next, end + MAX_CHARS)).trim() === ''
}

/** A line that stands for omitted text, without the white space around it. */
export interface Elision {
  readonly line: string
  readonly certainty: Certainty
  /** Whether the line is the whole text. */
  readonly isAll: boolean
}

/**
 * Finds the lines of a text that stand for omitted text.
 * @param isMarkdown whether the text is Markdown that people read; otherwise it is a file
 * @param budget of the call; it is reduced
 */
export function* elisionsIn(text: string, isMarkdown: boolean, budget: ElisionBudget): Generator<Elision> {
  for (const [line, end] of countingIn(text, isMarkdown, budget)) {
    if (!anySign.test(line) && !maySayElsewhere(line)) continue
    budget.worded -= Math.max(line.length, MIN_CHARS.worded)
    if (budget.worded < 0) return
    const certainty = certaintyOf(line, isMarkdown, () => isBlankAfter(text, end))
    if (certainty !== undefined) yield { line: line.trim(), certainty, isAll: false }
  }
}

/**
 * The mark of omitted text, such as `// ...` or `[unchanged]`, if the text consists only of that; undefined otherwise.
 */
export function nothingElse(text: string): Elision | undefined {
  const line = text.trim()
  if (line.length > MAX_CHARS || line.includes('\n') || !isMarkAlone(line)) return undefined
  return { line, certainty: 'sure', isAll: true }
}

/**
 * Finds the first of such lines that is new.
 * @param stored the replaced texts, if they are known: a line that is in them already is intended
 * @param budget of the call; it is reduced. If it runs out, the stored texts are only searched for the given lines
 */
export function firstNew(
  elisions: readonly Elision[],
  stored: readonly string[] | undefined,
  isMarkdown: boolean,
  budget: ElisionBudget
): string | undefined {
  if (elisions.length === 0) return undefined
  const given = new Set(elisions.map(({ line }) => line))
  const kept = new Set<string>()
  for (const text of stored ?? [])
    for (const [line] of countingIn(text, isMarkdown, budget)) {
      const said = line.trim()
      if (given.has(said)) kept.add(said)
    }
  const isKnown = stored !== undefined && budget.begun > 0
  const isKept = (line: string) => kept.has(line) || (!isKnown && isWithin(line, stored ?? [], budget))
  return elisions.find(
    ({ line, isAll, certainty }) =>
      (isKnown || certainty === 'sure') &&
      !(isAll ? stored?.some(text => text.trim() === line) : isKept(line))
  )?.line
}

/** Whether a text has a line anywhere, as far as there is still room to search it. */
const isWithin = (line: string, texts: readonly string[], budget: ElisionBudget): boolean =>
  texts.some(text => {
    budget.searched -= text.length
    return budget.searched >= 0 && text.includes(line)
  })
