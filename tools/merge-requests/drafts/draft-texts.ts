import type { Arguments } from '../../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../../src/engine/context.ts'
import { eachPage, type Records } from '../../../src/engine/requests/pages.ts'
import { listOf, recordOf } from '../../../src/engine/requests/record.ts'
import { requestTo } from '../../../src/engine/requests/template.ts'
import { anyText } from '../../../src/engine/texts/quick-actions.ts'
import { nextLinkOf, nextPageOf } from '../../../src/results/next-page.ts'
import { CallProblem, PolicyProblem } from '../../../src/results/problem.ts'

const drafts = 'GET /projects/{project_id}/merge_requests/{merge_request_iid}/draft_notes'

type Asking = Pick<ToolContext, 'checkText' | 'forge' | 'mayRun'>

function check(draft: unknown, context: Asking): void {
  const { id, note, resolve_discussion: resolves } = recordOf(draft)
  if (typeof note !== 'string') throw new CallProblem('The forge answered without the text of a draft note.')
  context.checkText(`Draft note ${id}`, note)
  if (resolves === true && !context.mayRun('resolve_merge_request_thread'))
    throw new PolicyProblem(
      `Draft note ${id} resolves its thread, as resolve_merge_request_thread does, which is not allowed here. Nothing was published.`
    )
}

/**
 * Checks the text of a draft before it is published. It may have been written on the forge's own pages, and the forge
 * executes its quick actions on publishing. The draft is read only if the operator limits quick actions.
 * @throws CallProblem if the draft has a line that the operator forbids
 */
export async function checkDraft(args: Arguments, context: Asking): Promise<void> {
  if (context.checkText === anyText) return
  const place = requestTo(`${drafts}/{draft_note_id}`, args)
  check((await context.forge.send(place)).value, context)
}

/** The same for all drafts of a merge request. The list comes whole; a forge that pages it is asked for its pages. */
export async function checkDrafts(args: Arguments, context: Asking): Promise<void> {
  if (context.checkText === anyText) return
  const checkAll = (list: Records): undefined => {
    for (const draft of list) check(draft, context)
  }
  const place = requestTo(drafts, args)
  const { value, headers } = await context.forge.send(place)
  if (nextPageOf(headers) === undefined && nextLinkOf(headers) === undefined) return checkAll(listOf(value))
  const more = await eachPage(context.forge, place, checkAll)
  if (more) throw new CallProblem('There are too many drafts to look through: publish them one by one.')
}
