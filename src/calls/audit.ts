import { CancelledError } from '../base/cancellation.ts'
import { type Consent, InputRequired } from '../engine/consent/question.ts'
import { isDiskTrouble } from '../engine/downloads/folder.ts'
import type { ObjectArguments } from '../engine/objects.ts'
import { numberOfGid } from '../engine/requests/gid.ts'
import { ProtocolError } from '../protocol/messages/jsonrpc.ts'
import { fieldsOf, isRecord, textOf } from '../results/is-record.ts'
import { CallProblem, NotConfirmed, PolicyProblem } from '../results/problem.ts'
import type { ToolClass } from '../results/tool-class.ts'
import { ForgeError, ForgeStatusError, Intercepted } from '../upstream/errors.ts'
import type { CallOutcome, RunOutcome } from './outcome.ts'

/*
 * One line for each run of a tool: who did what where, and how it ended. It never contains the token, the session id or
 * arguments, except for the project, the names of objects, and whether secret values were requested.
 */

export interface AuditLine {
  readonly requestId: string
  /** Id of the trace that the call belongs to: the caller's, or one that began with the call. */
  readonly traceId: string | undefined
  readonly principal: string
  /** The network address that the call came from. */
  readonly address: string | undefined
  /** The MCP revision that the client speaks, if it has named one. */
  readonly protocol: string | undefined
  /** The MCP method, if it is not tools/call. */
  readonly method: string | undefined
  readonly tool: string
  /** Class of the tool, if it exists. */
  readonly class: ToolClass | undefined
  /** The project or group the call names. */
  readonly project: string | undefined
  /** The object in the project that the call names. */
  readonly object: AuditObject | undefined
  /** Set if the call asked for secret values, by an argument that FORGE_DENY_SECRET_VALUES forbids. */
  readonly secrets: true | undefined
  /** The last record that the call created, as identified in the forge's answer. */
  readonly created: AuditObject | undefined
  /** The caller's name at the forge, once it is known. */
  readonly user: string | undefined
  /** Host of the forge. */
  readonly upstream: string | undefined
  /** Status of the forge's answer that made the call fail, otherwise of its last answer. */
  readonly status: number | undefined
  /** The kind of trouble with the forge or the connection to it. */
  readonly trouble: string | undefined
  /** Why policy did not allow the call, or that the disk prevented it, in words. */
  readonly reason: string | undefined
  readonly outcome: CallOutcome
  /**
   * Set if the caller of a write had gone, or had cancelled it, before it was over. A read is `cancelled` in that case.
   */
  readonly gone: true | undefined
  /** Whether and how it was confirmed, if FORGE_CONFIRM requires that. */
  readonly consent?: Consent | undefined
  /** Whole milliseconds. */
  readonly ms: number
  /** Number of requests to the forge, including retries and redirects; undefined if there were none. */
  readonly requests: number | undefined
  /** Whole milliseconds that these requests waited for their turns, added up; undefined if they did not wait. */
  readonly queuedMs: number | undefined
}

/**
 * The numbers, commits or names of the objects that a call changes, by the argument that names them. Several values are
 * separated by commas.
 */
type AuditObject = Readonly<Record<string, string>>

const MAX_PROJECT = 200

/** Most objects in a line: a tool for several things accepts no more. */
const MAX_OBJECTS = 50

/**
 * The project or group in raw arguments, as given but with escapes decoded: so a project that is hidden behind escapes
 * is found, too.
 */
export function projectOf(args: unknown): string | undefined {
  if (typeof args !== 'object' || args === null) return undefined
  const { project_id: project, group_id: group } = args as { project_id?: unknown; group_id?: unknown }
  const value = project ?? group
  return typeof value === 'string' || typeof value === 'number'
    ? withoutControls(decoded(String(value)).slice(0, MAX_PROJECT))
    : undefined
}

/** Replaces invisible characters by marks: if they were removed, the rest could be the name of another project. */
const withoutControls = (text: string): string =>
  // Nearly all texts are plain, and need no look-up.
  /^[ -~]*$/.test(text) ? text : text.replace(/\p{C}/gu, '\ufffd')

