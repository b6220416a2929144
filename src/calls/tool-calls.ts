import type { CancelSignal } from '../cancellation.ts'
import { CancelledError } from '../cancellation.ts'
import type { View } from '../catalog/catalog.ts'
import { targetOf } from '../catalog/surface.ts'
import type { Consent } from '../engine/consent.ts'
import { findTool, type Run, runTool, UnknownToolError, type Writer } from '../engine/run.ts'
import type { Tool } from '../engine/tool.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { ClientLog } from '../protocol/client-log.ts'
import { CapabilityError, code, ProtocolError } from '../protocol/jsonrpc.ts'
import { overCapacity } from '../protocol/refusal.ts'
import { type CallMeta, type Exchange, viewOf } from '../protocol/service.ts'
import { knownVersion } from '../protocol/versions.ts'
import { problemResult, type ResultPolicy, type ToolResult, writeResult } from '../results/result.ts'
import { hasCapability } from '../session/client.ts'
import { principalOf } from '../session/credential.ts'
import type { CallSpan, Tracing } from '../tracing/spans.ts'
import { PoolCapacityError } from '../upstream/connections/pool.ts'
import { OddAnswer } from '../upstream/errors.ts'
import type { ForgeLease, Forges } from '../upstream/forges.ts'
import type { OnRetry } from '../upstream/guard/guard.ts'
import { troubleIn } from '../upstream/trouble.ts'
import type { CallScope } from '../upstream/upstream.ts'
import { type AuditLine, type AuditObject, createdIn, objectOf, outcomeOf, projectOf } from './audit.ts'
import { CallContext, type ContextParts } from './call-context.ts'
import type { CallOutcome } from './outcome.ts'

/** Stands for a name that is no tool's in lines and labels: a caller may make up as many as it likes. */
const NO_TOOL = 'other'

/** What a call needs of the rest of the service. */
export interface ToolCallParts extends ContextParts {
  readonly forges: Pick<Forges, 'lease'>
  readonly metrics: Pick<Metrics, 'consents' | 'operations'>
  readonly tracing: Tracing | undefined
  /** Given the line of each call. */
  readonly onLine: (line: AuditLine) => void
  /** What the forge calls a caller, once that is known. */
  readonly userOf: (caller: string) => string | undefined
  /** Told that a forge has served a call: there its credential is a real one. */
  readonly onServed: (caller: string, exchange: Exchange) => void
  /** Told that a forge did not accept a credential. */
  readonly onDenied: (caller: string, exchange: Exchange) => void
  /** Told of an answer that a tool could not read, and what came of it. */
  readonly onOddAnswer: (tool: string, host: string, cause: unknown) => void
  /** Asked for each call that may change something. @throws Refusal where its caller has made too many */
  readonly onWrite: (caller: string) => void
}

const retryTeller =
  (log: ClientLog): OnRetry =>
  (reason, waitMs) => {
    const what =
      typeof reason === 'number' ? `The forge answered ${reason}` : 'The connection to the forge failed'
    log.log('notice', `${what}; it is asked again in ${(waitMs / 1000).toFixed(1)} s.`)
  }

/** What a tool is run for: a method of MCP, and how its output is written for that. */
export interface Use<Written> extends Writer<Written> {
  readonly method: string
}

const forCall: Use<ToolResult> = { method: 'tools/call', write: writeResult, of: result => result }

/** What was written, or in words for the caller why there is nothing. */
export type Used<Written> =
  | { readonly result: Written; readonly problem?: undefined }
  | {
      readonly problem: string
      /** What of the forge or the arguments it was; undefined where policy refuses the tool. */
      readonly error?: unknown
    }

/** One call, from its arrival to its line. */
interface Call extends CallScope {
  readonly method: string
  readonly args: unknown
  readonly caller: string
  readonly exchange: Exchange
  /** On `performance.now`. */
  readonly started: number
  /** Once it is found. */
  tool: Tool | undefined
  signal: CancelSignal | undefined
  span: CallSpan | undefined
  consent: Consent | undefined
  /** Of the forge's last answer. */
  status: number | undefined
  trouble: string | undefined
  created: AuditObject | undefined
  /** For a person. */
  waitedMs: number
}

/** The one way to run a tool: policy, the caller's forge client, the audit line, the span. */
export class ToolCalls {
  readonly #parts: ToolCallParts

  constructor(parts: ToolCallParts) {
    this.#parts = parts
  }

  /** A ToolCaller. @throws as one, and what is a fault of this service */
  run(name: string, args: unknown, exchange: Exchange, meta: CallMeta): Promise<ToolResult> {
    return this.use(name, args, exchange, meta, forCall).then(used =>
      used.problem === undefined ? used.result : problemResult(used.problem)
    )
  }

