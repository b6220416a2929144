import type { IncomingMessage } from 'node:http'
import { authenticate, checkScope } from './access.ts'
import { checkRequest, readRequest } from './contract.ts'
import { answerGraphql } from './graphql.ts'
import { ForgeError, type Reply } from './http.ts'
import { settleAutoMerges } from './model/merge-requests.ts'
import { advanceAll } from './model/pipelines.ts'
import { settleRebases } from './model/rebase.ts'
import { settleTrains } from './model/trains.ts'
import { oauthRoute } from './oauth.ts'
import { handlers } from './operations/index.ts'
import type { ForgeState } from './state.ts'

/** One call that the sandbox received, whatever the outcome. */
export interface RecordedRequest {
  at: number
  method: string
  /** The path as it came over the wire: percent-encoded, without the query. */
  path: string
  query: Record<string, string | string[]>
  search: string
  headers: Record<string, string | string[] | undefined>
  /** The JSON value, or the text if it is not JSON; undefined without a body. */
  body: unknown
  operation: string | undefined
  status: number
}

/** What the server records about its callers. */
export interface Journal {
  requests: RecordedRequest[]
  violations: string[]
}

/** A call as it came off the wire. */
export interface Incoming {
  method: string
  path: string
  search: string
  headers: IncomingMessage['headers']
  body: string
}

/** How many requests, and how many violations, a journal keeps. */
export const MAX_RECORDED = 5000

const note = (journal: Journal, sentences: string[]) => {
  journal.violations.push(...sentences)
  if (journal.violations.length > MAX_RECORDED)
    journal.violations.splice(0, journal.violations.length - MAX_RECORDED)
}

const mediaProblems = (incoming: Incoming, media = 'application/json') =>
  incoming.body !== '' && !incoming.headers['content-type']?.startsWith(media)
    ? [`the body is not declared as ${media}`]
    : []

/**
 * Answers a REST call: checks the contract and notes every breach, then authenticates the caller, then runs the
 * operation.
 */
const answerRest = (
  state: ForgeState,
  journal: Journal,
  incoming: Incoming,
  recorded: RecordedRequest
): Reply => {
  const { method, path, search, headers } = incoming
  const url = search ? `${path}?${search}` : path
  const reading = readRequest({ method, url, body: incoming.body })
  const name = reading.match?.operation.operation
  recorded.operation = name
  const problems = [...reading.problems, ...mediaProblems(incoming, reading.match?.operation.media)]
  const noted = [...reading.remarks, ...problems]
  note(journal, name ? noted.map(each => `${name}: ${each}`) : noted)
  const credential = authenticate(state, headers)
  if (!credential) throw new ForgeError(401, { message: '401 Unauthorized' })
  if (!name) throw new ForgeError(404, { error: `404 Not Found: ${problems.join(', ')}` })
  checkScope(credential, method)
  if (problems.length > 0) throw new ForgeError(400, { error: problems.join(', ') })
  const handler = handlers[name]
  if (!handler) throw new ForgeError(501, { message: `the sandbox does not do ${name}` })
  const { params, query, body } = reading
  const { user } = credential
  return handler({ state, user, credential, params, query, body, method, path, search, headers })
}

/** Answers a GraphQL call. A bad token is refused; without a token, the caller sees what the public sees. */
const answerGraph = (state: ForgeState, journal: Journal, incoming: Incoming): Reply => {
  const { method, path, headers, body } = incoming
  const problems = [...checkRequest({ method, url: path, body }), ...mediaProblems(incoming)]
  note(journal, problems)
  const credential = authenticate(state, headers)
  const claims = headers['private-token'] ?? headers['job-token'] ?? headers.authorization
  // Job tokens do not open GraphQL (docs: CI/CD job token access).
  if ((claims && !credential) || credential?.kind === 'job')
    throw new ForgeError(401, { errors: [{ message: 'Invalid token' }] })
  if (problems.length > 0) return { status: 200, body: { errors: problems.map(message => ({ message })) } }
  return answerGraphql(state, credential, JSON.parse(body))
}

const formOf = ({ method, search, headers, body }: Incoming): Record<string, string> => {
  if (method === 'GET') return Object.fromEntries(new URLSearchParams(search))
  if (headers['content-type']?.startsWith('application/json'))
    return JSON.parse(body) as Record<string, string>
  return Object.fromEntries(new URLSearchParams(body))
}

/** Brings the forge up to the current time, then answers. */
export const answer = (
  state: ForgeState,
  journal: Journal,
  incoming: Incoming,
  recorded: RecordedRequest
): Reply => {
  advanceAll(state)
  settleAutoMerges(state)
  settleRebases(state)
  settleTrains(state)
  const { method, path, headers } = incoming
  const oauth = oauthRoute(method, path)
  if (oauth) {
    recorded.operation = 'oauth'
    return oauth(state, { params: formOf(incoming), authorization: headers.authorization })
  }
  if (path === '/api/graphql') {
    recorded.operation = 'graphql'
    return answerGraph(state, journal, incoming)
  }
  return answerRest(state, journal, incoming, recorded)
}
