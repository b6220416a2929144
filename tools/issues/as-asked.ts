import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { Fields } from '../../src/results/is-record.ts'

/** Arguments that an empty text clears. An empty text for any other argument changes nothing. */
const takenByEmpty = new Set(['due_date', 'weight'])

const isGiven = (argument: string, value: unknown): boolean =>
  value !== undefined && (value !== '' || takenByEmpty.has(argument))

/** Fields of an issue that are shown only if one of these arguments was given. */
const setBy: Readonly<Record<string, readonly string[]>> = {
  labels: ['labels', 'add_labels', 'remove_labels'],
  assignees: ['assignee_ids'],
  milestone: ['milestone_id'],
  due_date: ['due_date'],
  weight: ['weight']
}

/**
 * The result of a change to an issue. Of the fields in setBy, it shows those that the call was to change. Their values
 * are those that the forge stored, which may differ from what was asked.
 */
export const asAsked = (record: Fields, asked: Arguments): Fields =>
  Object.fromEntries(
    Object.entries(record).filter(
      ([field]) => setBy[field]?.some(argument => isGiven(argument, asked[argument])) ?? true
    )
  )
