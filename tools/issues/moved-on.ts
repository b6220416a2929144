import { fieldsOf } from '../../src/results/is-record.ts'
import { wordsOf } from '../../src/results/visible.ts'

/**
 * Says of an issue that was moved to another project that the change is of what is left of it: a forge changes that, too,
 * without a word, and nobody looks there (GitLab: `moved_to_id` is the id of the one that goes on).
 * @param value the issue as it is after the change
 */
export function movedOn(value: unknown): string | undefined {
  const { moved_to_id: id } = fieldsOf(value)
  return id === undefined || id === null
    ? undefined
    : `This issue was moved to another project, where it goes on with the id ${wordsOf(id)}, which its page here links to: the change is of what is left here.`
}
