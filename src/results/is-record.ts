import { type Fields, isRecord, type OwnFields } from '../json/records.ts'

// Re-exported for tools, which import nothing below the results.
export { type Fields, isRecord }

/**
 * The fields of a value that should be a record; none if it is not. Otherwise each character of a text would become a
 * field, and a text of megabytes would end the process.
 */
export const fieldsOf = (value: unknown): OwnFields => (isRecord(value) ? value : {})

/** The object's own value under a name that somebody else chose: every object inherits a `constructor`, too. */
export const ownValue = <Value>(
  record: Readonly<Record<string, Value>> | undefined,
  name: string
): Value | undefined => (record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined)

/** The records in a list; none if the value is not a list. */
export const recordsIn = (value: unknown): readonly OwnFields[] =>
  Array.isArray(value) ? value.filter(isRecord) : []

/**
 * A text or a number, as text; empty for anything else. A forge or caller may send an object that cannot be converted,
 * or a list whose conversion takes long.
 */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/** Whether a value is a list without items. */
export const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0
