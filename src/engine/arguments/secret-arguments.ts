import { maskedUrl } from '../../results/masked-url.ts'
import type { ArgumentSchema } from './argument-flags.ts'

/** Shorter texts are words of any sentence, and no forge takes them for a password. */
const MIN_SECRET = 4
/** Of a longer one so many characters at its beginning tell it. */
const MAX_HEAD = 16
/** A line of a text of several that is as long is secret by itself: a forge may quote the one that it refuses. */
const MIN_LINE = 8
/** Characters of one that are looked for: no message of a forge is as long. */
const MAX_SAID = 16_384

/**
 * A forge may quote what it refuses. Arguments marked `writeOnly` (JSON Schema's word for a password), at any depth,
 * are taken out of what it said.
 * @returns a function that gives the error back with those values removed from its message
 */
export function secretHider(schema: ArgumentSchema) {
  const holdsAny = hasSecret(schema)
  return (error: unknown, args: Readonly<Record<string, unknown>>): unknown => {
    if (!holdsAny || !(error instanceof Error)) return error
    for (const [name, value] of secretsIn('', args, schema))
      for (const form of formsOf(value)) error.message = withoutSecret(error.message, form, `[${name}]`)
    return error
  }
}

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

/** The forms of a secret text in what a forge says: as it is, within JSON, in our quotes, in a URL, and line by line. */
function formsOf(value: string): ReadonlySet<string> {
  const whole = value.slice(0, MAX_SAID)
  const lines = whole.split(/\r?\n/)
  const texts = lines.length === 1 ? [whole] : [whole, ...lines.filter(({ length }) => length >= MIN_LINE)]
  const forms = texts
    .filter(({ length }) => length >= MIN_SECRET)
    .flatMap(text => [text, escaped(text), escaped(escaped(text)), encodeURIComponent(text.toWellFormed())])
  return new Set(forms)
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

/** A message without a value, also where only the beginning of the value is in it: a long message is cut. */
function withoutSecret(message: string, value: string, instead: string): string {
  const head = value.slice(0, MAX_HEAD)
  let text = message
  for (let at = text.indexOf(head); at >= 0; at = text.indexOf(head, at + instead.length)) {
    let end = head.length
    while (end < value.length && text[at + end] === value[end]) end++
    text = text.slice(0, at) + instead + text.slice(at + end)
  }
  return text
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
