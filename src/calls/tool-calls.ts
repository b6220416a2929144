import { CancelledError } from '../cancellation.ts'
import { targetOf } from '../catalog/surface.ts'
import type { View } from '../catalog/view.ts'
import { findTool, type Run, runTool, UnknownToolError, type Writer } from '../engine/run.ts'
import type { Tool } from '../engine/tool.ts'
import { InOrder } from '../in-order.ts'
import { type CallMeta, type Exchange, viewOf } from '../protocol/exchange.ts'
import { CapabilityError, code, ProtocolError } from '../protocol/jsonrpc.ts'
import { overCapacity } from '../protocol/refusal.ts'
import { problemResult, type ResultPolicy, type ToolResult, writeResult } from '../results/result.ts'
import { hasCapability } from '../session/client.ts'
import { PoolCapacityError } from '../upstream/connections/pool.ts'
import { Intercepted, OddAnswer } from '../upstream/errors.ts'
import type { ForgeLease, Forges } from '../upstream/forges.ts'
import { troubleIn } from '../upstream/trouble.ts'
import { failureIn, outcomeOf, reasonOf, statusOf } from './audit.ts'
import { CallContext, type ContextParts } from './call-context.ts'
import { CALL, WatchedCall, type WatchParts } from './watched-call.ts'

/** What a call needs of the rest of the service. */
export interface ToolCallParts extends ContextParts, WatchParts {
  readonly forges: Pick<Forges, 'lease'>
  /** Told that a forge has served a call: there its credential is a real one. */
  readonly onServed: (caller: string, exchange: Exchange) => void
  /** Told that a forge did not accept a credential. @param byPage what stands before the forge said so, in its place */
  readonly onDenied: (caller: string, exchange: Exchange, byPage: boolean) => void
  /** Told of an answer that a tool could not read, and what came of it. */
  readonly onOddAnswer: (tool: string, host: string, cause: unknown) => void
  /** Asked for each call that may change something. @throws Refusal where its caller has made too many */
  readonly onWrite: (caller: string, exchange: Exchange) => void
}

/** What a tool is run for: a method of MCP, and how its output is written for that. */
export interface Use<Written> extends Writer<Written> {
  readonly method: string
}

const forCall: Use<ToolResult> = { method: CALL, write: writeResult, of: result => result }

/** What was written, or in words for the caller why there is nothing. */
export type Used<Written> =
  | { readonly result: Written; readonly problem?: undefined }
  | {
      readonly problem: string
      /** What of the forge or the arguments it was; undefined where policy refuses the tool. */
      readonly error?: unknown
    }

/** The one way to run a tool: policy, the caller's forge client, the audit line, the span. */
export class ToolCalls {
  readonly #parts: ToolCallParts
  /** Those that a forge may be at work for. */
  readonly #underWay = new InOrder<WatchedCall>()

  constructor(parts: ToolCallParts) {
    this.#parts = parts
  }

  /** Writes the line of each call under way, for whoever ends the process: a write may be done all the same. */
  cut(): void {
    for (let call = this.#underWay.first; call !== undefined; call = call.next) call.end('cut')
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
    const call = new WatchedCall(this.#parts, use.method, target.args, exchange, meta)
    const view = viewOf(exchange)
    const { tool, refusal } = this.#find(target.name, name, view, call)
    if (refusal !== undefined) {
      call.reason = refusal
      call.end('refused')
      return { problem: refusal }
    }
    if (target.problem !== undefined) {
      call.end('tool_error')
      return { problem: target.problem }
    }
    if (tool.needs !== undefined && !hasCapability(exchange.session.capabilities, tool.needs)) {
      call.end('rpc_error')
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
      tool,
      args: target.args
    })
    call.upstream = host
    call.runs({ forge, context })
    this.#underWay.append(call)
    let run: Run<Written>
    try {
      run = await runTool(tool, target.args, context, this.#policyFor(tool, exchange), use)
    } finally {
      this.#underWay.remove(call)
      release()
    }
    const failure = failureIn(run.error)
    this.#tellOfCredential(call, forge, failure)
    if (run.error instanceof OddAnswer) this.#parts.onOddAnswer(tool.name, host, run.error.cause)
    call.status = statusOf(failure, forge.status)
    call.trouble = troubleIn(failure)
    call.reason = reasonOf(failure)
    call.end(outcomeOf(run.outcome, failure, call.signal?.aborted === true))
    if (run.outcome === 'fault') throw run.error
    if (call.signal?.aborted) throw new CancelledError()
    // The token may be good, and of the forge that its caller meant.
    if (run.outcome === 'tool_error' && forge.status === 401)
      return { ...run, problem: [run.problem, ...exchange.warnings].join(' ') }
    return run
  }

  #tellOfCredential(
    { caller, exchange }: WatchedCall,
    { served, status }: ForgeLease['client'],
    failure: unknown
  ): void {
    if (served) this.#parts.onServed(caller, exchange)
    else if (failure instanceof Intercepted) {
      if (failure.isOfCredential) this.#parts.onDenied(caller, exchange, true)
    } else if (status === 401) this.#parts.onDenied(caller, exchange, false)
  }

  /**
   * The operator's, but for how much of a record the request wants to see. Where tools are denied no request has more of
   * the record shown that a write comes back with: there it would do for the tool that shows it.
   */
  #policyFor(tool: Tool, { output }: Exchange): ResultPolicy {
    const { catalog, policy } = this.#parts
    const isHeld = output === 'full' && tool.class !== 'read' && catalog.policy.deniesTools
    return isHeld || output === undefined || output === policy.output ? policy : { ...policy, output }
  }

  /** Finds the tool, and begins the call's span under its name. @throws ProtocolError where there is none */
  #find(name: string, through: string, view: View, call: WatchedCall) {
    try {
      const found = findTool(this.#parts.catalog, name, view, through)
      call.begin(found.tool)
      return found
    } catch (error) {
      call.begin(undefined)
      throw refused(call, error)
    }
  }

  /** @throws Refusal where its caller has changed too much lately */
  #count(call: WatchedCall): void {
    try {
      this.#parts.onWrite(call.caller, call.exchange)
    } catch (error) {
      call.end('rate_limit')
      throw error
    }
  }

  /** @throws Refusal where the pool has no room, as a rejection too */
  #lease(call: WatchedCall): ForgeLease | Promise<ForgeLease> {
    const fail = (error: unknown): never => {
      throw refused(call, error)
    }
    try {
      const lease = this.#parts.forges.lease(call.exchange.session, call)
      return lease instanceof Promise ? lease.catch(fail) : lease
    } catch (error) {
      return fail(error)
    }
  }
}

/** Ends a call of which nothing was sent. @returns the error for its caller */
function refused(call: WatchedCall, error: unknown): unknown {
  const isUnknown = error instanceof UnknownToolError
  const isFull = error instanceof PoolCapacityError
  call.end(isUnknown ? 'rpc_error' : isFull ? 'capacity' : 'fault')
  if (isUnknown) return new ProtocolError(code.invalidParams, error.message)
  return isFull ? overCapacity(error.message) : error
}
