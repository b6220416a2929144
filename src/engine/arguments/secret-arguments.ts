import { TextParts } from '../../collections/text-parts.ts'
import { maskedUrl } from '../../results/masked-url.ts'
import { ForgeError, ForgeStatusError, SaidInstead } from '../../upstream/errors.ts'
import type { ArgumentSchema } from './argument-flags.ts'

/** Shorter texts are words of any sentence, and no forge takes them for a password. */
const MIN_SECRET = 4
/** Of a longer one so many characters at its beginning tell it. */
const MAX_HEAD = 16
/** A line of a text of several that is as long is secret by itself: a forge may quote the one that it refuses. */
const MIN_LINE = 8

/*
 * What is looked for and found is bounded, as the time for it grows with both. An honest call has far less: a forge takes
 * 10,000 characters of a variable (GitLab's Ci::HasVariable), and says a few sentences. Beyond, nothing is told of what it
 * said; our own messages quote little, and stay but for the secrets that are within.
 */
/** Characters of all secrets of a call. */
const MAX_CHARS = 20_000
/** Their texts and lines. */
const MAX_TEXTS = 300
/** Places where they are found. */
const MAX_PLACES = 200

const LEFT_OUT = '(left out, as it may quote a secret, and those sent are too long or too many to look for)'

/**
 * A forge may quote what it refuses. Arguments marked `writeOnly` (JSON Schema's word for a password), at any depth,
 * are taken out of what it said.
 * @returns a function that gives the error back with those values removed from its message
 */
export function secretHider(schema: ArgumentSchema) {
  const holdsAny = hasSecret(schema)
  return (error: unknown, args: Readonly<Record<string, unknown>>): unknown => {
    if (!holdsAny || !(error instanceof Error)) return error
    const { sought, isAll } = soughtOf(secretsIn('', args, schema))
    const clean = (text: string, isOfForge: boolean) =>
      (isAll || !isOfForge ? withNamesInstead(text, sought) : undefined) ?? LEFT_OUT
    error.message = clean(error.message, hasForgesWords(error))
    if (error instanceof SaidInstead) error.words = clean(error.words, true)
    return error
  }
}

/** Whether the message of an error is the forge's. */
const hasForgesWords = (error: Error): boolean =>
  error instanceof ForgeStatusError || (error instanceof ForgeError && error.fault === 'graphql')

/**
 * Prepares the arguments for a person's eyes: with the values of those that are secret left out.
 * @returns a function that gives a copy
 */
export function withoutSecretValues(schema: ArgumentSchema) {
  return (args: Readonly<Record<string, unknown>>) => masked(args, schema) as Record<string, unknown>
}

function masked(value: unknown, { writeOnly, secretUrl, items, properties = {} }: ArgumentSchema): unknown {
  if (writeOnly === true) return value === undefined ? undefined : '(secret)'
  if (secretUrl === true && typeof value === 'string') return maskedUrl(value)
  if (Array.isArray(value)) return items === undefined ? value : value.map(item => masked(item, items))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, masked(part, properties[name] ?? {})])
  )
}

/**
 * The secret texts to look for in what a forge says: whole, and line by line.
 * @returns those within the bounds, and whether that is all
 */
function soughtOf(secrets: Iterable<readonly [name: string, value: string]>): {
  readonly sought: readonly Sought[]
  readonly isAll: boolean
} {
  const sought: Sought[] = []
  let chars = 0
  for (const [name, value] of secrets) {
    const part = value.slice(0, MAX_CHARS - chars)
    chars += part.length
    for (const text of textsOf(part)) {
      if (sought.length === MAX_TEXTS) return { sought, isAll: false }
      sought.push({ name, text })
    }
    if (part.length < value.length) return { sought, isAll: false }
  }
  return { sought, isAll: true }
}

/** A secret text. */
interface Sought {
  /** Of the argument. */
  readonly name: string
  readonly text: string
}

/** A text and, if it has several, its lines, as far as they are no words. */
function textsOf(value: string): readonly string[] {
  const lines = value.split(/\r?\n/)
  const ofSeveral = lines.length === 1 ? [] : lines.filter(({ length }) => length >= MIN_LINE)
  return value.length < MIN_SECRET ? [] : [value, ...ofSeveral]
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

/**
 * The forms in which a forge writes a text: as it is, within JSON, in our quotes, and in a URL. Up to a sign each begins
 * as another one does, so that a message without it has no more of this form than of that.
 */
const writings: readonly (readonly [write: (text: string) => string, sign: string])[] = [
  [text => text, ''],
  [escaped, '\\'],
  [text => escaped(escaped(text)), '\\\\'],
  [text => encodeURIComponent(text.toWellFormed()), '%']
]

/**
 * The forms of secrets that begin somewhere in a message. Of others no more is written than their beginnings, and nothing
 * is looked for: hundreds of secrets take no longer than to read them.
 */
function* formsThere(message: string, sought: readonly Sought[]): Generator<Form> {
  const there = new TextParts(message)
  const written = writings.filter(([, sign]) => message.includes(sign))
  const met = new Set<string>()
  for (const { name, text } of sought)
    for (const [write] of written) {
      // One character more, as the last may be the first half of one.
      const head = write(text.slice(0, MAX_HEAD + 1)).slice(0, MAX_HEAD)
      if (!there.mayHave(head)) continue
      const form = write(text)
      if (!met.has(form)) yield { name, head, form }
      met.add(form)
    }
}

interface Form {
  readonly name: string
  readonly head: string
  readonly form: string
}

/**
 * A text with names in place of what is there of the forms of secrets, also where only the beginning of one is: a long
 * message is cut. All are looked for in the text as it was, as names are texts, too.
 * @returns undefined if they are in too many places
 */
function withNamesInstead(text: string, sought: readonly Sought[]): string | undefined {
  const places: Place[] = []
  for (const { name, head, form } of formsThere(text, sought))
    for (let start = text.indexOf(head); start >= 0; start = text.indexOf(head, places.at(-1)!.end)) {
      let length = head.length
      while (length < form.length && text[start + length] === form[length]) length++
      places.push({ start, end: start + length, name })
      if (places.length > MAX_PLACES) return undefined
    }
  const parts: string[] = []
  let end = 0
  for (const place of places.sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (place.start >= end) parts.push(text.slice(end, place.start), `[${place.name}]`)
    end = Math.max(end, place.end)
  }
  return parts.join('') + text.slice(end)
}

interface Place {
  readonly start: number
  readonly end: number
  /** Of the argument. */
  readonly name: string
}

const hasSecret = ({ writeOnly, items, properties = {} }: ArgumentSchema): boolean =>
  writeOnly === true || (items !== undefined && hasSecret(items)) || Object.values(properties).some(hasSecret)

/** The secret texts of a value, each with the name of its argument. */
function* secretsIn(name: string, value: unknown, node: ArgumentSchema): Generator<[string, string]> {
  if (node.writeOnly === true) {
    if (typeof value === 'string') yield [name, value]
  } else if (Array.isArray(value)) {
    if (node.items !== undefined) for (const item of value) yield* secretsIn(name, item, node.items)
  } else if (typeof value === 'object' && value !== null)
    for (const [field, schema] of Object.entries(node.properties ?? {}))
      yield* secretsIn(field, (value as Record<string, unknown>)[field], schema)
}
