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
    const { forms, isAll } = formsOf(secretsIn('', args, schema))
    const clean = (text: string, isOfForge: boolean) =>
      (isAll || !isOfForge ? withoutForms(text, forms) : undefined) ?? LEFT_OUT
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
 * The forms of secret texts in what a forge says, each with the name of its argument: as they are, within JSON, in our
 * quotes, in a URL, and line by line.
 * @returns those within the bounds, and whether that is all
 */
function formsOf(secrets: Iterable<readonly [name: string, value: string]>): {
  readonly forms: ReadonlyMap<string, string>
  readonly isAll: boolean
} {
  const forms = new Map<string, string>()
  let chars = 0
  let texts = 0
  for (const [name, value] of secrets) {
    const part = value.slice(0, MAX_CHARS - chars)
    chars += part.length
    for (const text of textsOf(part)) {
      if (++texts > MAX_TEXTS) return { forms, isAll: false }
      const written = [text, escaped(text), escaped(escaped(text)), encodeURIComponent(text.toWellFormed())]
      for (const form of written) if (!forms.has(form)) forms.set(form, name)
    }
    if (part.length < value.length) return { forms, isAll: false }
  }
  return { forms, isAll: true }
}

/** A text and, if it has several, its lines, as far as they are no words. */
function textsOf(value: string): readonly string[] {
  const lines = value.split(/\r?\n/)
  const ofSeveral = lines.length === 1 ? [] : lines.filter(({ length }) => length >= MIN_LINE)
  return value.length < MIN_SECRET ? [] : [value, ...ofSeveral]
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

/**
 * A text with names in place of what is there of such forms, also where only the beginning of one is: a long message is
 * cut. All are looked for in the text as it was, as names are texts, too.
 * @returns undefined if they are in too many places
 */
function withoutForms(text: string, forms: ReadonlyMap<string, string>): string | undefined {
  const places: Place[] = []
  for (const [form, name] of forms) {
    const head = form.slice(0, MAX_HEAD)
    for (let start = text.indexOf(head); start >= 0; start = text.indexOf(head, places.at(-1)!.end)) {
      let length = head.length
      while (length < form.length && text[start + length] === form[length]) length++
      places.push({ start, end: start + length, name })
      if (places.length > MAX_PLACES) return undefined
    }
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
