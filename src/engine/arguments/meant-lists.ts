import { type ArgumentSchema, isIdName } from './argument-flags.ts'
import type { JsonTexts } from './json-texts.ts'

/* Reads lists of names that are not written as lists, and names as they are written in texts. */

/** Reads a list from JSON text, from text with commas if no item can contain one, or from one item without brackets. */
export function meantList(
  name: string,
  value: unknown,
  { separable, items }: ArgumentSchema,
  json: JsonTexts
): unknown {
  if (typeof value === 'string' && value.trim().startsWith('[')) {
    const list = json.read(value)
    if (Array.isArray(list)) return separable ? apart(name, list) : list
  }
  const isSeparable = separable || isIdName(name) || items?.enum !== undefined
  if (typeof value === 'string' && isSeparable) return namesIn(name, value)
  return typeof value === 'string' || typeof value === 'number' ? [value] : value
}

const isOfLabels = (name: string): boolean => /label/.test(name)
/** The sign before the name of a label in texts. If the argument takes names and ids, it marks digits as a name. */
const labelSign = /^~(?:"([^"]+)"$|(?=\S))/
const signedDigits = /^~"\d+"$/

/** Splits names at commas. The names of labels may also have their sign: `~bug ~"to do"`. */
const namesIn = (name: string, text: string): string[] =>
  (isOfLabels(name) ? text.split(/,|\s(?=~)/) : text.split(','))
    .map(one => (isOfLabels(name) ? labelNamed(name, one.trim()) : one.trim()))
    .filter(one => one !== '')

const labelNamed = (name: string, text: string): string =>
  isIdName(name) && signedDigits.test(text) ? text : text.replace(labelSign, '$1')

/** Honest lists have fewer names, and names fewer characters. Longer ones are not split. */
const MAX_NAMES = 100
const MAX_NAMES_CHARS = 1000

/** Splits the items of a list that hold several names, or a name as it is written in texts. */
export const apart = (name: string, list: readonly unknown[]): readonly unknown[] =>
  list.length > MAX_NAMES
    ? list
    : list.flatMap(item =>
        typeof item === 'string' && item.length <= MAX_NAMES_CHARS && /^\s*~|,/.test(item)
          ? namesIn(name, item)
          : [item]
      )
