import { CancelledError } from '../base/cancellation.ts'
import { targetOf } from '../catalog/policy/surface.ts'
import type { View } from '../catalog/policy/view.ts'
import { howListed } from '../catalog/unlisted.ts'
import { InOrder } from '../collections/in-order.ts'
import type { Tool } from '../engine/tool.ts'
import { type CallMeta, type Exchange, viewOf } from '../protocol/exchange/exchange.ts'
import { code, ProtocolError } from '../protocol/messages/jsonrpc.ts'
import { overCapacity } from '../protocol/messages/limit-refusals.ts'
import { problemResult, type ResultPolicy, type ToolResult, writeResult } from '../results/result.ts'
import { Intercepted, OddAnswer } from '../upstream/errors.ts'
import type { ForgeLease, Forges } from '../upstream/forges.ts'
import { troubleIn } from '../upstream/guard/trouble.ts'
import { PoolCapacityError } from '../upstream/pool/pool.ts'
import { failureIn, outcomeOf, reasonOf, statusOf } from './audit.ts'
import { CallContext, type ContextParts } from './call-context.ts'
import { findTool, UnknownToolError } from './find-tool.ts'
import { type Run, runTool, type Writer } from './run.ts'
import { CALL, WatchedCall, type WatchParts } from './watched-call.ts'

/** The parts of the service that a call needs. */
export interface ToolCallParts extends ContextParts, WatchParts {
  readonly forges: Pick<Forges, 'lease'>
  /** Called when a forge has served a call, which proves its credential for that forge. */
  readonly onServed: (caller: string, exchange: Exchange) => void
  /**
   * Called when a forge itself has answered a call with 403. A forge sends 403 for a token that it knows, and 401 for
   * others.
   */
  readonly onForbidden: (caller: string, exchange: Exchange) => void
  /**
   * Called when a forge did not accept a credential.
   * @param byPage whether a proxy in front of the forge refused it
   */
  readonly onDenied: (exchange: Exchange, byPage: boolean) => void
  /** Called with an answer that a tool could not read, and the resulting error. */
  readonly onOddAnswer: (tool: string, host: string, cause: unknown) => void
  /**
   * Called before each call that may change something.
   * @throws Refusal if the caller has made too many changes
   */
  readonly onWrite: (caller: string, exchange: Exchange) => void
}

/** The purpose of running a tool: an MCP method, and how the output is written for it. */
interface Use<Written> extends Writer<Written> {
  readonly method: string
}

const forCall: Use<ToolResult> = { method: CALL, write: writeResult, of: result => result }

/** The written output, or the reason for the caller why there is none. */
type Used<Written> =
  | { readonly result: Written; readonly problem?: undefined }
  | {
      readonly problem: string
      /** The error of the forge or in the arguments; undefined if policy refuses the tool. */
      readonly error?: unknown
    }

/** Runs tools, always with policy, the caller's forge client, the audit line and the span. */
export class ToolCalls {
  readonly #parts: ToolCallParts
  /** Calls for which a forge may be working. */
  readonly #underWay = new InOrder<WatchedCall>()

  constructor(parts: ToolCallParts) {
    this.#parts = parts
  }

