import { otherToken } from '../session/other-tokens.ts'
import { isText, type Reply, statusError } from './answers/answer.ts'
import type { ForgeStatusError } from './errors.ts'
import type { Requester } from './requester.ts'

const UNAUTHORIZED = 401

/**
 * The error for an answer that is a refusal. For a refused token of a kind that opens nothing here, it says so.
 * @param template of a request that reads
 */
export function refusedWith(
  reply: Reply,
  template: string | undefined,
  { isOfJob, token }: Requester
): ForgeStatusError {
  const error = statusError(reply, Date.now())
  error.isText = isText(reply.body)
  error.hasFixedPath = template?.includes('{') === false
  error.reason = error.status === UNAUTHORIZED && !isOfJob ? otherToken(token) : undefined
  error.isExplained = error.reason !== undefined
  return error
}
