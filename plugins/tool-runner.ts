import fp from 'fastify-plugin'
import { type AuditLine, type CallOutcome, outcomeOf, principalMemo, projectOf } from '../src/audit.ts'
import type { CancelSignal } from '../src/cancellation.ts'
import type { View } from '../src/catalog/catalog.ts'
import { createDiscovery } from '../src/catalog/discovery.ts'
import { DownloadFolder } from '../src/catalog/downloads.ts'
import { PatternMatcher } from '../src/catalog/patterns.ts'
import { findTool, type Run, runTool, UnknownToolError } from '../src/catalog/run.ts'
import type { Tool } from '../src/catalog/tool.ts'
import { CancelledError } from '../src/protocol/in-flight.ts'
import { code, ProtocolError } from '../src/protocol/jsonrpc.ts'
import { overCapacity } from '../src/protocol/refusal.ts'
import { activate, type Exchange, type ToolCaller, viewOf } from '../src/protocol/service.ts'
import { knownVersion } from '../src/protocol/versions.ts'
import type { CallSpan } from '../src/tracing/spans.ts'
import type { CallScope } from '../src/upstream/forge.ts'
import type { ForgeLease } from '../src/upstream/forges.ts'
import { PoolCapacityError } from '../src/upstream/pool.ts'

/** Stands for a name that is no tool's in lines and labels: a caller may make up as many as it likes. */
const NO_TOOL = 'other'

declare module 'fastify' {
  interface FastifyInstance {
    readonly callTool: ToolCaller
  }
}

/** One call, from its arrival to its line. */
interface Call extends CallScope {
  readonly args: unknown
  readonly caller: string
  readonly exchange: Exchange
  readonly started: number
  /** Once it is found. */
  tool: Tool | undefined
  signal: CancelSignal | undefined
  span: CallSpan | undefined
}

/** Decorates the one way to run a tool: policy, the caller's forge client, the audit line, the span. */
export default fp(
  async fastify => {
    const { metrics, tracing } = fastify
    const principalOf = principalMemo()
    const patterns = new PatternMatcher()
    fastify.addHook('onClose', () => patterns.close())
    const { FORGE_DOWNLOAD_DIR, FORGE_API_URL } = fastify.config
    const policy = { output: fastify.config.FORGE_OUTPUT, maxChars: fastify.config.FORGE_MAX_RESULT_CHARS }

    /** Counts a call that is over, ends its span, and gives its line. */
    const audit = (call: Call, outcome: CallOutcome, upstream?: string): AuditLine => {
      const { args, caller, exchange, span, started, tool, trace } = call
      const ms = performance.now() - started
      const name = tool?.name ?? NO_TOOL
      metrics.operations.observe(ms / 1000, 'tools/call', name, outcome)
      span?.end(outcome)
      const traceId = span?.traceId ?? trace?.id
      return {
        requestId: exchange.requestId,
        ...(traceId !== undefined && { traceId }),
        principal: caller,
        tool: name,
        class: tool?.class,
        project: projectOf(args),
        upstream,
        outcome,
        ms: Math.round(ms)
      }
    }

    /** Audits a call that ended before anything was sent. @returns the error for its caller */
    const refused = (call: Call, error: unknown): unknown => {
      const isUnknown = error instanceof UnknownToolError
      const isFull = error instanceof PoolCapacityError
      fastify.log.info(audit(call, isUnknown ? 'rpc_error' : isFull ? 'capacity' : 'fault'), 'tool call')
      if (isUnknown) return new ProtocolError(code.invalidParams, error.message)
      return isFull ? overCapacity(error.message) : error
    }

    const begin = ({ exchange, tool, trace }: Call): CallSpan | undefined =>
      tracing?.call({
        tool: tool?.name ?? NO_TOOL,
        version: knownVersion(exchange.headers.version ?? exchange.session.version),
        parent: trace,
        carrier: trace === exchange.trace ? undefined : exchange.trace
      })

    const find = (name: string, view: View, call: Call) => {
      try {
        const found = findTool(fastify.catalog, name, view)
        call.tool = found.tool
        call.span = begin(call)
        return found
      } catch (error) {
        call.span = begin(call)
        throw refused(call, error)
      }
    }

    const lease = (call: Call): ForgeLease => {
      try {
        return fastify.forges.lease(call.exchange.session, call)
      } catch (error) {
        throw refused(call, error)
      }
    }

    const callTool: ToolCaller = async (name, args, exchange, trace) => {
      const view = viewOf(exchange)
      const call: Call = {
        args,
        caller: principalOf(exchange.session.credential),
        exchange,
        trace,
        started: performance.now(),
        tool: undefined,
        signal: undefined,
        span: undefined
      }
      const { tool, refusal } = find(name, view, call)
      if (refusal !== undefined) {
        fastify.log.info(audit(call, 'refused'), 'tool call')
        return refusal
      }
      // A write that has left is let finish: aborting it would not undo it, only hide its outcome.
      if (tool.class === 'read') call.signal = exchange.signal
      const { caller, signal } = call
      const discovery = createDiscovery(fastify.catalog, view, id => activate(exchange, id))
      const { client: forge, host, release } = lease(call)
      const owner = `${caller}\n${exchange.session.apiUrl ?? FORGE_API_URL}`
      const downloads = new DownloadFolder(FORGE_DOWNLOAD_DIR, owner)
      const context = { forge, patterns, downloads, discovery, signal, caller, maxChars: policy.maxChars }
      let run: Run
      try {
        run = await runTool(tool, args, context, policy)
      } finally {
        release()
      }
      if (forge.served && exchange.sessionKey !== undefined) fastify.sessions.vouch(exchange.sessionKey)
      fastify.log.info(
        audit(call, outcomeOf(run.outcome, run.error, signal?.aborted === true), host),
        'tool call'
      )
      if (run.outcome === 'fault') throw run.error
      if (signal?.aborted) throw new CancelledError()
      return run.result
    }
    fastify.decorate('callTool', callTool)
  },
  {
    fastify: '5.x',
    name: 'tool-runner',
    dependencies: ['env', 'metrics', 'tracing', 'sessions', 'upstream', 'tool-registry']
  }
)
