import { isRecord } from '../../results/is-record.ts'
import type { ClientCapability } from '../../session/client.ts'

/** JSON-RPC 2.0 as MCP uses it: message shapes, error codes, and answers as text. */

export type RequestId = string | number

export interface JsonRpcRequest {
  readonly id: RequestId
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

export interface JsonRpcNotification {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

/** An answer to a request of this server. Only its kind is checked. */
export interface IncomingResponse {
  readonly id: unknown
  readonly result: unknown
  readonly error: unknown
}

export type Incoming =
  | { readonly kind: 'request'; readonly message: JsonRpcRequest }
  | { readonly kind: 'notification'; readonly message: JsonRpcNotification }
  | { readonly kind: 'response'; readonly message: IncomingResponse }
  | { readonly kind: 'invalid'; readonly id: RequestId | undefined; readonly why: string }

export const code = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** HTTP-level refusals on /mcp: credentials, capacity, sizes. */
  refused: -32000,
  sessionNotFound: -32001,
  /** A resource that does not exist, in the initialize era. */
  noResource: -32002
} as const

/** A usable request id. Fractions are refused as the MCP schema does; null is never an id. */
export const isRequestId = (value: unknown): value is RequestId =>
  (typeof value === 'string' && value.length <= 1024) || Number.isSafeInteger(value)

/** An example of a message, shown to a client that sends something else. */
export const exampleMessage = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'

const wrongId = 'id must be a string of at most 1,024 characters, or a whole number between -2^53 and 2^53.'

const empty: Readonly<Record<string, unknown>> = {}

/** Classifies a parsed body. Nothing in the body is trusted before that. */
export function classify(body: unknown): Incoming {
  if (!isRecord(body))
    return invalid(undefined, `a JSON-RPC message is an object, such as ${exampleMessage}.`)
  const id = isRequestId(body.id) ? body.id : undefined
  if (body.jsonrpc !== '2.0') return invalid(id, 'jsonrpc must be "2.0".')
  if (body.method === undefined && ('result' in body || 'error' in body))
    return { kind: 'response', message: { id: body.id, result: body.result, error: body.error } }
  if (body.method === undefined)
    return invalid(id, 'method must be there, a string, or, in an answer, result or error.')
  if (typeof body.method !== 'string') return invalid(id, 'method must be a string.')
  if (body.params !== undefined && !isRecord(body.params)) return invalid(id, 'params must be an object.')
  const params = body.params ?? empty
  if (!('id' in body)) return { kind: 'notification', message: { method: body.method, params } }
  if (id === undefined) return invalid(undefined, wrongId)
  return { kind: 'request', message: { id, method: body.method, params } }
}

const invalid = (id: RequestId | undefined, why: string): Incoming => ({ kind: 'invalid', id, why })

/** The id of a body, if it can be read: answers carry it whenever possible. */
export const idOf = (body: unknown): RequestId | undefined =>
  isRecord(body) && isRequestId(body.id) ? body.id : undefined

/** A success answer around a result that is already JSON. */
export const successText = (id: RequestId, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`

/** An error answer. The id is left out if it is unknown (both MCP schemas allow only string and number). */
export function errorText(
  id: RequestId | undefined,
  errorCode: number,
  message: string,
  data?: unknown
): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: errorCode, message, data } })
}

/** The answer if the service itself failed. The request id lets an operator find the cause in the log. */
export const internalErrorText = (id: RequestId | undefined, requestId: string): string =>
  errorText(id, code.internal, `Internal error (request ${requestId}).`)

/** A request of this server to a client, as JSON. */
export const requestText = (id: RequestId, method: string, params: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params })

/** A notification as JSON. */
export const notificationText = (method: string, params?: object): string =>
  JSON.stringify({ jsonrpc: '2.0', method, params })

/** The optional parts of an error, beside its code and message. */
export interface ErrorMore {
  readonly data?: unknown
  /** What is wrong, for the log: in words of this service, without anything that the caller sent. */
  readonly hint?: string | undefined
}

/** A fault of the request that is answered as a JSON-RPC error. */
export class ProtocolError extends Error {
  readonly code: number
  readonly data: unknown
  readonly hint: string | undefined
  /** Whether the log already has a line on it: the line of a tool call, or of a resource that was read. */
  isLogged = false
  constructor(errorCode: number, message: string, { data, hint }: ErrorMore = {}) {
    super(message)
    this.name = 'ProtocolError'
    this.code = errorCode
    this.data = data
    this.hint = hint
  }
}

/** An error whose message repeats nothing that the caller sent, so that it can be logged as the hint as well. */
export const plainError = (errorCode: number, message: string): ProtocolError =>
  new ProtocolError(errorCode, message, { hint: message })

/**
 * Passes on the error of a call that has already been logged as a call.
 * @throws the error
 */
export function thrownByCall(error: unknown): never {
  if (error instanceof ProtocolError) error.isLogged = true
  throw error
}

/** The request needs a client capability that was not declared. */
export class CapabilityError extends ProtocolError {
  readonly capability: ClientCapability
  constructor(capability: ClientCapability) {
    super(code.invalidParams, `This takes a client that declares the capability ${capability}.`)
    this.name = 'CapabilityError'
    this.capability = capability
  }
}
