import type { CancelSignal } from '../base/cancellation.ts'
import { asWritten } from '../base/holders.ts'
import type { Linked } from '../collections/in-order.ts'
import type { Tool } from '../engine/tool.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { ClientLog } from '../protocol/exchange/client-log.ts'
import type { CallMeta, Exchange } from '../protocol/exchange/exchange.ts'
import { knownVersion } from '../protocol/messages/versions.ts'
import { principalOf } from '../session/credential.ts'
import type { Session } from '../session/store.ts'
import type { Trace } from '../tracing/context.ts'
import type { CallSpan, Tracing } from '../tracing/spans.ts'
import type { ForgeLease } from '../upstream/forges.ts'
import type { OnRetry } from '../upstream/guard/guarded-call.ts'
import type { CallScope } from '../upstream/upstream.ts'
import { type AuditLine, createdIn, objectOf, projectOf, secretsIn } from './audit.ts'
import type { CallContext } from './call-context.ts'
import type { CallOutcome } from './outcome.ts'

/** Replaces unknown tool names in lines and labels: a caller may make up any number of names. */
const NO_TOOL = 'other'

/** The method of most calls; their lines do not mention it. */
export const CALL = 'tools/call'

/** The places where each call is reported. */
export interface WatchParts {
  readonly metrics: Pick<Metrics, 'consents' | 'operations'>
  readonly tracing: Tracing | undefined
  /**
   * Called with the audit line of each call.
   * @param sent whether a request of the call may have reached a forge
   */
  readonly onLine: (line: AuditLine, sent: boolean, session: Session) => void
  /** Returns the name of a session's caller at its forge, once it is known. */
  readonly userOf: (session: Session) => string | undefined
}

const retryTeller =
  (log: ClientLog): OnRetry =>
  (reason, waitMs) => {
    const what =
      typeof reason === 'number' ? `The forge answered ${reason}` : 'The connection to the forge failed'
    log.log('notice', `${what}; it is asked again in ${(waitMs / 1000).toFixed(1)} s.`)
  }

/** What a running tool has learned and done so far. */
interface RunFacts {
  readonly forge: Pick<ForgeLease['client'], 'created' | 'queuedMs' | 'requests' | 'status'>
  readonly context: Pick<CallContext, 'args' | 'consented' | 'waitedMs'>
}

/** One call, from its arrival to its audit line: its facts so far, and where it is reported. */
export class WatchedCall implements CallScope, Linked<WatchedCall> {
  previous: WatchedCall | undefined
  next: WatchedCall | undefined
  readonly method: string
  /** As received. */
  readonly args: unknown
  readonly caller: string
  readonly from: string | undefined
  readonly exchange: Exchange
  readonly trace: Trace | undefined
  readonly onRetry: OnRetry | undefined
  signal: CancelSignal | undefined
  gone: CancelSignal | undefined
  span: CallSpan | undefined
  /** Host of the call's forge, once it is known. */
  upstream: string | undefined
  /** Status of the forge's answer that made the call fail, otherwise of its last answer. */
  status: number | undefined
  trouble: string | undefined
  reason: string | undefined
  readonly #parts: WatchParts
  readonly #started = performance.now()
  #tool: Tool | undefined
  #run: RunFacts | undefined

  /** @param method the MCP method that the tool is run for */
  constructor(parts: WatchParts, method: string, args: unknown, exchange: Exchange, meta: CallMeta) {
    this.#parts = parts
    this.method = method
    this.args = args
    this.caller = principalOf(exchange.session.credential)
    this.from = exchange.from
    this.exchange = exchange
    this.trace = meta.trace
    this.onRetry = meta.log && retryTeller(meta.log)
  }

  /**
   * Begins the span of the call.
   * @param tool undefined if there is no tool of that name
   */
  begin(tool: Tool | undefined): void {
    this.#tool = tool
    const { exchange, method, trace } = this
    this.span = this.#parts.tracing?.call({
      method,
      tool: tool?.name ?? NO_TOOL,
      version: this.#version(),
      parent: trace,
      carrier: trace === exchange.trace ? undefined : exchange.trace
    })
  }

  /**
   * Marks the call as running. From now on the forge may be working for it, and its audit line says what was done so
   * far.
   */
  runs(run: RunFacts): void {
    this.#run = run
  }

  #version(): string | undefined {
    const { headers, session } = this.exchange
    return knownVersion(headers?.version ?? session.version)
  }

  /** Counts the call, ends its span, and writes its audit line. */
  end(outcome: CallOutcome): void {
    const { metrics, onLine, userOf } = this.#parts
    const tool = this.#tool
    const ms = performance.now() - this.#started
    const name = tool?.name ?? NO_TOOL
    const { args = this.args, consented, waitedMs = 0 } = this.#run?.context ?? {}
    const { created, queuedMs = 0, requests = 0, status } = this.#run?.forge ?? {}
    // The time that a person takes, or a pipeline until it is done, says nothing about the service.
    metrics.operations.observe((ms - waitedMs) / 1000, this.method, name, outcome)
    if (consented !== undefined) metrics.consents.count(consented)
    this.span?.end(outcome)
    const line = {
      requestId: this.exchange.requestId,
      traceId: this.span?.traceId ?? this.trace?.id,
      principal: this.caller,
      address: this.from && asWritten(this.from),
      user: userOf(this.exchange.session),
      protocol: this.#version(),
      method: this.method === CALL ? undefined : this.method,
      tool: name,
      class: tool?.class,
      project: projectOf(args),
      object: tool && objectOf(args, tool.objects),
      secrets: tool && secretsIn(args, tool.reveals),
      created: createdIn(created, this.exchange.session.credential.token),
      upstream: this.upstream,
      status: this.status ?? status,
      trouble: this.trouble,
      reason: this.reason,
      outcome,
      gone: this.gone?.aborted || undefined,
      consent: consented,
      ms: Math.round(ms),
      requests: requests || undefined,
      queuedMs: Math.round(queuedMs) || undefined
    }
    onLine(line, requests > 0, this.exchange.session)
  }
}
