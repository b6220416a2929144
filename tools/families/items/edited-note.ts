import { fieldsOf } from '../../../src/results/is-record.ts'

/*
 * A forge carries out quick actions in an edited note as it does in a new one, and deletes a note that has no other
 * text left (GitLab: Notes::UpdateService).
 */

/**
 * A notice if an edited note is gone.
 * @param value the note, or the answer in its place, which has no id
 */
export const goneNote = (value: unknown): string | undefined => {
  const { id, summary } = fieldsOf(value)
  return id === undefined && summary !== undefined
    ? 'The text was quick actions alone, so that the forge has deleted the note.'
    : undefined
}

/** The message for an edit whose quick actions had no effect. A text that is itself blank is not sent. */
export const goneWithout = [
  /can't be blank/,
  'The text was quick actions alone, so that the forge has deleted the note; it may have carried them out.'
] as const
