import type { Arguments } from '../../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../../src/engine/context.ts'
import { recordOf } from '../../../src/engine/requests/record.ts'
import { requestTo } from '../../../src/engine/requests/template.ts'
import { recordsIn } from '../../../src/results/is-record.ts'
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

/**
 * Checks the suggestions of an answer in a thread.
 * @throws as checkSuggestions; what ForgeClient.send throws
 */
export async function checkAnswer(
  body: unknown,
  discussion_id: unknown,
  args: Arguments,
  { forge }: Pick<ToolContext, 'forge'>
): Promise<void> {
  if (!suggests(body)) return
  const request = requestTo(`${MERGE_REQUEST}/discussions/{discussion_id}`, { ...args, discussion_id })
  const position = positionOf((await forge.send(request)).value)
  checkSuggestions('body', body, { position, instead: ANEW })
}

/** checkAnswer as an `adapt` step of a tool. */
export async function answeredOnLine(args: Record<string, unknown>, context: ToolContext) {
  await checkAnswer(args.body, args.discussion_id, args, context)
  return args
}

/** The same for the new text of a note. */
export async function editedOnLine(args: Record<string, unknown>, { forge }: ToolContext) {
  if (!suggests(args.body)) return args
  const request = requestTo(`${MERGE_REQUEST}/notes/{note_id}`, args)
  const { position } = recordOf((await forge.send(request)).value)
  checkSuggestions('body', args.body, { position, instead: ANEW })
  return args
}
