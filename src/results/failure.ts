import { STATUS_CODES } from 'node:http'
import { ForgeError, ForgeStatusError, Intercepted, isUnreachable, SaidInstead } from '../upstream/errors.ts'
import { CallProblem, NoPlace } from './problem.ts'
import { quoted } from './visible.ts'

/** Next steps by the forge's message; the first that fits is used. */
export type StepsByWords = readonly (readonly [says: RegExp, step: string])[]

/** Next steps by the forge's status, or for an answer that was too large to read. */
export type Advice = Readonly<Partial<Record<number, string | StepsByWords>> & { 'too-large'?: string }>

/**
 * The text of a tool result for a failure that the caller can do something about.
 * @param writes whether a request that changes something may have reached the forge; the text then says that the
 *   outcome is unknown
 * @param advice the tool's own next steps by status, which take precedence over the general ones
 * @param mayWrite whether the call is one that changes something; the text then says if nothing was done
 * @returns undefined for any other error, which is a fault of this service
 */
export function explainFailure(
  error: unknown,
  writes: boolean,
  advice: Advice = {},
  mayWrite = false
): string | undefined {
  if (error instanceof CallProblem) return problemOf(error)
  if (error instanceof ForgeStatusError) return explainStatus(error, writes, stepsAfter(error, advice))
  if (error instanceof ForgeError && error.fault === 'graphql') return explainGraphql(error, writes)
  if (error instanceof Intercepted) return [error.message, error.reason].filter(Boolean).join(' ')
  if (error instanceof ForgeError)
    return [
      messageOf(error),
      error.reason,
      error.fault === 'too-large' ? advice['too-large'] : undefined,
      stepAfterFault(error, writes, mayWrite)
    ]
      .filter(part => part !== undefined)
      .join(' ')
  if (isOverflow(error))
    return `The forge answered with data that is nested too deeply to be read.${writes ? ` ${checkFirst}` : ''}`
  return undefined
}

/** As explainFailure, for a part that a result is shown without. It does not say that nothing was done. */
export const explainPart = (error: unknown, advice?: Advice): string | undefined =>
  explainFailure(error, false, advice)?.replace(` ${nothingDone}`, '')

const problemOf = (error: CallProblem): string =>
  error instanceof NoPlace && error.reason !== undefined ? `${error.message} ${error.reason}` : error.message

function messageOf(error: ForgeError): string {
  if (!(error instanceof SaidInstead)) return error.message
  return `${error.message}, ${error.words === '' ? 'and did not say why' : `but said: ${quoted(error.words)}`}.`
}

const mayNot =
  'The token may not do this: its owner needs a higher role, or the token the api scope (read_api to read).'

/** GraphQL uses the same words for something that does not exist. */
const mayNotOrNone = mayNot.replace('The token', 'It may not be there, or the token')

const ofCursor =
  'That is after: it takes the endCursor of the page before as it came, and is left out for the first.'

/**
 * These messages are entirely the forge's own. They are the same for something that does not exist, something that a
 * role may not do, and something that the token's scope does not cover.
 */
const explainGraphql = (error: ForgeError, writes: boolean): string =>
  [
    `The forge refused the request: ${quoted(error.message)}.`,
    error.reason,
    /\bvalid cursor\b/i.test(error.message) ? ofCursor : undefined,
    writes && saysMayNot(error) && !error.isExplained ? mayNotOrNone : undefined
  ]
    .filter(part => part !== undefined)
    .join(' ')

/**
 * Whether the forge refused something that the token, and perhaps anybody, may not do: by its status, or in the words
 * of GraphQL.
 */
export const saysMayNot = (error: unknown): error is ForgeStatusError | ForgeError =>
  error instanceof ForgeStatusError
    ? error.status === 403
    : error instanceof ForgeError && error.fault === 'graphql' && /don.t have permission/.test(error.message)

/** Whether an error is a stack overflow, which ends a recursion that goes too deep into a record. */
export const isOverflow = (error: unknown): boolean =>
  error instanceof RangeError && /call stack/.test(error.message)

const uncertain = new Set(['timeout', 'too-large', 'bad-answer', 'cancelled'])
const checkFirst = 'The change may or may not have been made: look before you repeat the call.'

