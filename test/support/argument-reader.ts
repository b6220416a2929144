import type { TObject } from 'typebox'
import { argumentsOf } from '../../src/engine/arguments/argument-flags.ts'
import { argumentReader as readerOf } from '../../src/engine/arguments/arguments.ts'
import { ownNames } from '../../src/engine/arguments/own-names.ts'

/** Reads arguments as for a call that contains no web address: first their names, then their values. */
export function argumentReader(
  schema: TObject,
  reads = false,
  now?: () => number
): (raw: unknown) => Record<string, unknown> {
  const read = readerOf(schema, reads, now)
  return raw => read(ownNames(raw, argumentsOf(schema)))
}
