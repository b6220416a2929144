/*
 * Lines that stand for what a model did not repeat, such as `// ... existing code ...` or `[rest unchanged]`: stored,
 * they replace it. People write about such things, too, and what is refused wrongly cannot be stored. So only a line
 * that is nothing else counts, and without dots on both sides, or a bracket around it, only one in a few phrases.
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

const whole =
  '(?:body|changelog|class|code|component|config|configuration|content|contents|description|document|documentation|file|function|implementation|method|module|page|readme|script|section|template|text)'
const rest = '(?:the )?(?:rest|remainder)'
const ofWhole = `of (?:(?:the|this|your) )?(?:(?:existing|original) )?${whole}`
const stays =
  '(?:(?:(?:is|remains|stays|goes) )?(?:unchanged|untouched|omitted|the same|the same as before|as is|as before|here)|remains|stays)'
/** What says that the rest stays, and in a comment alone, of what. */
const restStays = new RegExp(`^${rest} (?:${ofWhole} )?${stays}$`)
const restOfWholeStays = new RegExp(`^${rest} ${ofWhole} ${stays}$`)
/** What names something that stays, where dots say that it is left out. */
const somethingStays = new RegExp(
  `^(?:(?:keep )?(?:the )?(?:existing|original|previous) (?:${whole}|imports)(?: ${stays})?|(?:keep )?${rest} ${ofWhole}|(?:all )?(?:the )?other \\w+ (?:are|remain|stay) (?:the same|unchanged|untouched|as (?:is|before))|unchanged)$`
)
/** The same where a comment in markup says it. */
const wholeAlone = /^(?:existing|original|previous) (?:code|contents?|description|document|text)$/

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
  /** Whether it has dots before its words, after them, and on both sides. */
  readonly dots: { readonly any: boolean; readonly both: boolean }
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
  const comment = sign === '' || (isMarkdown && sign.startsWith('#')) ? undefined : sign
  return {
    isMarkdown,
    comment,
    // Dots after words that no comment holds are how people stop.
    dots: { any: first || (last && comment !== undefined), both: first && last },
    bracket,
    said,
    words: said
      .toLowerCase()
      .split(between)
      .filter(word => word !== '')
  }
}

/** Whether words say that something stays: `rest of the file unchanged`, but not `Unchanged fields`. */
function isState({ words }: Peeled): boolean {
  const at = words.findLastIndex(word => states.has(word))
  return at > 0 && hasOf(words.slice(0, at), others)
}

const isKept = ({ words }: Peeled): boolean => hasOf(words, parts) && hasOf(words, kept)

/** In a comment of a file with dots on both sides, what stands beside such words matters no more. */
const isDottedComment = ({ comment, isMarkdown, dots, said, words }: Peeled): boolean =>
  comment !== undefined &&
  !isMarkdown &&
  dots.both &&
  plain.test(said) &&
  ((keptInWords.test(said) && hasOf(words, parts)) || alone.test(said))

const isDotted = (line: Peeled): boolean =>
  isKept(line) ||
  isState(line) ||
  alone.test(line.said) ||
  (hasOf(line.words, parts) && hasOf(line.words, others))

/** Round brackets are what people say something beside with, and in files any may be code. */
function isBracketed(line: Peeled): boolean {
  const { comment, isMarkdown, bracket, words } = line
  if (comment !== undefined) return isKept(line) || isState(line) || words.join(' ') === 'same as before'
  if (bracket === '[') return isState(line) || (isKept(line) && (isMarkdown || words.includes('of')))
  return bracket === '<' && isMarkdown && isKept(line) && kept.has(words[0]!)
}

/** Whether a line of nothing but such words stands for others. @param isAlone whether nothing follows it at once */
function stands(line: Peeled, isAlone: boolean): boolean {
  const { comment, isMarkdown, dots, bracket, words } = line
  if (dots.both && isDotted(line)) return true
  if (bracket !== undefined && isBracketed(line)) return true
  const phrase = words.join(' ')
  if ((dots.any || bracket !== undefined) && restStays.test(phrase)) return true
  if (comment !== undefined && restOfWholeStays.test(phrase)) return true
  if (dots.any && somethingStays.test(phrase)) return true
  return comment === '<!--' && (isMarkdown || isAlone) && wholeAlone.test(phrase)
}

/** What stands between dots where something was cut. */
const cuts = setOf('cut omitted shortened skipped snip snipped truncated')

/** Whether a line is nothing but dots in square brackets, as people also quote with. */
const isCut = ({ bracket, dots, said }: Peeled): boolean =>
  bracket === '[' && dots.any && (said === '' || (dots.both && cuts.has(said.toLowerCase())))

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
const beginning = /^[ \t]*(?:[.…[(<*_/{#;%]|--|`{3}|~{3})/gm
const anySign =
  /existing|keep|kept|original|other|previous|remain|rest|same|unchanged|untouched|omitted|\[ ?(?:\.{3}|…)/i
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
  /** Whether it hardly means anything else, wherever it stands; otherwise only if it is new there. */
  readonly isSure: boolean
}

/**
 * The lines of a text that stand for others.
 * @param isMarkdown whether the text is Markdown that people read, or else a file
 * @param looks of the call, of which it takes its own
 */
export function* elisionsIn(text: string, isMarkdown: boolean, looks: Looks): Generator<Elision> {
  const lines = linesIn(text, looks)
  for (const [line, end] of isMarkdown ? outsideCode(lines) : lines) {
    if (!anySign.test(line)) continue
    looks.worded -= line.length
    if (looks.worded < 0) return
    const said = peeled(line, isMarkdown)
    const isSure =
      isDottedComment(said) ||
      (said.words.every(word => known.has(word)) && stands(said, isBlankAfter(text, end)))
    if (isSure || isCut(said)) yield { line: line.trim(), isSure }
  }
}

/** What dots, or a bracket, say of all that is there. */
const saidOfAll = new Set([
  ...cuts,
  'existing',
  'no change',
  'no changes',
  'same',
  'same as before',
  'unchanged'
])

/** A text that is nothing but the mark of what was left out, such as `// ...` or `[unchanged]`; undefined for others. */
export function nothingElse(text: string): Elision | undefined {
  const line = text.trim()
  if (line.length > MOST_CHARS || line.includes('\n')) return undefined
  const { dots, bracket, said } = peeled(line, true)
  const isMark =
    said === '' ? dots.any : (dots.any || bracket !== undefined) && saidOfAll.has(said.toLowerCase())
  return isMark ? { line, isSure: true } : undefined
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
  if (stored === undefined) return elisions.find(({ isSure }) => isSure)?.line
  const kept = new Set<string>()
  for (const text of stored) {
    const all = nothingElse(text)
    if (all !== undefined) kept.add(all.line)
    for (const { line } of elisionsIn(text, isMarkdown, looks)) kept.add(line)
  }
  return elisions.find(({ line }) => !kept.has(line))?.line
}