  /** Runs a tool for what may be no call, under the same policy and bounds. @throws as `run` */
  async use<Written>(
    name: string,
    args: unknown,
    exchange: Exchange,
    meta: CallMeta,
    use: Use<Written>
  ): Promise<Used<Written>> {
    const target = targetOf(name, args)
    const call: Call = {
      method: use.method,
      args: target.args,
      caller: principalOf(exchange.session.credential),
      from: exchange.from,
      exchange,
      trace: meta.trace,
      started: performance.now(),
      tool: undefined,
      signal: undefined,
      onRetry: meta.log && retryTeller(meta.log),
      span: undefined,
      consent: undefined,
      status: undefined,
      trouble: undefined,
      created: undefined,
      waitedMs: 0
    }
    const view = viewOf(exchange)
    const { tool, refusal } = this.#find(target.name, name, view, call)
    if (refusal !== undefined) {
      this.#end(call, 'refused')
      return { problem: refusal }
    }
    if (tool.needs !== undefined && !hasCapability(exchange.session.capabilities, tool.needs)) {
      this.#end(call, 'rpc_error')
      throw new CapabilityError(tool.needs)
    }
    if (tool.class !== 'read') this.#count(call)
    // A write that has left is let finish: aborting it would not undo it, only hide its outcome.
    if (tool.class === 'read') call.signal = exchange.signal
    const lease = this.#lease(call)
    const { client: forge, host, release } = lease instanceof Promise ? await lease : lease
    const context = new CallContext(this.#parts, {
      forge,
      caller: call.caller,
      signal: call.signal,
      exchange,
      view,
      meta,
      tool: tool.name,
      args: target.args
    })
    let run: Run<Written>
    try {
      run = await runTool(tool, target.args, context, this.#policyFor(exchange), use)
    } finally {
      release()
    }
    if (forge.served) this.#parts.onServed(call.caller, exchange)
    else if (forge.status === 401) this.#parts.onDenied(call.caller, exchange)
    if (run.error instanceof OddAnswer) this.#parts.onOddAnswer(tool.name, host, run.error.cause)
    call.status = forge.status
    call.trouble = troubleIn(run.error)
    call.created = createdIn(forge.created)
    call.consent = context.consented
    call.waitedMs = context.waitedMs
    this.#end(call, outcomeOf(run.outcome, run.error, call.signal?.aborted === true), host)
    if (run.outcome === 'fault') throw run.error
    if (call.signal?.aborted) throw new CancelledError()
    // The token may be good, and of the forge that its caller meant.
    if (run.outcome === 'tool_error' && forge.status === 401)
      return { ...run, problem: [run.problem, ...exchange.warnings].join(' ') }
    return run
  }

  /** The operator's, but for how much of a record the request wants to see. */
  #policyFor({ output }: Exchange): ResultPolicy {
    const { policy } = this.#parts
    return output === undefined || output === policy.output ? policy : { ...policy, output }
  }

  /** Finds the tool, and begins the call's span under its name. @throws ProtocolError where there is none */
  #find(name: string, through: string, view: View, call: Call) {
    try {
      const found = findTool(this.#parts.catalog, name, view, through)
      call.tool = found.tool
      call.span = this.#span(call)
      return found
    } catch (error) {
      call.span = this.#span(call)
      throw this.#refused(call, error)
    }
  }

  /** @throws Refusal where its caller has changed too much lately */
  #count(call: Call): void {
    try {
      this.#parts.onWrite(call.caller)
    } catch (error) {
      this.#end(call, 'rate_limit')
      throw error
    }
  }

  /** @throws Refusal where the pool has no room, as a rejection too */
  #lease(call: Call): ForgeLease | Promise<ForgeLease> {
    const fail = (error: unknown): never => {
      throw this.#refused(call, error)
    }
    try {
      const lease = this.#parts.forges.lease(call.exchange.session, call)
      return lease instanceof Promise ? lease.catch(fail) : lease
    } catch (error) {
      return fail(error)
    }
  }

  #span({ exchange, method, tool, trace }: Call): CallSpan | undefined {
    return this.#parts.tracing?.call({
      method,
      tool: tool?.name ?? NO_TOOL,
      version: knownVersion(exchange.headers?.version ?? exchange.session.version),
      parent: trace,
      carrier: trace === exchange.trace ? undefined : exchange.trace
    })
  }

  /** Ends a call of which nothing was sent. @returns the error for its caller */
  #refused(call: Call, error: unknown): unknown {
    const isUnknown = error instanceof UnknownToolError
    const isFull = error instanceof PoolCapacityError
    this.#end(call, isUnknown ? 'rpc_error' : isFull ? 'capacity' : 'fault')
    if (isUnknown) return new ProtocolError(code.invalidParams, error.message)
    return isFull ? overCapacity(error.message) : error
  }

  /** Counts a call that is over, ends its span, and writes its line. @param upstream host of its forge */
  #end(
    {
      args,
      caller,
      consent,
      created,
      exchange,
      method,
      span,
      started,
      status,
      tool,
      trace,
      trouble,
      waitedMs
    }: Call,
    outcome: CallOutcome,
    upstream?: string
  ) {
    const ms = performance.now() - started
    const name = tool?.name ?? NO_TOOL
    // How long people take says nothing of the service.
    this.#parts.metrics.operations.observe((ms - waitedMs) / 1000, method, name, outcome)
    if (consent !== undefined) this.#parts.metrics.consents.count(consent)
    span?.end(outcome)
    this.#parts.onLine({
      requestId: exchange.requestId,
      traceId: span?.traceId ?? trace?.id,
      principal: caller,
      user: this.#parts.userOf(caller),
      method: method === forCall.method ? undefined : method,
      tool: name,
      class: tool?.class,
      project: projectOf(args),
      object: tool && objectOf(args, tool.objects),
      created,
      upstream,
      status,
      trouble,
      outcome,
      consent,
      ms: Math.round(ms)
    })
  }
}