  /** Writes the audit line of each running call when the process ends: a write may still be carried out. */
  cut(): void {
    for (let call = this.#underWay.first; call !== undefined; call = call.next) call.end('cut')
  }

  /**
   * Runs a tool, as a ToolCaller.
   * @throws as a ToolCaller does, and errors of this service
   */
  run(name: string, args: unknown, exchange: Exchange, meta: CallMeta): Promise<ToolResult> {
    return this.use(name, args, exchange, meta, forCall).then(used =>
      used.problem === undefined ? used.result : problemResult(used.problem, used.error)
    )
  }

  /**
   * Runs a tool for something other than tools/call, under the same policy and limits.
   * @throws as `run`
   */
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
    if (tool.class !== 'read') this.#count(call)
    // A write that was sent is not aborted: that would not undo the write, but only hide its outcome.
    if (tool.class === 'read') call.signal = exchange.signal
    else call.gone = exchange.signal
    const leased = this.#lease(call)
    const lease = leased instanceof Promise ? await leased : leased
    const { client: forge, host, release } = lease
    const context = new CallContext(this.#parts, {
      forge,
      caller: call.caller,
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
      run = await runTool(tool, target.args, context, this.#policyFor(tool, exchange), use, text =>
        use.method === CALL && target.name === name
          ? howListed(text, name, this.#parts.catalog, view)
          : undefined
      )
    } finally {
      this.#underWay.remove(call)
      release()
    }
    return this.#ended(run, tool, call, lease)
  }

  /**
   * Ends a call that has run.
   * @throws the error of a fault, and CancelledError once the caller of a read has gone
   */
  #ended<Written>(
    run: Run<Written>,
    tool: Tool,
    call: WatchedCall,
    { client: forge, host }: ForgeLease
  ): Used<Written> {
    const failure = failureIn(run.error)
    this.#tellOfCredential(call, forge, failure)
    if (run.error instanceof OddAnswer) this.#parts.onOddAnswer(tool.name, host, run.error.cause)
    call.status = statusOf(failure, forge.status)
    call.trouble = troubleIn(failure)
    call.reason = reasonOf(failure)
    call.end(outcomeOf(run.outcome, failure, call.signal?.aborted === true))
    if (run.outcome === 'fault') throw run.error
    if (call.signal?.aborted) throw new CancelledError()
    // The token may be valid for another forge, which its caller meant.
    if (run.outcome === 'tool_error' && forge.status === 401)
      return { ...run, problem: [run.problem, ...call.exchange.warnings].join(' ') }
    return run
  }

  #tellOfCredential(
    { caller, exchange }: WatchedCall,
    { served, status }: ForgeLease['client'],
    failure: unknown
  ): void {
    if (served) this.#parts.onServed(caller, exchange)
    else if (failure instanceof Intercepted) {
      if (failure.isOfCredential) this.#parts.onDenied(exchange, true)
    } else if (status === 401) this.#parts.onDenied(exchange, false)
    else if (status === 403) this.#parts.onForbidden(caller, exchange)
  }

  /**
   * The operator's policy, with the level of detail that the request wants. If tools are denied, a write always returns
   * its record in the compact form: with more detail, the write would replace a denied tool that shows the record.
   */
  #policyFor(tool: Tool, { output: wanted }: Exchange): ResultPolicy {
    const { catalog, policy } = this.#parts
    const { deniesTools, referencesOnly } = catalog.policy
    const isHeld = tool.class !== 'read' && deniesTools
    const output = isHeld ? 'compact' : (wanted ?? policy.output)
    return output === policy.output && referencesOnly === undefined
      ? policy
      : { ...policy, output, referencesOnly }
  }

  /**
   * Finds the tool, and begins the call's span under its name.
   * @throws ProtocolError if there is no such tool
   */
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

  /**
   * Counts a write.
   * @throws Refusal if its caller has made too many changes recently
   */
  #count(call: WatchedCall): void {
    try {
      this.#parts.onWrite(call.caller, call.exchange)
    } catch (error) {
      call.end('rate_limit')
      throw error
    }
  }

  /**
   * @throws Refusal if the pool has no room, thrown or as a rejection; CancelledError once the caller has gone, as a
   * rejection
   */
  #lease(call: WatchedCall): ForgeLease | Promise<ForgeLease> {
    const fail = (error: unknown): never => {
      throw refused(call, error)
    }
    try {
      const lease = this.#parts.forges.lease(call.exchange.session, call, call.exchange.signal)
      return lease instanceof Promise ? lease.catch(fail) : lease
    } catch (error) {
      return fail(error)
    }
  }
}

/**
 * Ends a call for which nothing was sent.
 * @returns the error for its caller
 */
function refused(call: WatchedCall, error: unknown): unknown {
  const isUnknown = error instanceof UnknownToolError
  const isFull = error instanceof PoolCapacityError
  const isGone = error instanceof CancelledError
  call.end(isUnknown ? 'rpc_error' : isFull ? 'capacity' : isGone ? 'cancelled' : 'fault')
  if (isUnknown) return new ProtocolError(code.invalidParams, error.message)
  return isFull ? overCapacity(error.message) : error
}
