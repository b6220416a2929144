import type { TObject } from 'typebox'

/** Shorter texts are words of any sentence, and no forge takes them for a password. */
const MIN_SECRET = 4

/**
 * A forge may quote what it refuses. Arguments marked `writeOnly` (JSON Schema's word for a password) are
 * taken out of what it said.
 * @returns a function that gives the error back with those values removed from its message
 */
export function secretHider(schema: TObject) {
  const names = Object.entries(schema.properties as Record<string, { writeOnly?: boolean }>)
    .filter(([, { writeOnly }]) => writeOnly === true)
    .map(([name]) => name)
  return (error: unknown, args: Readonly<Record<string, unknown>>): unknown => {
    if (!(error instanceof Error)) return error
    for (const name of names) {
      const value = args[name]
      if (typeof value === 'string' && value.length >= MIN_SECRET)
        error.message = error.message.replaceAll(value, `[${name}]`)
    }
    return error
  }
}
