import { isRecord } from '../results/is-record.ts'
import { readMetaTrace } from '../tracing/context.ts'
import { ClientLog } from './client-log.ts'
import type { CallMeta, Exchange } from './exchange.ts'
import { isRequestId, type JsonRpcRequest } from './jsonrpc.ts'
import { Progress } from './progress.ts'

/** Runs something with what its request says of itself, and ends the telling of its progress with it. */
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
    // A request may carry several messages, so what a message says of itself comes first.
    const trace = readMetaTrace(params._meta) ?? exchange.trace
    return await run({ trace, progress, log })
  } finally {
    progress?.end()
  }
}

/** A token that is none is nothing that a call has to fail for. */
function progressOf({ _meta }: JsonRpcRequest['params'], { notify }: Exchange): Progress | undefined {
  const token = isRecord(_meta) ? _meta.progressToken : undefined
  return isRequestId(token) ? new Progress(token, notify) : undefined
}