const notSent = 'This was not sent, but others of the call were before it: look before you repeat the call.'
const nothingDone = 'Nothing was done.'
const later = 'Try again later, and tell who runs this server if it stays so.'

/** The next step if no usable answer came. Some messages contain it already. */
function stepAfterFault(
  { fault, isUnsent, message }: ForgeError,
  writes: boolean,
  mayWrite: boolean
): string | undefined {
  if (writes && isUnsent) return notSent
  if (writes) return uncertain.has(fault) || isUnreachable(fault) ? checkFirst : undefined
  const isOut = isUnreachable(fault) || fault === 'timeout'
  if (!isOut || /try again|ask for less/i.test(message)) return undefined
  return isUnsent || mayWrite ? `${nothingDone} ${later}` : later
}

/** Whether a text of explainFailure says that the outcome of the change is unknown. */
export const leavesOpen = (problem: string): boolean => problem.includes(checkFirst)

/** Words on a login that has ended. Beside them a login by SAML is meant, which is named in other refusals, too. */
const ofSession = '(?:session|expired|sign(?:ed)?[ -]?(?:in|out)|log[ -]?in|re-?authenticate)'

/** Refusals of the caller or its address. They take precedence over a tool's own advice for the status. */
const keptOut: StepsByWords = [
  [
    /^insufficient_scope\b/,
    `The token’s scope is too narrow for this: use one with the scope api (read_api to read). ${nothingDone}`
  ],
  [
    /^insufficient_granular_scope\b/,
    'Give the token the permission that is named, or use one with the scope api (read_api to read).'
  ],
  [
    new RegExp(`\\b(?:saml|sso)\\b(?:(?=.{0,80}${ofSession})|(?<=${ofSession}.{0,80}))`, 'i'),
    'The owner of the token has to log in at the forge in a browser; then call again.'
  ],
  [
    /your account (?:is|has been) |terms of service|password expired|email address is not confirmed|two-factor/i,
    'The owner of the token has to resolve this at the forge: log in there as that user.'
  ],
  [/\bip address/i, 'The forge blocks the address of this server: tell the administrators of both.']
]

/** The next step after words with which the forge keeps out a caller or its address; undefined for other words. */
export const stepForKeptOut = (says: string): string | undefined => stepFor(keptOut, says)

const nextSteps: Advice = {
  401: 'The token was not accepted: it may be wrong, expired or revoked, or sent in the header of another kind. JOB-TOKEN is for tokens of CI jobs, which open few things, and Authorization: Bearer for OAuth. Send a valid one, or log in again; over stdio it is in FORGE_PERSONAL_ACCESS_TOKEN.',
  403: mayNot,
  404: 'Check the ids and paths. The forge also answers 404 for what the token may not see.',
  405: 'Its current state does not allow this: read it first.',
  409: 'Something changed in between or exists already: read it again, then decide.',
  422: [
    [
      /\binvalid page token\b/i,
      'page_token takes the next_page_token of the page before as it came, and is left out for the first.'
    ],
    [/(?:)/, 'The forge understood the request and refuses it: change the values.']
  ],
  429: 'The forge limits how often it may be asked: wait, then repeat.'
}

/** The words with which a forge refuses to change a project by its earlier path (GitLab's find_project!). */
const movedWords = /\bnot allowed for moved projects\b/
const moved =
  'Only reads follow a project that has moved: give as project_id its present path, which get_project shows.'

/** Whether a change was refused because its project now has another path. */
export const saysMoved = (error: unknown): error is ForgeStatusError & { status: 405 } =>
  error instanceof ForgeStatusError && error.status === 405 && movedWords.test(error.message)

const noForge =
  'No id in the path could be wrong. Either the forge is too old for this, or what stands before it does not let this through, or the address in FORGE_API_URL (or X-Forge-API-URL) is not that of a forge: forge-tool-server doctor checks it.'
const noProject =
  'There is no such project, or the token may not see it: give its id or full path (group/project), which list_projects with search finds. A group goes in group_id where a tool takes one.'
const noGroup =
  'There is no such group, or the token may not see it; a project is no group, and goes in project_id.'

