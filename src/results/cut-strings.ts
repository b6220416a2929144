import type { Fields, OwnFields } from '../json/records.ts'
import { withRest } from './shortened.ts'

/** The shortest length to which strings are cut, in characters: a shorter rest would be useless. */
const MIN_CUT_CHARS = 16
/** `… [1234567 more]` */
const MARK_CHARS = 16
/** Left free, because the measured size is a little too small: otherwise most results would be written twice. */
const SPARE_CHARS = 16
/** The longest escape of one character: `\u0001` */
const ESCAPE_CHARS = 6

/** A value's strings, and the size of everything else. */
interface Parts {
  /** Everything except the own characters of the strings that may be cut; a little too small. */
  readonly frame: number
  /** Those longer than the shortest length to which strings are cut. */
  readonly texts: readonly string[]
}

/** Of a string, its length and how long it is as JSON. */
interface Size {
  readonly chars: number
  readonly written: number
}

/**
 * JSON with all strings cut to one length, so that the whole fits. The length is calculated from a single pass over the
 * record, because serializing a record of millions of small fields takes seconds each time.
 * @returns undefined if no cutting helps
 */
export function cutStrings(value: unknown, maxChars: number): string | undefined {
  const parts = partsOf(value, maxChars)
  if (parts === undefined) return undefined
  const { frame, texts } = parts
  const room = maxChars - SPARE_CHARS - frame
  const unescaped = longestIn(
    texts.map(({ length }) => ({ chars: length, written: length })),
    room
  )
  if (unescaped === undefined) return undefined
  // No more of any string is shown than if nothing were escaped. So all that is looked at fits into the room, however
  // many long strings there are.
  const longest = longestIn(
    texts.map(text => sizeOf(text, unescaped)),
    room
  )
  if (longest === undefined) return undefined
  const text = write(value, longest)
  if (text.length <= maxChars) return text
  // Escapes are not spread evenly. The excess is first taken from the strings that are cut. With the second length,
  // each string fits even if it consists only of escapes.
  const isCut = texts.filter(({ length }) => length > longest).length
  const less = longest - Math.ceil((text.length - maxChars) / Math.max(1, isCut))
  for (const next of [less, Math.floor(longest / ESCAPE_CHARS)]) {
    if (next < MIN_CUT_CHARS) continue
    const shorter = write(value, next)
    if (shorter.length <= maxChars) return shorter
  }
  return undefined
}

/** The greatest length at which strings are expected to fit into a room; undefined if there is none. */
function longestIn(sizes: readonly Size[], room: number): number | undefined {
  let [fits, tooLong] = [MIN_CUT_CHARS - 1, Math.max(room, MIN_CUT_CHARS) + 1]
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2)
    if (expected(sizes, middle) > room) tooLong = middle
    else fits = middle
  }
  return fits < MIN_CUT_CHARS ? undefined : fits
}

/**
 * Takes a value apart. It gives up as soon as even the smallest result would be too large, so that it never reads more
 * values than can be shown.
 */
function partsOf(value: unknown, maxChars: number): Parts | undefined {
  let frame = 0
  let uncut = 0
  const texts: string[] = []
  const pending: unknown[] = [value]
  while (pending.length > 0) {
    const item = pending.pop()
    if (typeof item === 'string' && item.length > MIN_CUT_CHARS) {
      texts.push(item)
      uncut += MIN_CUT_CHARS
      frame += 2
    } else if (typeof item === 'string') frame += 2 + writtenOf(item)
    else if (typeof item === 'object' && item !== null) frame += 2 + unpack(item, pending, maxChars)
    // With its comma.
    else frame += String(item ?? null).length + 1
    if (frame + uncut + pending.length > maxChars) return undefined
  }
  return { frame, texts }
}

/** The size of a string. If it is longer than `most`, it is estimated from its beginning. */
function sizeOf(text: string, most: number): Size {
  const head = text.slice(0, most)
  return { chars: text.length, written: (writtenOf(head) / head.length) * text.length }
}

/**
 * Characters of a string as JSON, without its quotes. Halves of characters are counted, because to write one takes
 * thirty times as long as to write another character.
 */
function writtenOf(text: string): number {
  const whole = text.toWellFormed()
  const written = JSON.stringify(whole).length - 2
  return whole === text ? written : written + (ESCAPE_CHARS - 1) * differences(text, whole)
}

/** At how many places two strings of the same length differ. */
function differences(one: string, other: string): number {
  let count = 0
  for (let at = 0; at < one.length; at++) if (one.charCodeAt(at) !== other.charCodeAt(at)) count++
  return count
}

/** Adds the parts of an object or array to those still to be measured. @returns the characters of its names */
function unpack(item: object, pending: unknown[], maxChars: number): number {
  if (Array.isArray(item)) {
    // More than that are too large anyway. It is not `for…in`, which makes the names of all items first.
    for (let at = 0; at < item.length && pending.length <= maxChars; at++) pending.push(item[at])
    return 0
  }
  let size = 0
  for (const key in item) {
    const part = (item as Fields)[key]
    // Removed by compact.ts, and not written.
    if (part === undefined) continue
    // A name has its quotes and its colon.
    size += key.length + 3
    pending.push(part)
    if (size + pending.length > maxChars) break
  }
  return size
}

function expected(sizes: readonly Size[], longest: number): number {
  let size = 0
  for (const { chars, written } of sizes)
    size += chars > longest ? (written / chars) * longest + MARK_CHARS : written
  return size
}

/** It is not done by a replacer of JSON.stringify, which is given the name of each item of a list. */
const write = (value: unknown, longest: number): string => JSON.stringify(cutIn(value, longest))

/** A value with its strings cut. Lists and records without such strings are not copied. */
function cutIn(value: unknown, longest: number): unknown {
  if (typeof value === 'string') return withRest(value, longest)
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? cutInItems(value, longest) : cutInFields(value as Fields, longest)
}

function cutInItems(items: readonly unknown[], longest: number): readonly unknown[] {
  let cut: unknown[] | undefined
  for (const [at, item] of items.entries()) {
    const part = cutIn(item, longest)
    if (part === item) continue
    cut ??= [...items]
    cut[at] = part
  }
  return cut ?? items
}

function cutInFields(record: Fields, longest: number): Fields {
  let cut: OwnFields | undefined
  for (const name in record) {
    const part = cutIn(record[name], longest)
    if (part === record[name]) continue
    cut ??= { ...record }
    cut[name] = part
  }
  return cut ?? record
}
