import { isMarkup } from '../upstream/answers/answer-text.ts'
import { GRAPHQL_PATH, REST_PATH } from '../upstream/connections/url.ts'
import { type Finding, found } from './finding.ts'
import { recordOf } from './forge.ts'
import type { Probe } from './probe.ts'

/** The least that can be asked; every forge answers it to anybody. */
export const graphqlQuestion = { type: 'application/json', text: '{"query":"{__typename}"}' }

/** Checks whether GraphQL is let through beside REST. @param probe of graphqlQuestion */
export function graphqlFinding({ fault, reply }: Probe): Finding {
  const record = reply && recordOf(reply)
  // Some want a token for it.
  if (record !== undefined && (reply?.status === 401 || 'data' in record || 'errors' in record))
    return found('ok', 'graphql', 'the forge answers by it.')
  const what =
    reply === undefined
      ? fault!.message
      : `${GRAPHQL_PATH} answers ${reply.status}${isMarkup(reply.body) ? ' with a page' : ''}.`
  return found(
    'warn',
    'graphql',
    what,
    `Work items, vulnerabilities and the dependency proxy are asked for by GraphQL, and will fail: let ${GRAPHQL_PATH} through beside ${REST_PATH}.`
  )
}