/** The next steps after a refusal. If the forge names what is missing, that takes precedence over a tool's guess. */
function stepsAfter(error: ForgeStatusError, advice: Advice): Advice {
  if (saysMoved(error)) return { 405: moved }
  const { status, message, hasFixedPath } = error
  const misses = (place: string) => status === 404 && message.toLowerCase().includes(`${place} not found`)
  if (misses('project')) return { ...nextSteps, ...advice, 404: noProject }
  // The advice of a tool that takes only a group says more.
  const general = misses('group') ? noGroup : hasFixedPath ? noForge : nextSteps[404]
  return { ...nextSteps, 404: general, ...advice }
}

function explainStatus(error: ForgeStatusError, writes: boolean, steps: Advice): string {
  const { status, message, retryAfter, reason } = error
  const name = STATUS_CODES[status] ?? 'Unknown'
  const says = withoutStatus(message, `${status} ${name}`).replace(/\.$/, '')
  const isNews =
    says !== '' && ![name, `${status} ${name}`].some(known => known.toLowerCase() === says.toLowerCase())
  const detail = isNews ? `: ${quoted(says)}` : ''
  const parts = [`The forge answered ${status} ${name}${detail}${sourceOf(error)}.`]
  const kept = status === 403 ? stepForKeptOut(message) : undefined
  if (reason !== undefined && kept === undefined) parts.push(reason)
  // The advice to check the ids is left out if the reason already says what was found.
  const isSaid =
    error.isExplained || (reason !== undefined && [nextSteps[404], noForge].includes(steps[status]))
  const step = kept ?? (isSaid ? undefined : stepFor(steps[status], message))
  if (step) parts.push(step)
  else if (status >= 500) parts.push(writes ? checkFirst : 'The trouble is on its side: try again later.')
  if (retryAfter) parts.push(`Retry after ${retryAfter} seconds.`)
  return parts.join(' ')
}

/** Statuses that gateways in front of a forge answer in its place. */
const byGates: ReadonlySet<number> = new Set([401, 403, 404])

const sourceOf = ({ status, isText }: ForgeStatusError): string =>
  isText && byGates.has(status) ? ' (no JSON: it may come from what stands before the forge)' : ''

/** Removes the status from a message that repeats it: `403 Forbidden - …`. */
const withoutStatus = (message: string, status: string): string => {
  const said = message.slice(0, status.length + 3).toLowerCase()
  return said === `${status} - `.toLowerCase() ? message.slice(said.length) : message
}

const stepFor = (step: string | StepsByWords | undefined, message: string): string | undefined =>
  typeof step === 'object' ? step.find(([says]) => says.test(message))?.[1] : step

/** For rows' own code: whether the forge answered with one of these statuses. */
export const isStatus = (error: unknown, statuses: readonly number[]): error is ForgeStatusError =>
  error instanceof ForgeStatusError && statuses.includes(error.status)

/** For rows' own code: whether the forge's answer was not a record, such as a file instead of JSON. */
export const isBadAnswer = (error: unknown): boolean =>
  error instanceof ForgeError && error.fault === 'bad-answer'

/** For rows' own code: whether the forge's answer was too long to be read. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof ForgeError && error.fault === 'too-large'

/** For rows' own code: whether a request was understood, by the forge or a proxy in front of it, and refused. */
export const wasRefused = (error: unknown): error is ForgeStatusError | Intercepted =>
  error instanceof Intercepted || (error instanceof ForgeStatusError && error.status < 500)

/**
 * For rows' own code: adds to a refusal which steps were not done, as sentences. For an error on the forge's side, adds
 * `open`, if given: which steps may have been done. Returns any other failure unchanged.
 */
export function notDone(error: unknown, says: string, open?: string): unknown {
  if (wasRefused(error)) error.reason = says
  else if (open !== undefined && error instanceof ForgeStatusError) error.reason = open
  return error
}

/**
 * For rows' own code: adds to any failure of a read before a change what follows from it, as sentences. Advice on ids is
 * left out: it is of the change. A refused token is returned unchanged: only another one helps.
 */
export function withConsequence(error: unknown, says: string): unknown {
  if (isStatus(error, [401])) return error
  if (error instanceof ForgeStatusError || error instanceof ForgeError)
    error.reason = error.reason === undefined ? says : `${error.reason} ${says}`
  if (isStatus(error, [404])) error.isExplained = true
  return error
}
