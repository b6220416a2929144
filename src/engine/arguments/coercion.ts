import { wordKey } from '../../base/word-key.ts'
import { ownValue } from '../../results/is-record.ts'
import { type UnseenBudget, unseenOf, unseenRemark } from '../../results/unseen-in-names.ts'
import { meantDuration } from '../requests/durations.ts'
import { withoutSign } from '../requests/signs.ts'
import { type ArgumentSchema, type Beside, isIdName } from './argument-flags.ts'
import { type MeantTexts, meantList, meantNames } from './meant-lists.ts'
import type { Arguments } from './values.ts'

/*
 * Corrects values that are not quite of the expected type, as a person would understand them without asking. A value is
 * corrected only if it has a single possible meaning; every other value is left as it is, and refused with a message.
 */

const isNumberName = (name: string): boolean => /(^|_)iids?$|^(?:pipeline|job)_id$/.test(name)

/** Whether an empty text names nothing for this argument. An argument that is itself free text may well be empty. */
export const namesNothing = (
  name: string,
  { type, enum: values, words, format, time, neverEmpty }: ArgumentSchema
): boolean =>
  !String(type).includes('string') ||
  (values ?? words) !== undefined ||
  format === 'date' ||
  time === true ||
  isIdName(name) ||
  neverEmpty === true

/**
 * Whether a value counts as empty: an empty text; 0 where no thing has that number; for a list, a text with no word in
 * it, or an empty list that must have items. A list of empty texts counts as empty unless it replaces another list:
 * there it may be intended.
 * @param given as received @param meant the same value as read
 */
export function saysNothing(
  given: unknown,
  meant: unknown,
  { minItems = 0, replaces, neverEmpty }: ArgumentSchema
): boolean {
  if (!Array.isArray(meant)) return given === '' || (meant === 0 && neverEmpty === true)
  if (typeof given === 'string' && /^[\s,]*$/.test(given)) return true
  return meant.length === 0 ? minItems > 0 : replaces !== true && meant.every(item => item === '')
}

/** Whether an empty text counts as absent because of another argument. */
export const isNoneBeside = ({ neverEmptyBeside = {} }: ArgumentSchema, fields: Arguments): boolean =>
  isBeside(neverEmptyBeside, fields)

/** Whether another argument of the same object has one of the values. */
const isBeside = (beside: Beside, fields: Arguments): boolean =>
  Object.entries(beside).some(([name, values]) =>
    values === 'any' ? fields[name] !== undefined : values.includes(String(fields[name]))
  )

/**
 * Describes the fault of a name for something that is made, as the predicate of a sentence; undefined for a name
 * without invisible characters. For a tool that makes something only if it finds nothing to change, which no schema
 * says (rows/made-names.ts).
 */
export function faultOfMade(name: string): string | undefined {
  const remark = unseenRemark(name)
  return remark && `${remark}: give the name without it`
}

/** Most characters of a name that are searched for invisible ones. */
const MAX_NAMED = 4096

/** Whether the invisible characters of a name are all in the name that it replaces, too. */
function keepsUnseen(name: string, before: string): boolean {
  const there = before.slice(0, MAX_NAMED)
  return unseenOf(name).every(char => there.includes(char))
}

/**
 * Finds faults in names that a call gives to what it makes. A name with invisible characters is shown without them, and
 * no search finds it. Invisible characters that the replaced name has already are allowed.
 * @param schema says when the call makes something @param value of the argument @param fields beside it
 * @returns the faults, one by one as they are requested: of a thousand only the first few are reported
 */
export function* unseenInMade(
  place: string,
  { made, renames }: ArgumentSchema,
  value: unknown,
  fields: Arguments,
  budget: UnseenBudget
): Generator<string> {
  if (made === undefined || (made !== true && !isBeside(made, fields))) return
  const before = renames === undefined ? undefined : fields[renames]
  const names: readonly unknown[] = Array.isArray(value) ? value : [value]
  for (const [at, name] of names.entries()) {
    if (typeof name !== 'string' || !budget.findsIn(name)) continue
    if (typeof before === 'string' && name === value && keepsUnseen(name, before)) return
    yield `${Array.isArray(value) ? `${place}.${at}` : place} ${faultOfMade(name)}`
  }
}

/**
 * Reads a value that has no parts.
 * @param texts reads the texts of the call that are more than texts
 * @returns the value in the type of the property, if it can be meant as one; otherwise unchanged
 */
export function meantScalar(
  name: string,
  value: unknown,
  property: ArgumentSchema,
  texts: MeantTexts
): unknown {
  switch (property.type) {
    case 'string':
      return meantText(name, value, property)
    case 'number':
      return typeof value === 'string' && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value) ? Number(value) : value
    case 'integer':
      return typeof value === 'string' && /^[-+]?\d{1,15}$/.test(value) ? Number(value) : value
    case 'boolean':
      return booleans.get(typeof value === 'string' ? value.toLowerCase() : value) ?? value
    case 'array': {
      const object = property.items?.properties === undefined ? undefined : objectIn(value, texts)
      return object === undefined
        ? meantList(name, value, property, texts)
        : meantItems(name, object, property, texts)
    }
    case 'object':
      return objectIn(value, texts) ?? value
    default:
      return value
  }
}

