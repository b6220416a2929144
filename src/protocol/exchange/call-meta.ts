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
  if (progress === undefined && progressTokenOf(params) !== undefined) log?.log('warning', badToken)
  try {
    // One HTTP request may carry several messages, so a message's own metadata takes precedence.
    const trace = readMetaTrace(params._meta) ?? exchange.trace
    return await run({ trace, progress, log })
  } finally {
    progress?.end()
  }
}

const badToken =
  'progressToken was ignored, and no progress is told: it is a string, or a whole number of at most 9007199254740991.'

const progressTokenOf = ({ _meta }: JsonRpcRequest['params']): unknown =>
  isRecord(_meta) ? _meta.progressToken : undefined

/** An invalid progress token is ignored: it is no reason for a call to fail. */
function progressOf(params: JsonRpcRequest['params'], { notify, parts }: Exchange): Progress | undefined {
  const token = progressTokenOf(params)
  return isRequestId(token) ? new Progress(token, notify, parts && (() => parts.next())) : undefined
}
