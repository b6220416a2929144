import { fieldsOf } from '../../src/results/is-record.ts'
import { wordsOf } from '../../src/results/visible.ts'

/**
 * Warns that an issue was moved to another project, so the change affected only what is left here. A forge changes the
 * old issue without a warning, and nobody looks there (GitLab: `moved_to_id` is the id of the new issue).
 * @param value the issue after the change
 */
export function movedOn(value: unknown): string | undefined {
  const { moved_to_id: id } = fieldsOf(value)
  return id === undefined || id === null
    ? undefined
    : `This issue was moved to another project, where it goes on with the id ${wordsOf(id)}, which its page here links to: the change is of what is left here.`
}
