/** Whether a value is an object with named fields, as a record of a forge or a message's parameters are. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * What should be a record, to be taken apart: nothing of anything else, as of a text each character would be a field, and
 * one of megabytes ends the process.
 */
export const fieldsOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

/** What stands under a name that somebody else chose: every object has a `constructor`, too. */
export const ownValue = <Value>(
  record: Readonly<Record<string, Value>> | undefined,
  name: string
): Value | undefined => (record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined)

/** The records of a list; none where it is no list. */
export const recordsIn = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isRecord) : []

export const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0
