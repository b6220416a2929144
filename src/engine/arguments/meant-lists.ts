import { type ArgumentSchema, isIdName } from './argument-flags.ts'
import type { JsonTexts } from './json-texts.ts'
import type { NameTexts } from './name-texts.ts'

/* Reads lists of names that are not written as lists, and names as they are written in texts. */

/** What reads the texts of one call that are more than texts; each has its bounds. */
export interface MeantTexts {
  readonly json: JsonTexts
  readonly names: NameTexts
}

/**
 * Reads a list from text in the notation of JSON or Python, from text with commas if no item can contain one, or from
 * one item without brackets.
 */
export function meantList(
  name: string,
  value: unknown,
  { separable, items }: ArgumentSchema,
  texts: MeantTexts
): unknown {
  if (typeof value === 'number') return [value]
  if (typeof value !== 'string') return value
  const isSeparable = separable || isIdName(name) || items?.enum !== undefined
  const list = listIn(value, texts) ?? (isSeparable ? plainNamesIn(value, texts) : undefined)
  if (list !== undefined) return separable ? apart(name, list, texts) : list
  return isSeparable ? namesIn(name, value, texts) : [value]
}

/**
 * Reads an array whose items may be several names in one; the only item may also be a whole list written as text. To
 * take off or to filter by, one that has one name is a name itself: a label may be called so, and another would go.
 */
export function meantNames(
  name: string,
  list: readonly unknown[],
  { separable, items, names }: ArgumentSchema,
  texts: MeantTexts
): readonly unknown[] {
  const only = items?.type === 'string' && list.length === 1 ? list[0] : undefined
  const within = typeof only === 'string' ? listIn(only, texts) : undefined
  const fewest = names === undefined || names.use === 'set' ? 0 : 1
  // A name such as [1] is no list of texts.
  const isList = within?.every(item => typeof item === 'string') && within.length > fewest
  const given = isList ? within : list
  return separable ? apart(name, given, texts) : given
}

const brackets = /^(?:\[(.*)\]|\((.*)\)|\{(.*)\})$/s
/** What stands within one pair of brackets of any kind. */
const withinBrackets = (text: string): string | undefined =>
  brackets
    .exec(text)
    ?.slice(1)
    .find(part => part !== undefined)

/** Most characters of a list that is read: as many as a list that is given as text may have (arguments.ts). */
const MAX_LIST_CHARS = 20_000

/** The list that a text is, as JSON or Python write it. Without brackets it needs two items in quotation marks. */
function listIn(text: string, { json, names }: MeantTexts): readonly unknown[] | undefined {
  if (text.length > MAX_LIST_CHARS) return undefined
  const list = text.trim()
  const read = list.startsWith('[') ? json.read(list) : undefined
  if (Array.isArray(read)) return read
  const within = withinBrackets(list)
  const items = quotedIn(within ?? list, names)
  return within === undefined && items?.length === 1 ? undefined : items
}

/** The texts of `'a', "b"`; undefined for a text that is anything else. */
function quotedIn(text: string, names: NameTexts): readonly string[] | undefined {
  const item = /(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")(?:\s*,\s*|$)/suy
  const list = text.trim()
  if (!/^["']/.test(list)) return undefined
  names.look(list)
  const items: string[] = []
  while (item.lastIndex < list.length) {
    const found = item.exec(list)
    if (found === null) return undefined
    names.count(1)
    items.push((found[1] ?? found[2]!).replace(/\\(['"\\])/g, '$1'))
  }
  return items.length === 0 ? undefined : items
}

/**
 * The names within brackets or quotation marks around all of them: `[bug, ui]`, also with a comma behind the last. One
 * alone may be called so, and commas alone name nothing.
 */
function plainNamesIn(text: string, texts: MeantTexts): readonly string[] | undefined {
  const list = text.trim()
  const within = withinBrackets(list) ?? /^(["'])(.*)\1$/s.exec(list)?.[2]
  if (!within?.includes(',') || /[[\](){}"']/.test(within)) return undefined
  const names = texts.names.split(within, ',').flatMap(one => one.trim() || [])
  return names.length === 0 ? undefined : names
}

/**
 * The pattern of a piece of a list as text, up to its end: within brackets or quotation marks, or with one of these at
 * an end whose other one is missing, as round ones only are. `[Type] bug`, `(a) b` and `24"` are none. A name may be
 * like that, but rarely is.
 */
export const pieceOfList =
  '(?:\\[(?:[^\\]]*|[\\s\\S]*\\])|\\{(?:[^}]*|[\\s\\S]*\\})|"(?:[^"]*|[\\s\\S]*")|\'[\\s\\S]*\'|\\([^)]*|[^[]*\\]|[^{]*\\}|[^(]*\\))$'

const isOfLabels = (name: string): boolean => /label/.test(name)
/** The sign before the name of a label in texts. If the argument takes names and ids, it marks digits as a name. */
const labelSign = /^~(?:"([^"]+)"$|(?=\S))/
const signedDigits = /^~"\d+"$/

/** Splits names at commas. The names of labels may also have their sign: `~bug ~"to do"`. */
const namesIn = (name: string, text: string, { names }: MeantTexts): string[] =>
  names
    .split(text, isOfLabels(name) ? /,|\s(?=~)/ : ',')
    .map(one => (isOfLabels(name) ? labelNamed(name, one.trim()) : one.trim()))
    .filter(one => one !== '')

const labelNamed = (name: string, text: string): string =>
  isIdName(name) && signedDigits.test(text) ? text : text.replace(labelSign, '$1')

/** Honest lists have fewer names, and names fewer characters. Longer ones are not split. */
const MAX_NAMES = 100
const MAX_NAMES_CHARS = 1000

/** Splits the items of a list that hold several names, or a name as it is written in texts. */
const apart = (name: string, list: readonly unknown[], texts: MeantTexts): readonly unknown[] =>
  list.length > MAX_NAMES
    ? list
    : list.flatMap(item =>
        typeof item === 'string' && item.length <= MAX_NAMES_CHARS && /^\s*~|,/.test(item)
          ? namesIn(name, item, texts)
          : [item]
      )
