/** Whether a value is an object with named fields, as a record of a forge or a message's parameters are. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a value is a record or a list of nothing but records, as all are that forges give. */
export const isRecordOrList = (value: unknown): boolean =>
  Array.isArray(value) ? value.every(isRecord) : isRecord(value)
