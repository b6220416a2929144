import { isMarkup } from '../upstream/answers/answer-text.ts'
import { GRAPHQL_PATH, REST_PATH } from '../upstream/hosts/url.ts'
import { type Finding, found } from './finding.ts'
import { bodyRecordOf } from './forge.ts'
import type { Probe } from './probe.ts'

/** The smallest possible query; every forge answers it to anybody. */
export const graphqlQuestion = { type: 'application/json', text: '{"query":"{__typename}"}' }

/** Checks whether GraphQL requests get through, as REST requests do. @param probe of graphqlQuestion */
export function graphqlFinding({ fault, reply }: Probe): Finding {
  const record = reply && bodyRecordOf(reply)
  if (record !== undefined && ('data' in record || 'errors' in record))
    return found('ok', 'graphql', 'the forge answers by it.')
  // Not only a forge may answer this. Whether GraphQL is behind it, only a request with a token would show.
  if (record !== undefined && reply?.status === 401)
    return found('ok', 'graphql', 'it asks for a token first.')
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
