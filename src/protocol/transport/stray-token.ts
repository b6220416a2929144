import type { IncomingMessage } from 'node:http'
import { rawQueryOf } from '../../edge/requests/target.ts'

/** Names, as other services have them, under which somebody may send a token; a few dozen characters at most. */
const near =
  /^(?:x[-_]?)?(?:(?:ci[-_]?)?job|private|gitlab|forge|api|auth|(?:personal[-_]?)?access)?[-_]?token$|^(?:x[-_]?)?api[-_]?key$/i
const ofJob = /job/i

/** The headers that are read (session/credential.ts): empty ones, where this is asked. */
const read = /^(?:private|job)-token$/i

/** Parameters of a query that are looked at. */
const MAX_PARAMETERS = 50

/**
 * Where a request without a credential may have its token instead: in the URL, or in a header with a similar name.
 * @returns a sentence that says where it belongs, for the log, too: without the token, and in no words but ours
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
