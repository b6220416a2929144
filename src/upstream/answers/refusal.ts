import { isRecord } from '../../json/records.ts'

/* Tells a refusal from the record that was asked for, if its status does not. */

/** Fields in which a forge, or a gateway before it, says why there is no record. */
export const reasons = ['message', 'error', 'errors', 'detail', 'reason'] as const

/** The fields of a refusal. */
const ofRefusal: ReadonlySet<string> = new Set([
  ...reasons,
  'code',
  'documentation_url',
  'error_code',
  'error_description',
  'request_id',
  'status',
  'success'
])

/** Whether a record consists only of a refusal: that there is no record, or why. */
export const saysOnlyRefusal = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) &&
  Object.keys(value).every(name => ofRefusal.has(name)) &&
  (value.success === undefined ? reasons.some(name => value[name] !== undefined) : value.success === false)
