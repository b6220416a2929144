import { readMetaTrace } from '../tracing/context.ts'
import type { Asker } from './asker.ts'
import { ClientLog } from './client-log.ts'
import { code, isRecord, isRequestId, type JsonRpcRequest, ProtocolError } from './jsonrpc.ts'
import { Progress } from './progress.ts'
import type { Exchange, Service } from './service.ts'

/**
 * tools/call, the same in both eras.
 * @returns the CallToolResult as JSON
 * @throws ProtocolError when params are wrong
 */
export async function callTool(
  { params }: JsonRpcRequest,
  exchange: Exchange,
  service: Service,
  asker: Asker
): Promise<string> {
  const { name, arguments: args, _meta } = params
  if (typeof name !== 'string')
    throw new ProtocolError(code.invalidParams, 'tools/call needs name, a string.')
  const progress = progressOf(params, exchange)
  const { notify, session, warnings } = exchange
  const log = session.logLevel === undefined ? undefined : new ClientLog(session.logLevel, notify)
  for (const warning of warnings) log?.log('warning', warning)
  try {
    // A request may carry several messages, so what a message says of itself comes first.
    const trace = readMetaTrace(_meta) ?? exchange.trace
    return JSON.stringify(await service.callTool(name, args, exchange, { trace, progress, log, asker }))
  } finally {
    progress?.end()
  }
}

/** A token that is none is nothing that a call has to fail for. */
function progressOf({ _meta }: JsonRpcRequest['params'], { notify }: Exchange): Progress | undefined {
  const token = isRecord(_meta) ? _meta.progressToken : undefined
  return isRequestId(token) ? new Progress(token, notify) : undefined
}
