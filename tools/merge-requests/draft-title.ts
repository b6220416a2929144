import type { Arguments, Values } from '../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { recordOf } from '../../src/engine/requests/record.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { fieldsOf } from '../../src/results/is-record.ts'
import { CallProblem } from '../../src/results/problem.ts'

const prefixes = /^\s*(?:(?:\[draft\]|\(draft\)|draft:)\s*)+/i

/**
 * The title for a draft. The forge has no draft argument: a merge request is a draft when its title starts with
 * "Draft:", and undeclared arguments are silently dropped.
 */
export function draftTitle(title: string, draft: boolean): string {
  if (!draft) return title.replace(prefixes, '')
  return prefixes.test(title) ? title : `Draft: ${title}`
}

/** For creation, where the title is always given. */
export function draftToTitle({ draft, ...values }: Arguments): Values {
  return draft === undefined ? values : { ...values, title: draftTitle(String(values.title), draft === true) }
}

/** For an update. If the caller gives no title, the current one is read. */
export async function draftToCurrentTitle(
  { draft, ...values }: Arguments,
  { forge }: ToolContext
): Promise<Values> {
  if (draft === undefined) return values
  const title = values.title ?? (await currentTitle(values, forge))
  return { ...values, title: draftTitle(String(title), draft === true) }
}

/**
 * The notice for a new title without a draft prefix. If the merge request was a draft, the title has made it ready,
 * which nobody asked for. Whether it was a draft, only another request would tell.
 * @param record the merge request after the change
 */
export const perhapsReady = (record: unknown, { title, draft }: Arguments): string | undefined => {
  const now = fieldsOf(record)
  const isReady = now.draft === false && (now.state ?? 'opened') === 'opened'
  return title !== undefined && draft === undefined && isReady
    ? 'If it was a draft, it is ready now, as its new title does not begin with Draft: (draft=true makes it one again).'
    : undefined
}

async function currentTitle(values: Arguments, forge: ToolContext['forge']): Promise<string> {
  const place = requestTo('GET /projects/{project_id}/merge_requests/{merge_request_iid}', values)
  const { value } = await forge.send(place)
  const { title } = recordOf(value)
  if (typeof title !== 'string') throw new CallProblem('The forge gave no title to mark as draft or ready.')
  return title
}
