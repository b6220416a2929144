import { fieldsOf } from '../../../src/results/is-record.ts'

/*
 * A forge carries out the quick actions in a note that is edited, as in a new one, and deletes a note that is left
 * without any other text (GitLab: Notes::UpdateService).
 */

/** A notice if an edited note is gone. @param value the note, or what is answered in its place, which has no id */
export const goneNote = (value: unknown): string | undefined => {
  const { id, summary } = fieldsOf(value)
  return id === undefined && summary !== undefined
    ? 'The text was quick actions alone, so that the forge has deleted the note.'
    : undefined
}

/** What to say where they came to nothing. A text that is blank itself is not sent. */
export const goneWithout = [
  /can't be blank/,
  'The text was quick actions alone, so that the forge has deleted the note; it may have carried them out.'
] as const
