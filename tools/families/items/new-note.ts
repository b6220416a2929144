import { fieldsOf } from '../../../src/results/is-record.ts'
import { allSaid } from './all-said.ts'
import { datedNow } from './dated.ts'

const isNone = (summary: unknown): boolean =>
  summary === undefined || summary === null || [summary].flat().join('').trim() === ''

/**
 * A notice if no comment was made because its text was only quick actions. The forge does not say so: it answers 202
 * with `commands_changes` and `summary` (GitLab: API::Notes, API::Discussions).
 * @param value the note, or the thread that it begins, or that answer
 */
function actionsAlone(value: unknown): string | undefined {
  const { id, commands_changes: changes, summary } = fieldsOf(value)
  return id === undefined && changes !== undefined && isNone(summary)
    ? 'The text was taken as quick actions alone: no comment was made, and the forge does not say what came of them.'
    : undefined
}

/** Notices about the result of a new comment. */
export const newNote = allSaid(datedNow, actionsAlone)
