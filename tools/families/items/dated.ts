import type { Arguments } from '../../../src/engine/arguments/values.ts'
import { DAY_MS, timeOf } from '../../../src/engine/rows/calendar.ts'
import { fieldsOf, recordsIn } from '../../../src/results/is-record.ts'

/**
 * A notice if a comment was dated now instead of at the wanted time. A forge accepts created_at only from owners and
 * administrators, and silently ignores it from others.
 * @param value the note, or the thread that it begins
 */
export function datedNow(value: unknown, { created_at: wanted }: Arguments): string | undefined {
  if (wanted === undefined) return undefined
  const record = fieldsOf(value)
  const { created_at: given } = recordsIn(record.notes)[0] ?? record
  const apart = Math.abs(timeOf(wanted) - timeOf(given))
  // A date without a time is in the forge's own time zone.
  return apart > DAY_MS
    ? 'The forge did not take created_at, which it does from owners and administrators alone: the comment is of now.'
    : undefined
}
