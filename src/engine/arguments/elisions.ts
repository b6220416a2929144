import { ArgumentError } from '../../results/problem.ts'
import { quotedName } from '../../results/visible.ts'
import type { ToolRow } from '../rows/row.ts'
import { changes } from './emptied.ts'
import { textsIn } from './texts-in.ts'
import type { Check } from './values.ts'
import { howToHaveAll } from './written-texts.ts'

/*
 * Lines that stand for what a model did not repeat, such as `// ... existing code ...` or `[rest unchanged]`: stored,
 * they replace it. Only a line that is nothing else counts, so that what people write about such things is stored.
 */

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '))
const hasOf = (words: readonly string[], set: ReadonlySet<string>): boolean =>
  words.some(word => set.has(word))

const kept = setOf(
  'existing keep kept original previous remain remainder remaining remains rest same unchanged untouched'
)
const parts = setOf(
  'body changelog class code component components configuration content contents description document documentation field fields file function functions implementation import imports line lines logic method methods note notes page readme route routes section sections style styles test tests text'
)
/** What a whole is called of which the rest stays. */
const others = setOf('all everything existing original other others previous remainder remaining rest')
const states = setOf('omitted same unchanged untouched')
const fill = setOf(
  'above as are before below else for from goes here in is of omitted stay stays that the this was with your'
)
const known = new Set([...kept, ...parts, ...others, ...fill])