/** Decodes a text once, as the forge does. A text that cannot be decoded is never sent. */
function decoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text.slice(0, MAX_PROJECT * '%2F'.length))
  } catch {
    return text
  }
}

/**
 * The objects that a call names in its project. They are taken from unchecked arguments, of which nothing else is used.
 */
export function objectOf(args: unknown, objects: ObjectArguments): AuditObject | undefined {
  if (typeof args !== 'object' || args === null || objects.length === 0) return undefined
  let found: Record<string, string> | undefined
  for (const [name, shape, within] of objects) {
    const value = (args as Record<string, unknown>)[within ?? name]
    const values = Array.isArray(value) ? value.slice(0, MAX_OBJECTS) : [value]
    const named = (within === undefined ? values : values.map(thing => fieldsOf(thing)[name]))
      .map(textOf)
      .filter(text => shape.test(text))
    if (named.length === 0) continue
    found ??= {}
    found[name] = named.join(',')
  }
  return found
}

/**
 * Whether a call asks for secret values.
 * @param reveals the flags that do so, as in Tool
 */
export const secretsIn = (args: unknown, reveals: readonly string[]): true | undefined =>
  reveals.some(name => fieldsOf(args)[name] === true) || undefined

/**
 * Identifies a record that a forge has created: by its number in the project, otherwise by its id or commit, or for a
 * wiki page, which has none of these, by its slug. GraphQL returns numbers as text, and ids as global ids.
 * @param token the caller's token, which a forge could return in place of an identifier
 */
export function createdIn(record: unknown, token: string): AuditObject | undefined {
  if (!isRecord(record)) return undefined
  const iid = textOf(record.iid)
  if (number.test(iid)) return { iid }
  const id = String(numberOfGid(textOf(record.id)))
  if (number.test(id) || (commit.test(id) && !isOf(token.toLowerCase(), id))) return { id }
  const { slug } = record
  return typeof slug === 'string' && slugShape.test(slug) && !tells(slug, token) ? { slug } : undefined
}

/** Whether a text is a token, contains it, or is a part of it. */
const isOf = (token: string, text: string): boolean => token.includes(text) || text.includes(token)

/** Whether a text contains a token, or is a part of it that is too long to be a coincidence. */
const tells = (text: string, token: string): boolean =>
  text.includes(token) || (text.length >= 8 && token.includes(text))

const number = /^[1-9]\d{0,14}$/
const commit = /^[0-9a-f]{7,64}$/
const slugShape = /^[^\p{C}]{1,200}$/u

/** The underlying cause of a failed call. If a call does several things, it is the cause of one failure. */
export const failureIn = (error: unknown): unknown =>
  error instanceof CallProblem && error.cause !== undefined ? error.cause : error

/**
 * The status for the audit line.
 * @param last status of the forge's last answer, which may belong to a later lookup of similar names
 */
export const statusOf = (error: unknown, last: number | undefined): number | undefined =>
  error instanceof ForgeStatusError || error instanceof Intercepted ? error.status : last

const MAX_REASON = 300

/**
 * Why a call was not done, if policy forbade it (including the policy on addresses), or if this service's disk failed.
 */
export function reasonOf(error: unknown): string | undefined {
  if (isDiskTrouble(error)) return `the archive cannot be saved (${error.code})`
  if (error instanceof ForgeError && error.fault === 'forbidden') return error.message
  return error instanceof PolicyProblem ? withoutControls(error.reason.slice(0, MAX_REASON)) : undefined
}

/** How a call ended. Failures that matter to an operator have outcomes of their own. */
export function outcomeOf(outcome: RunOutcome, error: unknown, cancelled: boolean): CallOutcome {
  if (cancelled || error instanceof CancelledError) return 'cancelled'
  if (error instanceof InputRequired) return 'input_required'
  if (error instanceof NotConfirmed) return 'declined'
  if (error instanceof ProtocolError) return 'rpc_error'
  if (outcome === 'ok') return error === undefined ? outcome : 'partial'
  const fault = error instanceof ForgeError ? error.fault : undefined
  return outcome === 'tool_error' && (fault === 'timeout' || fault === 'cancelled') ? fault : outcome
}
