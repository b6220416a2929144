import { isRecord } from '../../results/is-record.ts'
import { readMetaTrace } from '../../tracing/context.ts'
import { isRequestId, type JsonRpcRequest } from '../messages/jsonrpc.ts'
import { ClientLog } from './client-log.ts'
import type { CallMeta, Exchange } from './exchange.ts'
import { Progress } from './progress.ts'

/** Runs a call with the metadata of its request, and stops reporting its progress when it ends. */
export async function withMeta<Result>(
  { params }: JsonRpcRequest,
  exchange: Exchange,
  run: (meta: CallMeta) => Promise<Result>
): Promise<Result> {
  const { notify, session, warnings } = exchange
  const progress = progressOf(params, exchange)
  const log = session.logLevel === undefined ? undefined : new ClientLog(session.logLevel, notify)
  for (const warning of warnings) log?.log('warning', warning)
  try {
    // One HTTP request may carry several messages, so the message's own metadata takes precedence.
    const trace = readMetaTrace(params._meta) ?? exchange.trace
    return await run({ trace, progress, log })
  } finally {
    progress?.end()
  }
}

/** An invalid progress token is ignored: it is no reason for a call to fail. */
function progressOf({ _meta }: JsonRpcRequest['params'], { notify }: Exchange): Progress | undefined {
  const token = isRecord(_meta) ? _meta.progressToken : undefined
  return isRequestId(token) ? new Progress(token, notify) : undefined
}