const keptInWords = /\b(?:existing|keep|omitted|previous|remain(?:der|ing|s)?|rest|same|unchanged)\b/i
const plain = /^[A-Za-z' ]{4,80}$/
const alone = /^\s*(?:the )?(?:rest )?(?:is |remains |stays )?(?:existing|rest|unchanged|omitted)\s*$/i

const mark = /^(?:\{?\/\*+|<!--|\/\/+|#+|--+|;+|%+)/
const markEnd = /(?:\*{1,9}\/\}?|-->)$/
const dotsFirst = /^(?:\.{3,6}|…)/
const dotsLast = /(?:\.{3,6}|…)$/
const between = /[\s()[\],;:.–—-]/
const brackets = ['()', '[]', '<>']

/** A line without what encloses its words. */
interface Peeled {
  readonly isMarkdown: boolean
  /** Its sign, if it is a comment: in Markdown a hash begins a heading. */
  readonly comment: string | undefined
  /** Whether it has dots before its words, and after them. */
  readonly dots: { readonly first: boolean; readonly last: boolean }
  /** The bracket that opened it. */
  readonly bracket: string | undefined
  readonly said: string
  /** What is said, in small letters. */
  readonly words: readonly string[]
}

function peeled(line: string, isMarkdown: boolean): Peeled {
  let said = line.trim()
  if (isMarkdown) said = said.replace(/^[*_]{1,3}(?=[[(<.…])/, '').replace(/[*_]{1,3}$/, '')
  const [sign = ''] = mark.exec(said) ?? []
  said = said.slice(sign.length).replace(markEnd, '').trim()
  let [first, last, bracket]: [boolean, boolean, string | undefined] = [false, false, undefined]
  // Dots are within brackets, or around them.
  for (let round = 0; round < 2; round++) {
    first ||= dotsFirst.test(said)
    last ||= dotsLast.test(said)
    said = said.replace(dotsFirst, '').replace(dotsLast, '').trim()
    const pair = brackets.find(([open, close]) => said[0] === open && said.at(-1) === close)
    if (pair === undefined) continue
    bracket ??= pair[0]
    said = said.slice(1, -1).trim()
  }
  const words = said.toLowerCase().split(between)
  return {
    isMarkdown,
    comment: sign === '' || (isMarkdown && sign.startsWith('#')) ? undefined : sign,
    dots: { first, last },
    bracket,
    said,
    words: words.filter(word => word !== '')
  }
}

/** Whether words say that something stays: `rest of the file unchanged`, but not `Unchanged fields`. */
function isState({ words }: Peeled): boolean {
  const at = words.findLastIndex(word => states.has(word))
  return at > 0 && hasOf(words.slice(0, at), others)
}

const isKept = ({ words }: Peeled): boolean => hasOf(words, parts) && hasOf(words, kept)

/** In a comment of a file with dots, what stands beside such words matters no more. */
const isDottedComment = ({ comment, isMarkdown, dots, said, words }: Peeled): boolean =>
  comment !== undefined &&
  !isMarkdown &&
  (dots.first || dots.last) &&
  plain.test(said) &&
  ((keptInWords.test(said) && hasOf(words, parts)) || alone.test(said))

function isDotted(line: Peeled): boolean {
  const { dots, words, said } = line
  const isBetween = dots.first && dots.last
  return isKept(line) || (isBetween && (alone.test(said) || (hasOf(words, parts) && hasOf(words, others))))
}

/** In files, brackets around a few words are also code. */
function isBracketed(line: Peeled): boolean {
  const { comment, isMarkdown, bracket, words } = line
  if (comment !== undefined) return isKept(line) || words.join(' ') === 'same as before'
  if (bracket === '<') return isMarkdown && isKept(line) && kept.has(words[0]!)
  return isKept(line) && (isMarkdown || words.includes('of'))
}

/** Whether a line of nothing but such words stands for others. @param isAlone whether nothing follows it at once */
function stands(line: Peeled, isAlone: boolean): boolean {
  const { comment, isMarkdown, dots, bracket } = line
  const hasDots = dots.first || (dots.last && comment !== undefined)
  if ((hasDots || bracket !== undefined || comment !== undefined) && isState(line)) return true
  if (hasDots) return isDotted(line)
  if (bracket !== undefined) return isBracketed(line)
  return comment === '<!--' && isKept(line) && (isMarkdown || isAlone)
}

/** Longest line that is looked at, in characters. */
const MOST_CHARS = 200
/** How many lines are still looked at, of all texts of a call: that begin with such signs, and that have such a word. */
interface Looks {
  begun: number
  worded: number
}
/** What one call may look at, which delays all others meanwhile. */
export const looksOfCall = (): Looks => ({ begun: 50_000, worded: 5_000 })
/** What such a line begins with, or a block of code in Markdown. */
const beginning = /^[ \t]*(?:[.…[(<*_/{#;%]|--|`{3}|~{3})/gm
const anyWord = /existing|keep|kept|original|other|previous|remain|rest|same|unchanged|untouched|omitted/i
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

/**
 * The first line of a text that stands for others; undefined if there is none.
 * @param isMarkdown whether the text is Markdown that people read, or else a file
 * @param looks of the call, of which it takes its own
 */
export function elisionIn(text: string, isMarkdown: boolean, looks: Looks): string | undefined {
  const lines = linesIn(text, looks)
  for (const [line, end] of isMarkdown ? outsideCode(lines) : lines) {
    if (!anyWord.test(line)) continue
    if (looks.worded-- <= 0) return undefined
    const said = peeled(line, isMarkdown)
    if (isDottedComment(said)) return line.trim()
    if (said.words.every(word => known.has(word)) && stands(said, isBlankAfter(text, end))) return line.trim()
  }
  return undefined
}

/**
 * Prepares the refusal of changed texts with such a line, by which what it stands for would be lost. What is made anew
 * may hold one, and files are checked where it is known what is done with each.
 * @param isTool whether there is a tool of that name
 * @returns undefined for a tool that changes no such text; otherwise a check that throws ArgumentError
 */
export function wholeCheck(row: ToolRow, isTool: (name: string) => boolean): Check | undefined {
  const isChange = changes(row.kind === 'several' ? row.of : row)
  const texts = isChange
    ? textsIn(row.input, ({ quickActions, quotesStored }) => quickActions !== undefined && !quotesStored)
    : undefined
  if (texts === undefined) return undefined
  return args => {
    const looks = looksOfCall()
    for (const [place, text] of texts(args)) {
      const line = elisionIn(text, true, looks)
      if (line !== undefined)
        throw new ArgumentError(
          place,
          `has the line ${quotedName(line)}, which would be all that stays of what it stands for: the whole text is replaced. Nothing was done. ${howToHaveAll(row, isTool)}Where the line is meant, add a word to it`
        )
    }
  }
}
