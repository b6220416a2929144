import type { IncomingMessage } from 'node:http'
import { rawQueryOf } from '../../edge/requests/target.ts'

/** Names from other services under which somebody may send a token; a few dozen characters at most. */
const near =
  /^(?:x[-_]?)?(?:(?:ci[-_]?)?job|private|gitlab|forge|api|auth|(?:personal[-_]?)?access)?[-_]?token$|^(?:x[-_]?)?api[-_]?key$/i
const ofJob = /job/i

/** The headers that are read (session/credential.ts). They are empty when this is called. */
const read = /^(?:private|job)-token$/i

/** Most parameters of a query that are examined. */
const MAX_PARAMETERS = 50

/**
 * Finds where a request without a credential may have its token instead: in the URL, or in a header with a similar
 * name.
 * @returns a sentence that says where the token belongs. It is also logged, so it contains neither the token nor other
 * text of the caller
 */
export function strayToken(request: Pick<IncomingMessage, 'rawHeaders' | 'url'>): string | undefined {
  const parameter = rawQueryOf(request)
    .split('&', MAX_PARAMETERS)
    .map(pair => pair.split('=', 1)[0]!)
    .find(name => near.test(name))
  if (parameter !== undefined)
    return `A token in the URL (${parameter}) is not read, and URLs end up in logs: renew it, and send it as ${headerFor(parameter)}.`
  const header = request.rawHeaders.find((name, at) => at % 2 === 0 && near.test(name) && !read.test(name))
  return header && `${header} is not read: a token of the forge in it belongs in ${headerFor(header)}.`
}

const headerFor = (name: string): string => (ofJob.test(name) ? 'JOB-TOKEN' : 'Private-Token')
