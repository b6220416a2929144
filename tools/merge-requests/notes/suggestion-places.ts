import type { Arguments } from '../../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../../src/engine/context.ts'
import { briefly } from '../../../src/engine/lookup-budget.ts'
import { recordOf } from '../../../src/engine/requests/record.ts'
import { type ForgeRequest, requestTo } from '../../../src/engine/requests/template.ts'
import { isRecord, recordsIn } from '../../../src/results/is-record.ts'
import { checkSuggestions, suggests } from '../../families/items/suggestion-blocks.ts'

/* Finds out where a comment is that is edited or answered. It is read only if the new text has a suggestion. */

const MERGE_REQUEST = 'GET /projects/{project_id}/merge_requests/{merge_request_iid}'

/** Advice for a suggestion in a comment that is not on a line. */
export const ANEW = 'create_merge_request_thread takes path and line'

/**
 * The position of a thread, which its answers share.
 * @param thread as the forge has it
 */
export const positionOf = (thread: unknown): unknown => recordsIn(recordOf(thread).notes)[0]?.position

/** Set beside the arguments, and not sent, if the place of the comment could not be read. */
export const UNCHECKED = 'lines_unchecked'

/**
 * Checks the suggestions of an answer in a thread. Where the thread cannot be read, the answer is sent all the same:
 * no specification asks for this read, and what it would find is advice.
 * @returns the arguments, with UNCHECKED if nothing was checked
 * @throws as checkSuggestions
 */
export async function answeredIn(
  discussion_id: unknown,
  args: Arguments,
  context: Pick<ToolContext, 'forge' | 'lookups'>
): Promise<Record<string, unknown>> {
  if (!suggests(args.body)) return { ...args }
  const request = requestTo(`${MERGE_REQUEST}/discussions/{discussion_id}`, { ...args, discussion_id })
  const thread = await readPlace(request, context)
  return recordsIn(thread?.notes).length === 0
    ? { ...args, [UNCHECKED]: true }
    : checked(args, positionOf(thread))
}

/** answeredIn as an `adapt` step of a tool. */
export const answeredOnLine = (args: Record<string, unknown>, context: ToolContext) =>
  answeredIn(args.discussion_id, args, context)

/** The same for the new text of a note. */
export async function editedOnLine(args: Record<string, unknown>, context: ToolContext) {
  if (!suggests(args.body)) return args
  const note = await readPlace(requestTo(`${MERGE_REQUEST}/notes/{note_id}`, args), context)
  return note === undefined ? { ...args, [UNCHECKED]: true } : checked(args, note.position)
}

/** The note or thread; undefined if the forge does not show it, or not soon. */
const readPlace = (
  request: ForgeRequest,
  { forge, lookups }: Pick<ToolContext, 'forge' | 'lookups'>
): Promise<Record<string, unknown> | undefined> =>
  briefly(forge, lookups)
    .send(request)
    .then(
      ({ value }) => (isRecord(value) ? value : undefined),
      () => undefined
    )

function checked(args: Arguments, position: unknown): Record<string, unknown> {
  checkSuggestions('body', args.body, { position, instead: ANEW })
  return { ...args }
}

/**
 * The notice that the lines of a suggestion were not checked.
 * @param value the answer; where it has the place of the comment, that tells which lines they are
 */
export const linesUnchecked = (
  value: unknown,
  _args: Arguments,
  _context: unknown,
  adapted: Arguments
): string | undefined =>
  adapted[UNCHECKED] === true && !isRecord(recordOf(value).position)
    ? 'The forge did not show which line the comment is on: look at the suggestion before it is applied.'
    : undefined
