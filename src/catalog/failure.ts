import { STATUS_CODES } from 'node:http'
import { ForgeError, ForgeStatusError } from '../upstream/errors.ts'
import { CallProblem } from './problem.ts'

/**
 * The text of a tool result for a failure its caller can do something about (DESIGN 5, Errors).
 * @param writes whether the tool changes things, so that an unknown outcome is said to be one
 * @returns undefined for anything else, which is a fault of this service
 */
export function explainFailure(error: unknown, writes: boolean): string | undefined {
  if (error instanceof CallProblem) return error.message
  if (error instanceof ForgeStatusError) return explainStatus(error, writes)
  if (error instanceof ForgeError)
    return writes && uncertain.has(error.fault) ? `${error.message} ${checkFirst}` : error.message
  return undefined
}

const uncertain = new Set(['timeout', 'unreachable', 'too-large', 'bad-answer', 'cancelled'])
const checkFirst = 'The change may or may not have been made: look before you repeat the call.'

const nextSteps: Readonly<Record<number, string>> = {
  401: 'The token was not accepted: it may be wrong, expired or revoked. Send a valid one.',
  403: 'The token may not do this: its owner needs a higher role, or the token the api scope (read_api to read).',
  404: 'Check the ids and paths. The forge also answers 404 for what the token may not see.',
  405: 'The state of the thing does not allow this now: read it first.',
  409: 'Something changed in between or exists already: read it again, then decide.',
  422: 'The forge understood the request and refuses it: change the values.',
  429: 'The forge limits how often it may be asked: wait, then repeat.'
}

function explainStatus({ status, message, retryAfter }: ForgeStatusError, writes: boolean): string {
  const name = STATUS_CODES[status] ?? 'Unknown'
  const detail = message === '' || message.toLowerCase() === name.toLowerCase() ? '' : `: ${message}`
  const parts = [`The forge answered ${status} ${name}${detail.replace(/\.$/, '')}.`]
  if (nextSteps[status] !== undefined) parts.push(nextSteps[status])
  else if (status >= 500) parts.push(writes ? checkFirst : 'The trouble is on its side: try again later.')
  if (retryAfter !== undefined) parts.push(`Retry after ${retryAfter} seconds.`)
  return parts.join(' ')
}
