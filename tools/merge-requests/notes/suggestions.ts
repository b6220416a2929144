import { Type } from 'typebox'
import type { Arguments } from '../../../src/engine/arguments/values.ts'
import { commitMessage, optional } from '../../../src/engine/rows/fields.ts'
import { rest, type ToolRow } from '../../../src/engine/rows/row.ts'

const one = 'PUT /suggestions/{suggestion_ids}/apply'
const several = 'PUT /suggestions/batch_apply'

const idsOf = ({ suggestion_ids: ids }: Arguments) => ids as readonly string[]

/**
 * Advice for arguments that callers give by habit. A wrong value must not look as if it limited the call to one merge
 * request.
 */
const ofAll = 'leave it out: suggestion_ids say which they are on the whole forge'

export const suggestionRows: readonly ToolRow[] = [
  rest({
    name: 'apply_suggestions',
    class: 'write',
    does: ['commit_files'],
    title: 'Apply suggestions',
    summary: 'Apply suggested changes as one commit; ids: suggestions of mr_discussions.',
    input: Type.Object(
      {
        suggestion_ids: Type.Array(Type.String({ pattern: '^\\d{1,15}$', problem: 'must be numbers' }), {
          minItems: 1,
          maxItems: 50
        }),
        commit_message: optional(commitMessage())
      },
      { instead: { project_id: ofAll, merge_request_iid: ofAll } }
    ),
    // A single suggestion has its own route.
    request: [one, several],
    choose: args => (idsOf(args).length === 1 ? one : several),
    // The forge refuses a whole batch that names a suggestion twice.
    adapt: args => ({ ...args, suggestion_ids: [...new Set(idsOf(args))].map(Number) }),
    rename: { suggestion_ids: 'ids' },
    record: 'suggestion',
    advice: {
      400: 'A suggestion is applied already, its line has changed since, or two are of the same lines: read mr_discussions again.',
      403: 'It takes the Developer role, and the right to push to the source branch, and the merge request must be open.',
      404: 'A suggestion is not there, or may not be seen: read mr_discussions again.'
    }
  })
]
