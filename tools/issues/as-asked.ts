type Fields = Readonly<Record<string, unknown>>

/** What an empty text takes away; it changes none of the others. */
const takenByEmpty = new Set(['due_date', 'weight'])

const isGiven = (argument: string, value: unknown): boolean =>
  value !== undefined && (value !== '' || takenByEmpty.has(argument))

/** Fields of an issue that are shown where one of these arguments set them. */
const setBy: Readonly<Record<string, readonly string[]>> = {
  labels: ['labels', 'add_labels', 'remove_labels'],
  assignees: ['assignee_ids'],
  milestone: ['milestone_id'],
  due_date: ['due_date'],
  weight: ['weight']
}

/** What became of an issue by a change: of what was asked for the new value, as a forge may have made something else of it. */
export const asAsked = (record: Fields, asked: Fields): Fields =>
  Object.fromEntries(
    Object.entries(record).filter(
      ([field]) => setBy[field]?.some(argument => isGiven(argument, asked[argument])) ?? true
    )
  )
