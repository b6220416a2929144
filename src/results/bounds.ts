import { isLongerThan } from '../json/size.ts'
import { cutStrings } from './cut-strings.ts'
import type { Selection } from './selection.ts'

/** A text of bounded length, with a notice if it does not show everything. */
export interface Bounded {
  readonly text: string
  readonly notice?: string
}

/**
 * The JSON of what a tool returns. Only as much is read, selected and written as there is room for: a large answer may
 * have a hundred times as much.
 * @param each returns what is shown of an item of a list; called at most once for each item
 */
export function boundJson(
  value: unknown,
  maxChars: number,
  inputs: ReadonlySet<string>,
  each: Selection
): Bounded {
  if (Array.isArray(value)) return boundList(value, maxChars, inputs, each)
  const text = isLongerThan(value, maxChars) ? undefined : JSON.stringify(value ?? null)
  return text !== undefined && text.length <= maxChars
    ? { text }
    : (cut(value, maxChars, adviceFor(inputs)) ?? tooLarge(maxChars, adviceFor(inputs)))
}

function boundList(
  items: readonly unknown[],
  maxChars: number,
  inputs: ReadonlySet<string>,
  each: Selection
): Bounded {
  const { texts, read } = firstOf(items, maxChars, each)
  if (texts.length === items.length) return { text: `[${texts.join()}]` }
  const advice = items.length === 1 ? adviceForOne(inputs) : adviceFor(inputs)
  // What fits into no answer would hide all that comes after it, whatever is asked for.
  if (texts.length === 0 || isLongerThan(read.at(-1), maxChars)) {
    const whole = cut([...read, ...items.slice(read.length).map(each)], maxChars, advice)
    if (whole !== undefined) return whole
  }
  if (texts.length === 0) return tooLarge(maxChars, advice)
  return {
    text: `[${texts.join()}]`,
    notice: `Result cut at ${maxChars} characters: ${texts.length} of ${items.length} records are shown. ${advice}`
  }
}

/** The first items, as many as fit, as JSON; and all that were read for it, one more where that did not fit. */
function firstOf(items: readonly unknown[], maxChars: number, each: Selection) {
  const texts: string[] = []
  const read: unknown[] = []
  // A bracket, and what follows each item.
  let size = 1
  for (const item of items) {
    const shown = each(item)
    read.push(shown)
    const text = isLongerThan(shown, maxChars - size) ? undefined : (JSON.stringify(shown) ?? 'null')
    if (text === undefined || size + text.length + 1 > maxChars) break
    size += text.length + 1
    texts.push(text)
  }
  return { texts, read }
}

/** A value with its long texts shortened; undefined if that is not enough. */
function cut(value: unknown, maxChars: number, advice: string): Bounded | undefined {
  const text = cutStrings(value, maxChars)
  return text === undefined ? undefined : { text, notice: endEarly(maxChars, advice) }
}

const tooLarge = (maxChars: number, advice: string): Bounded => ({
  text: JSON.stringify({ error: 'This record is too large to show.' }),
  notice: endEarly(maxChars, advice)
})

const endEarly = (maxChars: number, advice: string): string =>
  `Result cut at ${maxChars} characters: long texts end early. ${advice}`

/** @param chars length of the whole text, if this is only its beginning */
export function boundText(
  text: string,
  maxChars: number,
  inputs: ReadonlySet<string>,
  chars = text.length
): Bounded {
  if (chars <= maxChars) return { text }
  return {
    text: text.slice(0, maxChars),
    notice: `Result cut at ${maxChars} of ${chars} characters. ${adviceFor(inputs)}`
  }
}

const NO_REMEDY = 'The rest cannot be had through this tool.'

const FEWER_LINES = 'Ask for fewer lines with start_line and end_line.'

/** Arguments by which the rest can be had, most useful first. */
const remedies: readonly [argument: string, advice: string][] = [
  ['limit', 'Ask for fewer lines with limit, and move with offset.'],
  ['per_page', 'Ask again with a smaller per_page and go on with page.'],
  ['recursive', 'Ask for one directory with path, and leave recursive out.'],
  ['file_paths', 'Ask for fewer file_paths at once.'],
  ['start_line', FEWER_LINES],
  ['paths', 'Ask for fewer paths at once.'],
  ['excluded_file_patterns', 'Leave files out with excluded_file_patterns.'],
  ['first', 'Ask again with a smaller first and go on with after.']
]

function adviceFor(inputs: ReadonlySet<string>): string {
  const remedy = remedies.find(([argument]) => inputs.has(argument))
  return remedy?.[1] ?? NO_REMEDY
}

/** Nobody can ask for fewer records than one, but perhaps for less of it. */
const adviceForOne = (inputs: ReadonlySet<string>): string =>
  inputs.has('start_line') ? FEWER_LINES : NO_REMEDY
