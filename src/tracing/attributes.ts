import { withoutBrackets } from '../base/host-names.ts'
import type { CallOutcome } from '../calls/outcome.ts'
import { code } from '../protocol/messages/jsonrpc.ts'
import type { CallFacts, RequestFacts } from './spans.ts'

/*
 * Names and attributes of spans, by OpenTelemetry's semantic conventions for MCP and for HTTP clients. All values come
 * from fixed sets, except the host of the forge. Three attributes are left out on purpose: mcp.session.id, which is as
 * good as a token here; jsonrpc.request.id, which is a text from the caller; url.full, which contains arguments.
 */

type Attributes = Record<string, string | number>

/** The span name of a call. */
export const callName = ({ method, tool }: CallFacts): string => `${method} ${tool}`

/** The attributes of a call at its start. */
export const callAttributes = ({ method, tool, version }: CallFacts): Attributes => ({
  'mcp.method.name': method,
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': tool,
  ...(version !== undefined && { 'mcp.protocol.version': version })
})

/** The JSON-RPC error code for outcomes that are answered with one; all others get a result, or no answer. */
const rpcErrors: Partial<Record<CallOutcome, number>> = {
  rpc_error: code.invalidParams,
  capacity: code.refused,
  fault: code.internal
}

/**
 * The attributes of a call at its end. `forge_mcp.outcome` is the outcome as in the audit line and the metrics.
 * `error.type`, which the convention requires, is only set if the call failed.
 */
export function endAttributes(how: CallOutcome): Attributes {
  const outcome = { 'forge_mcp.outcome': how }
  if (how === 'ok' || how === 'partial' || how === 'input_required') return outcome
  const rpc = rpcErrors[how]
  if (rpc !== undefined)
    return { ...outcome, 'error.type': String(rpc), 'rpc.response.status_code': String(rpc) }
  return { ...outcome, 'error.type': how === 'cancelled' ? how : 'tool_error' }
}

/** The span name of a request to a forge. */
export const requestName = ({ method, template }: RequestFacts): string =>
  template === undefined ? method : `${method} ${template}`

/** The attributes of a request at its start. */
export function requestAttributes({ method, origin, template }: RequestFacts): Attributes {
  const { hostname, port, protocol } = new URL(origin)
  return {
    'http.request.method': method,
    'server.address': withoutBrackets(hostname),
    'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    ...(template !== undefined && { 'url.template': template })
  }
}

/** The attributes of a request at its end. For a client span, a status of 400 or more is an error. */
export function answerAttributes(status: number | undefined, fault: string | undefined): Attributes {
  const error = fault ?? (status !== undefined && status >= 400 ? String(status) : undefined)
  return {
    ...(status !== undefined && { 'http.response.status_code': status }),
    ...(error !== undefined && { 'error.type': error })
  }
}