/** The object that a text is, as JSON. */
const objectIn = (value: unknown, { json }: MeantTexts): object | undefined =>
  typeof value === 'string' && value.startsWith('{') ? (json.read(value) as object | undefined) : undefined

const booleans = new Map<unknown, boolean>([
  ['true', true],
  ['false', false]
])

function meantText(name: string, value: unknown, property: ArgumentSchema): unknown {
  const {
    enum: values,
    words = values,
    alias,
    shortName,
    ofPeople,
    day,
    duration,
    scalar,
    namedIn,
    toDelete
  } = property
  const other = alias === undefined ? undefined : ownValue(alias, aliasKey(value))
  if (other !== undefined) return other
  if (scalar) return scalarText(value)
  if (typeof value === 'number') return isTextOf(name, value, property) ? String(value) : value
  if (typeof value !== 'string') return value
  if (words !== undefined) return meantWord(value, words)
  if (day) return value.replace(/^\s*(\d{4}-\d\d-\d\d)(?:T.*|\s*)$/s, '$1')
  if (duration) return meantDuration(value)
  // The sign of a label in texts: ~bug. What is to be deleted is named as it is.
  if (namedIn === 'label' && !toDelete) return value.replace(/^\s*~(?=[^\s"\d])/, '')
  if (ofPeople) return value.replace(/^\s*@(?=\S)/, '')
  if (shortName !== undefined) return shortOf(value.trim(), shortName)
  return isNumberName(name) ? withoutSign(name, value) : value
}

/** A branch or tag without the beginning of its full name. That of a tag names no branch, which may be called the same. */
const shortOf = (ref: string, kind: 'heads' | 'tags' | 'any'): string =>
  ref.replace(/^refs\/(heads|tags)\//, (beginning, of) => (kind === 'any' || kind === of ? '' : beginning))

/** Whether a number may stand for its text. A duration needs a unit, so only 0 may. */
const isTextOf = (
  name: string,
  value: number,
  { enum: values, words = values, orId, duration }: ArgumentSchema
): boolean =>
  Number.isSafeInteger(value) &&
  (orId === true ||
    isIdName(name) ||
    words?.includes(String(value)) === true ||
    (duration === true && value === 0))

/** Normalizes a value for the table of aliases. */
const aliasKey = (value: unknown): string =>
  typeof value === 'string' && value.length <= MAX_ALIAS ? wordKey(value) : String(value)
const MAX_ALIAS = 40

/** Finds the word that a value means, in any case or grammatical form: `Opened` and `open` mean `opened`. */
function meantWord(value: string, words: readonly string[]): string {
  if (words.includes(value)) return value
  const stem = stemOf(value)
  const meant = words.filter(word => stemOf(word) === stem)
  if (meant.length === 1) return meant[0]!
  // Such as `updated` for `updated_at`, or the singular for the plural.
  const plain = value.trim().toLowerCase()
  const longer = words.find(word => [`${plain}_at`, `${plain}s`].includes(word) || `${word}s` === plain)
  if (longer !== undefined) return longer
  const other = otherWords.get(stem)
  return other !== undefined && words.includes(other) ? other : value
}

/** Words of other forges and tools, by their stems. */
const otherWords = new Map([
  ['right', 'new'],
  ['left', 'old'],
  ['modify', 'update'],
  ['replac', 'update'],
  ['renam', 'move'],
  ['changesrequest', 'request_changes'],
  ['ad', 'create'],
  ['add', 'create'],
  ['remov', 'delete'],
  ['open', 'active'],
  ['failur', 'failed'],
  ['succeed', 'success'],
  ['pass', 'success'],
  ['ascending', 'asc'],
  ['descending', 'desc'],
  ['activ', 'opened'],
  ['relat', 'relates_to'],
  ['relates', 'relates_to'],
  ['relatedto', 'relates_to'],
  ['blocking', 'blocks'],
  ['dependson', 'is_blocked_by']
])

const stemOf = (word: string): string =>
  word
    .trim()
    .toLowerCase()
    .replace(/^is[\s_-]+/, '')
    .replace(/[\s_-]+/g, '')
    .replace('cancell', 'cancel')
    .replace(/(?:ed|e|d)$/, '')

/**
 * Wraps an object where a list of objects is expected. If the items have a key and a value, each field of the object
 * becomes an item. Names in a list are split.
 */
export function meantItems(name: string, value: object, property: ArgumentSchema, texts: MeantTexts): object {
  const { type, items } = property
  if (type !== 'array') return value
  if (Array.isArray(value)) return meantNames(name, value, property, texts)
  const fields = items?.properties
  if (fields === undefined) return value
  const isPairs = 'key' in fields && 'value' in fields && !('key' in value)
  return isPairs ? Object.entries(value).map(([key, value]) => ({ key, value: scalarText(value) })) : [value]
}

const scalarText = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
