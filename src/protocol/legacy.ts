import { readMetaTrace } from '../tracing/context.ts'
import { code, type JsonRpcRequest, ProtocolError } from './jsonrpc.ts'
import { type Exchange, type Service, viewOf } from './service.ts'
import { timed } from './timed.ts'
import { isLegacyVersion, latestLegacy } from './versions.ts'

/** A method of the initialize era: gives its result as JSON. @throws ProtocolError */
type Method = (request: JsonRpcRequest, exchange: Exchange, service: Service) => string | Promise<string>

/** Revisions 2024-10-07 to 2025-11-25: the methods a tools-only server answers. */
export const legacyMethods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ...timed<JsonRpcRequest>({
    initialize,
    ping: () => '{}',
    'tools/list': (_request, exchange, { catalog }) => `{"tools":${catalog.list(viewOf(exchange))}}`
  }),
  ['tools/call', cancellableCall]
])

/** Answers with the revision asked for when it is served, else with the newest of this era (never a later one). */
function initialize({ params }: JsonRpcRequest, exchange: Exchange, { info, instructions }: Service): string {
  if (exchange.resumed) throw new ProtocolError(code.invalidRequest, 'This session is initialized already.')
  if (typeof params.protocolVersion !== 'string')
    throw new ProtocolError(code.invalidParams, 'initialize needs protocolVersion, a string.')
  const version = isLegacyVersion(params.protocolVersion) ? params.protocolVersion : latestLegacy
  exchange.session = { ...exchange.session, version }
  return JSON.stringify({
    protocolVersion: version,
    capabilities: { tools: { listChanged: true } },
    serverInfo: info,
    instructions
  })
}

/** A call that `notifications/cancelled` can stop while it runs. */
async function cancellableCall(
  { id, params }: JsonRpcRequest,
  exchange: Exchange,
  service: Service
): Promise<string> {
  const { sessionKey, cancel } = exchange
  const leave =
    sessionKey === undefined || cancel === undefined
      ? undefined
      : service.inFlight.enter(sessionKey, id, cancel)
  try {
    return JSON.stringify(await callTool(params, exchange, service))
  } finally {
    leave?.()
  }
}

/** tools/call, the same in both eras. */
export function callTool(params: JsonRpcRequest['params'], exchange: Exchange, service: Service) {
  if (typeof params.name !== 'string')
    throw new ProtocolError(code.invalidParams, 'tools/call needs name, a string.')
  // A request may carry several messages, so what a message says of itself comes first.
  const trace = readMetaTrace(params._meta) ?? exchange.trace
  return service.callTool(params.name, params.arguments, exchange, trace)
}
