import type { CallOutcome } from '../calls/outcome.ts'
import { code } from '../protocol/jsonrpc.ts'
import type { CallFacts, RequestFacts } from './spans.ts'

/*
 * Names and attributes of spans, by OpenTelemetry's semantic conventions for MCP and for HTTP clients. All values
 * come from fixed sets, but for the host of the forge. Left out on purpose: mcp.session.id, which is as good as a
 * token here; jsonrpc.request.id, a text of the caller's; url.full, which holds arguments.
 */

export type Attributes = Record<string, string | number>

/** Span name of a call. */
export const callName = ({ method, tool }: CallFacts): string => `${method} ${tool}`

/** Attributes a call has from its beginning. */
export const callAttributes = ({ method, tool, version }: CallFacts): Attributes => ({
  'mcp.method.name': method,
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': tool,
  ...(version !== undefined && { 'mcp.protocol.version': version })
})

/** The JSON-RPC error that such a call is answered with; all others are answered with a result, or not at all. */
const rpcErrors: Partial<Record<CallOutcome, number>> = {
  rpc_error: code.invalidParams,
  capacity: code.refused,
  fault: code.internal
}

/**
 * Attributes a call gets at its end. `forge_mcp.outcome` has the outcome of the audit line and of the metrics;
 * `error.type`, only there when it failed, is what the convention wants.
 */
export function endAttributes(how: CallOutcome): Attributes {
  const outcome = { 'forge_mcp.outcome': how }
  if (how === 'ok' || how === 'partial' || how === 'input_required') return outcome
  const rpc = rpcErrors[how]
  if (rpc !== undefined)
    return { ...outcome, 'error.type': String(rpc), 'rpc.response.status_code': String(rpc) }
  return { ...outcome, 'error.type': how === 'cancelled' ? how : 'tool_error' }
}

/** Span name of a request to a forge. */
export const requestName = ({ method, template }: RequestFacts): string =>
  template === undefined ? method : `${method} ${template}`

/** Attributes a request has from its beginning. */
export function requestAttributes({ method, origin, template }: RequestFacts): Attributes {
  const { hostname, port, protocol } = new URL(origin)
  return {
    'http.request.method': method,
    'server.address': hostname.replace(/^\[|\]$/g, ''),
    'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    ...(template !== undefined && { 'url.template': template })
  }
}

/** Attributes a request gets at its end: a status of 400 or more is an error to whoever asked. */
export function answerAttributes(status: number | undefined, fault: string | undefined): Attributes {
  const error = fault ?? (status !== undefined && status >= 400 ? String(status) : undefined)
  return {
    ...(status !== undefined && { 'http.response.status_code': status }),
    ...(error !== undefined && { 'error.type': error })
  }
}
