import { TextParts } from '../../collections/text-parts.ts'
import { maskedUrl } from '../../results/masked-url.ts'
import { ForgeError, ForgeStatusError, SaidInstead } from '../../upstream/errors.ts'
import type { ArgumentSchema } from './argument-flags.ts'

/** Shorter texts occur in any sentence, and no forge accepts them as a password. */
const MIN_SECRET = 4
/** This many characters at the beginning identify a longer secret. */
const MAX_HEAD = 16
/**
 * A line of a longer secret counts as a secret itself from this length on: a forge may quote the line that it refuses.
 */
const MIN_LINE = 8

/*
 * The search is bounded, because its time grows with the secrets and the places where they are found. An honest call
 * stays far below: a forge takes 10,000 characters of a variable (GitLab's Ci::HasVariable), and answers with a few
 * sentences. Beyond the bounds, the forge's words are left out completely; our own messages quote little, and are kept
 * with the secrets found so far removed.
 */
/** Characters of all secrets of a call. */
const MAX_CHARS = 20_000
/** Secrets and lines of secrets. */
const MAX_TEXTS = 300
/** Places where secrets are found. */
const MAX_PLACES = 200

const LEFT_OUT = '(left out, as it may quote a secret, and those sent are too long or too many to look for)'

/**
 * Removes the values of arguments marked `writeOnly` (JSON Schema's word for a password), at any depth, from the
 * forge's messages: a forge may quote what it refuses.
 * @returns a function that returns the error with those values removed from its message
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

/** Whether the message of an error contains words of the forge. */
const hasForgesWords = (error: Error): boolean =>
  error instanceof ForgeStatusError || (error instanceof ForgeError && error.fault === 'graphql')

/**
 * Prepares arguments to be shown to a person, without the secret values.
 * @returns a function that returns a copy
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
 * The secret texts to search for in a message of the forge: whole, and line by line.
 * @returns those within the bounds, and whether these are all
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
  /** The argument that holds it. */
  readonly name: string
  readonly text: string
}

/** A text and, if it has several lines, those that are long enough not to be words. */
function textsOf(value: string): readonly string[] {
  const lines = value.split(/\r?\n/)
  const ofSeveral = lines.length === 1 ? [] : lines.filter(({ length }) => length >= MIN_LINE)
  return value.length < MIN_SECRET ? [] : [value, ...ofSeveral]
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

/**
 * The forms in which a forge writes a text: unchanged, within JSON, in our quotes, and in a URL. Up to its sign, each
 * form begins like another one. So a message without the sign needs no search for that form.
 */
const writings: readonly (readonly [write: (text: string) => string, sign: string])[] = [
  [text => text, ''],
  [escaped, '\\'],
  [text => escaped(escaped(text)), '\\\\'],
  [text => encodeURIComponent(text.toWellFormed()), '%']
]

/**
 * The forms of secrets whose beginning occurs in a message. For other secrets only the beginning is built, and nothing
 * is searched for, so hundreds of secrets take no longer than reading them.
 */
function* formsThere(message: string, sought: readonly Sought[]): Generator<Form> {
  const there = new TextParts(message)
  const written = writings.filter(([, sign]) => message.includes(sign))
  const met = new Set<string>()
  for (const { name, text } of sought)
    for (const [write] of written) {
      // One character more, as the last one may be half of a surrogate pair.
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
 * Replaces the forms of secrets in a text with the names of their arguments, even if only the beginning of a form is
 * there: a long message is cut. All searches use the original text, because the names are texts, too.
 * @returns undefined if there are too many places
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
  /** The argument that holds the secret. */
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
