import { standsElsewhere } from './elision-elsewhere.ts'
import { type Peeled, peeled } from './elision-line.ts'

/*
 * Lines that stand for text which a model did not repeat, such as `// ... existing code ...` or `[rest unchanged]`. If
 * such a line is stored, it replaces that text. But people write about such lines, too, and a text that is refused
 * wrongly cannot be stored. So a line counts only if it has nothing else; without dots on both sides, or a bracket
 * around it, only in a few phrases.
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
/** Words for the whole of which the rest stays. */
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
/** Phrases that say the rest stays. In a comment without dots, they must also say of what it is the rest. */
const restStays = new RegExp(`^${rest} (?:${ofWhole} )?${stays}$`)
const restOfWholeStays = new RegExp(`^${rest} ${ofWhole} ${stays}$`)
/** Phrases that name something that stays. They count only with dots, which say that it is left out. */
const somethingStays = new RegExp(
  `^(?:(?:keep )?(?:the )?(?:existing|original|previous) (?:${whole}|imports)(?: ${stays})?|(?:keep )?${rest} ${ofWhole}|(?:all )?(?:the )?other \\w+ (?:are|remain|stay) (?:the same|unchanged|untouched|as (?:is|before))|unchanged)$`
)
/** The same for a comment in markup, without dots. */
const wholeAlone = /^(?:existing|original|previous) (?:code|contents?|description|document|text)$/

/** Phrases that are clear by themselves: they give line numbers, or say that the text is left out. */
const linesStay =
  /^(?:lines? \d{1,7}(?: \d{1,7})? (?:unchanged|untouched|omitted)|(?:unchanged|omitted) lines? \d{1,7}(?: \d{1,7})?)$/
const wholeOmitted = new RegExp(`^(?:(?:the )?${whole}|${rest}(?: ${ofWhole})?) (?:is )?omitted$`)
const restOfWhole = new RegExp(`^${rest} ${ofWhole}$`)
const restUnchanged = /^rest (?:unchanged|untouched|omitted)$/

/** Whether words say that something stays: `rest of the file unchanged`, but not `Unchanged fields`. */
function isState({ words }: Peeled): boolean {
  const at = words.findLastIndex(word => states.has(word))
  return at > 0 && hasOf(words.slice(0, at), others)
}

const isKept = ({ words }: Peeled): boolean => hasOf(words, parts) && hasOf(words, kept)

/** In a comment of a file, with dots on both sides, any other words may stand beside these. */
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

/** People also use round brackets for asides, and in files any bracket may be code. */
function isBracketed(line: Peeled): boolean {
  const { comment, isMarkdown, bracket, words } = line
  if (comment !== undefined) return isKept(line) || isState(line) || words.join(' ') === 'same as before'
  if (bracket === '[') return isState(line) || (isKept(line) && (isMarkdown || words.includes('of')))
  return bracket === '<' && isMarkdown && isKept(line) && kept.has(words[0]!)
}

/**
 * Whether a line that consists only of such words stands for omitted text. @param isAlone whether a blank line or the
 * end follows it
 */
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

/** Words between dots that say something was cut. */
const cuts = setOf('cut omitted shortened skipped snip snipped truncated')

/** Whether a line consists only of dots in square brackets. People also mark cuts in quotations with them. */
const isCut = ({ bracket, dots, said }: Peeled): boolean =>
  bracket === '[' && dots.any && (said === '' || (dots.both && cuts.has(said.toLowerCase())))

/**
 * Whether a line clearly says that text is omitted, whatever other words it has. @param isAlone whether a blank line or
 * the end follows it
 */
function tells({ comment, isMarkdown, bracket, dots, words }: Peeled, isAlone: boolean): boolean {
  const phrase = words.join(' ')
  if (comment !== undefined && restUnchanged.test(phrase)) return true
  if (comment === '<!--' && (isMarkdown || isAlone) && restStays.test(phrase)) return true
  if ((bracket !== undefined || comment !== undefined || dots.any) && linesStay.test(phrase)) return true
  return (bracket === '[' || bracket === '<') && (wholeOmitted.test(phrase) || restOfWhole.test(phrase))
}

/**
 * How certain it is that a line stands for omitted text: `sure` in any case, `new` only if the line was not there
 * before.
 */
export type Certainty = 'sure' | 'new'

/**
 * Decides whether a line stands for omitted text.
 * @param isAlone whether a blank line or the end follows it
 * @returns undefined if it does not
 */
export function certaintyOf(
  line: string,
  isMarkdown: boolean,
  isAlone: () => boolean
): Certainty | undefined {
  const said = peeled(line, isMarkdown)
  const isKnown = said.words.every(word => known.has(word))
  if (isDottedComment(said) || (isKnown && stands(said, isAlone())) || tells(said, isAlone())) return 'sure'
  if (standsElsewhere(said)) return 'sure'
  return isCut(said) ? 'new' : undefined
}

/** Words that, with dots or a bracket, can stand for a whole text. */
const saidOfAll = new Set([
  ...cuts,
  'existing',
  'no change',
  'no changes',
  'same',
  'same as before',
  'unchanged'
])

/** Whether a line, as the only line of a text, marks omitted text, such as `// ...` or `[unchanged]`. */
export function isMarkAlone(line: string): boolean {
  const { dots, bracket, said } = peeled(line, true)
  return said === '' ? dots.any : (dots.any || bracket !== undefined) && saidOfAll.has(said.toLowerCase())
}
