import { isLongerThan } from '../json/size.ts'
import { cutStrings } from './cut-strings.ts'
import { isRecord } from './is-record.ts'
import type { Selection } from './selection.ts'
import { shortened, startOf, withRest } from './shortened.ts'
import { quoted } from './visible.ts'

/** A text of bounded length, with a notice if it does not show everything. */
interface Bounded {
  readonly text: string
  readonly notice?: string
}

/** Fewest items of a list that are shown if there is room: a page of a forge has at most a hundred. */
const MIN_ITEMS = 1_000
/** Characters of JSON of the shortest items of which a list may have thousands: a path, or a number with a name. */
const ITEM_CHARS = 40

/** The first items of a list, with their total number; or any other value. */
export interface FirstItems {
  readonly value: unknown
  readonly total?: number
}

/**
 * The items of a list that are read for a result of `maxChars` characters; any other value is returned unchanged. Each
 * item takes time even if little of it is shown: tens of thousands of empty records would take as long as many long
 * results.
 */
export const firstItems = (value: unknown, maxChars: number): FirstItems =>
  Array.isArray(value)
    ? {
        value: value.slice(0, Math.max(MIN_ITEMS, Math.floor(maxChars / ITEM_CHARS))),
        total: value.length
      }
    : { value }

/**
 * The JSON of a tool's output. Only as much is read, selected and written as fits: a large answer may have a hundred
 * times as much.
 * @param each returns the shown part of a list's item; called at most once for each item
 * @param total number of items of the whole list, if the value has only the first
 */
export function boundJson(
  value: unknown,
  maxChars: number,
  inputs: ReadonlySet<string>,
  each: Selection,
  total?: number
): Bounded {
  if (Array.isArray(value)) return boundList(value, total ?? value.length, maxChars, inputs, each)
  const text = isLongerThan(value, maxChars) ? undefined : JSON.stringify(value ?? null)
  return text !== undefined && text.length <= maxChars
    ? { text }
    : (cut(value, maxChars, adviceFor(inputs)) ?? partOf(value, maxChars, adviceFor(inputs)))
}

function boundList(
  items: readonly unknown[],
  total: number,
  maxChars: number,
  inputs: ReadonlySet<string>,
  each: Selection
): Bounded {
  const { texts, read } = firstOf(items, maxChars, each)
  if (texts.length === total) return { text: `[${texts.join()}]` }
  // An item that fits into no answer would otherwise hide all items after it, however the caller repeats the request.
  const isOneTooLong = isLongerThan(read.at(-1), maxChars)
  const advice = total === 1 ? adviceForOne(inputs) : adviceFor(inputs)
  if (texts.length === 0 || isOneTooLong) {
    const inFile = total > 1 && isOneTooLong && isOfDiffs(inputs) ? ` ${IN_FILE}` : ''
    const whole = cut([...read, ...items.slice(read.length).map(each)], maxChars, advice + inFile)
    if (whole !== undefined) return withCount(whole, items.length, total)
  }
  if (texts.length === 0) {
    const { text, notice } = partOf(read[0], maxChars, advice)
    return {
      text: `[${text}]`,
      notice: total === 1 ? notice : `${notice} 1 of ${total} records is shown.`
    }
  }
  const end = texts.length === items.length ? `${texts.length} records` : `${maxChars} characters`
  return {
    text: `[${texts.join()}]`,
    notice: `Result cut at ${end}: ${shownOf(texts.length, total)} ${advice}`
  }
}

const withCount = (bounded: Bounded, shown: number, total: number): Bounded =>
  shown === total ? bounded : { ...bounded, notice: `${bounded.notice} ${shownOf(shown, total)}` }

const shownOf = (shown: number, total: number): string => `${shown} of ${total} records are shown.`

/**
 * The JSON of the first items, as many as fit; and all items that were read for it, including the one that did not fit.
 */
function firstOf(items: readonly unknown[], maxChars: number, each: Selection) {
  const texts: string[] = []
  const read: unknown[] = []
  // The opening bracket; each item is followed by a comma or the closing bracket.
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

/** Most fields of an oversized record that are examined, and most that are named as left out. */
const MAX_FIELDS = 200
const MAX_NAMED = 10
/** Most characters of a text, and of a field's name, in such a record. */
const SHORT_TEXT = 200
const SHORT_NAME = 40

/**
 * The part that fits of a record which is too large even with short texts: first its plain values, which identify it.
 */
function partOf(value: unknown, maxChars: number, advice: string): Bounded {
  if (!isRecord(value))
    return {
      text: JSON.stringify({ error: 'This is too large to show.' }),
      notice: `Result cut at ${maxChars} characters. ${advice}`
    }
  const fields = firstFields(value)
  const isPlain = (part: unknown) => typeof part !== 'object' || part === null
  const texts: string[] = []
  const left: string[] = []
  // Its own brackets, and those of a list around it.
  let room = maxChars - '[{}]'.length
  for (const [name, part] of [
    ...fields.filter(([, part]) => isPlain(part)),
    ...fields.filter(([, part]) => !isPlain(part))
  ]) {
    const text =
      name.length > SHORT_NAME || isLongerThan(part, room)
        ? undefined
        : `${JSON.stringify(name)}:${JSON.stringify(part)}`
    if (text === undefined || text.length >= room) left.push(name)
    else {
      texts.push(text)
      room -= text.length + 1
    }
  }
  const named = left.slice(0, MAX_NAMED).map(name => quoted(shortened(name, SHORT_NAME)))
  const without =
    named.length === 0 ? '' : `, without ${named.join(', ')}${left.length > MAX_NAMED ? ' and others' : ''}`
  return {
    text: `{${texts.join()}}`,
    notice: `Result cut at ${maxChars} characters: only a part of the record is shown${without}. ${advice}`
  }
}

/** The first fields of a record, with texts shortened. */
function firstFields(record: Readonly<Record<string, unknown>>): [name: string, part: unknown][] {
  const fields: [string, unknown][] = []
  for (const name in record) {
    if (fields.length === MAX_FIELDS) break
    const part = record[name]
    if (part !== undefined) fields.push([name, typeof part === 'string' ? withRest(part, SHORT_TEXT) : part])
  }
  return fields
}

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
    text: startOf(text, maxChars),
    notice: `Result cut at ${maxChars} of ${chars} characters. ${adviceFor(inputs)}`
  }
}

const NO_REMEDY = 'The rest cannot be had through this tool.'

const IN_FILE = 'What a diff leaves out is in the file itself, before and after the change.'

const FEWER_LINES = 'Ask for fewer lines with start_line and end_line.'

/** Arguments with which the caller can get the rest, the most useful first. */
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

/** Arguments of tools that show the diffs of files. */
const ofDiffs = ['file_paths', 'unidiff', 'excluded_file_patterns']

const isOfDiffs = (inputs: ReadonlySet<string>): boolean => ofDiffs.some(name => inputs.has(name))

/** A caller cannot ask for fewer records than one, but perhaps for a part of it, or for the file of a diff. */
function adviceForOne(inputs: ReadonlySet<string>): string {
  if (inputs.has('start_line')) return FEWER_LINES
  return isOfDiffs(inputs) ? IN_FILE : NO_REMEDY
}
