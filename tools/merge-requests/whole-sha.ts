import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { requestTo } from '../../src/engine/requests/template.ts'
import { text } from '../../src/engine/rows/fields.ts'
import { isRecord } from '../../src/results/is-record.ts'

/** An abbreviated SHA. The forge compares full SHAs, so it takes an abbreviated one for another commit. */
const short = /^[0-9a-f]{7,39}$/i

/**
 * The argument for the head that a call expects. The forge compares any value with the head. An empty one is refused
 * instead of left out, because otherwise a head that nobody reviewed would be merged.
 */
export const headSha = (description: string) => ({
  ...text(description),
  pattern: '\\S',
  problem: 'must be the sha of the head you reviewed, and is empty: left out, any head will do'
})

/** The head, if it is the commit that was reviewed; `reviewed` is its full SHA or the beginning of it. */
export const headIfReviewed = (head: unknown, reviewed: string): string | undefined =>
  typeof head === 'string' &&
  (head === reviewed || (short.test(reviewed) && head.startsWith(reviewed.toLowerCase())))
    ? head
    : undefined

/**
 * Completes `sha` if it is the beginning of the head's SHA. Any other value is sent as given: the forge refuses it if
 * it is not the head. If the head cannot be read here, that is no reason to refuse the call.
 */
export async function withWholeSha<Args extends Arguments>(
  args: Args,
  { forge }: Pick<ToolContext, 'forge'>
): Promise<Args> {
  const { sha } = args
  if (typeof sha !== 'string' || !short.test(sha)) return args
  const request = requestTo('GET /projects/{project_id}/merge_requests/{merge_request_iid}', args)
  const read = await forge.send(request).catch(() => undefined)
  const whole = isRecord(read?.value) ? headIfReviewed(read.value.sha, sha) : undefined
  return whole === undefined ? args : { ...args, sha: whole }
}
