/** A record, as a forge gives it: its fields by name, of whose values nothing is known. */
export type Fields = Readonly<Record<string, unknown>>

/** A record that belongs to the one who has it, who changes it in place. */
export type OwnFields = Record<string, unknown>

/** Whether a value is an object with named fields, as a record of a forge or a message's parameters are. */
export const isRecord = (value: unknown): value is OwnFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a value is a record or a list of nothing but records, as all are that forges give. */
export const isRecordOrList = (value: unknown): boolean =>
  Array.isArray(value) ? value.every(isRecord) : isRecord(value)
