import type { Arguments } from '../../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../../src/engine/context.ts'
import { recordOf } from '../../../src/engine/requests/record.ts'
import { requestTo } from '../../../src/engine/requests/template.ts'
import { CallProblem } from '../../../src/results/problem.ts'
import { positionAgain } from '../notes/position.ts'

const anew = 'Delete the draft and create it again with resolve_discussion.'

/**
 * Refuses an update of resolve_discussion alone, which the forge silently ignores.
 * @throws CallProblem
 */
export function changesMore({ body, path, position }: Arguments): void {
  if (body === undefined && path === undefined && position === undefined)
    throw new CallProblem(`The forge cannot change resolve_discussion of a draft note. ${anew}`)
}

/**
 * Completes an update. The forge refuses one without a text, and forgets a position that is not sent again. So what the
 * caller leaves out is read first and sent unchanged.
 * @returns the arguments with `body` and, unless a path is given, with the given or stored `position`, if any; and with
 * the thread that the draft answers in, if the draft was read
 * @throws what ForgeClient.send throws
 */
export async function draftCompleted(
  { resolve_discussion: _, ...args }: Arguments,
  { forge }: ToolContext
): Promise<Record<string, unknown>> {
  const isPlaced = args.path !== undefined || args.position !== undefined
  if (args.body !== undefined && isPlaced) return args
  const request = requestTo(
    'GET /projects/{project_id}/merge_requests/{merge_request_iid}/draft_notes/{draft_note_id}',
    args
  )
  const current = recordOf((await forge.send(request)).value)
  return {
    ...args,
    body: args.body ?? current.note,
    ...(isPlaced
      ? {}
      : {
          position: positionAgain(current.position),
          in_reply_to_discussion_id: current.discussion_id ?? undefined
        })
  }
}

/**
 * The notice that an update did not change resolve_discussion.
 * @param value the draft after the update
 */
export function resolveUnchanged(
  value: unknown,
  { resolve_discussion: wanted }: Arguments
): string | undefined {
  const { resolve_discussion: is } = (value ?? {}) as Arguments
  return wanted === undefined || wanted === is
    ? undefined
    : `resolve_discussion is still ${typeof is === 'boolean' ? is : 'as it was'}: the forge cannot change it. ${anew}`
}
