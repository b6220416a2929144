import fp from 'fastify-plugin'
import { type AuditLine, type CallOutcome, outcomeOf, principalMemo, projectOf } from '../src/audit.ts'
import type { CancelSignal } from '../src/cancellation.ts'
import type { View } from '../src/catalog/catalog.ts'
import { createDiscovery } from '../src/catalog/discovery.ts'
import { DownloadFolder } from '../src/catalog/downloads.ts'
import { PatternMatcher } from '../src/catalog/patterns.ts'
import { findTool, runTool, UnknownToolError } from '../src/catalog/run.ts'
import type { Tool } from '../src/catalog/tool.ts'
import { CancelledError } from '../src/protocol/in-flight.ts'
import { code, ProtocolError } from '../src/protocol/jsonrpc.ts'
import { overCapacity } from '../src/protocol/refusal.ts'
import { activate, type Exchange, type ToolCaller, viewOf } from '../src/protocol/service.ts'
import type { Trace } from '../src/tracing/context.ts'
import type { ForgeLease } from '../src/upstream/forges.ts'
import { PoolCapacityError } from '../src/upstream/pool.ts'

/** Stands for a name that is no tool's in lines and labels: a caller may make up as many as it likes. */
const NO_TOOL = 'other'

declare module 'fastify' {
  interface FastifyInstance {
    readonly callTool: ToolCaller
  }
}

/** A call, as far as its line tells of it. */
interface Call {
  readonly args: unknown
  /** The digest of the token. */
  readonly caller: string
  readonly exchange: Exchange
  readonly trace: Trace | undefined
  readonly started: number
  /** Once it is found. */
  tool: Tool | undefined
}

/** Decorates the one way to run a tool: policy, the caller's forge client, the audit line. */
export default fp(
  async fastify => {
    const { metrics } = fastify
    const principalOf = principalMemo()
    const patterns = new PatternMatcher()
    fastify.addHook('onClose', () => patterns.close())
    const { FORGE_DOWNLOAD_DIR, FORGE_API_URL } = fastify.config
    const policy = { output: fastify.config.FORGE_OUTPUT, maxChars: fastify.config.FORGE_MAX_RESULT_CHARS }

    /** Counts a call that is over, and gives its line. */
    const audit = (call: Call, outcome: CallOutcome, upstream?: string): AuditLine => {
      const { args, caller, exchange, started, tool, trace } = call
      const ms = performance.now() - started
      const name = tool?.name ?? NO_TOOL
      metrics.operations.observe(ms / 1000, 'tools/call', name, outcome)
      return {
        requestId: exchange.requestId,
        ...(trace !== undefined && { traceId: trace.id }),
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
      fastify.log.info(audit(call, isUnknown ? 'rpc_error' : isFull ? 'refused' : 'fault'), 'tool call')
      if (isUnknown) return new ProtocolError(code.invalidParams, error.message)
      return isFull ? overCapacity(error.message) : error
    }

    const find = (name: string, view: View, call: Call) => {
      try {
        return findTool(fastify.catalog, name, view)
      } catch (error) {
        throw refused(call, error)
      }
    }

    const lease = (call: Call, signal?: CancelSignal): ForgeLease => {
      try {
        return fastify.forges.lease(call.exchange.session, signal, call.trace, call.caller)
      } catch (error) {
        throw refused(call, error)
      }
    }

    const callTool: ToolCaller = async (name, args, exchange, trace) => {
      const view = viewOf(exchange)
      const started = performance.now()
      const caller = principalOf(exchange.session.credential)
      const call: Call = { args, caller, exchange, trace, started, tool: undefined }
      const { tool, refusal } = find(name, view, call)
      call.tool = tool
      if (refusal !== undefined) {
        fastify.log.info(audit(call, 'refused'), 'tool call')
        return refusal
      }
      // A write that has left is let finish: aborting it would not undo it, only hide its outcome.
      const signal = tool.class === 'read' ? exchange.signal : undefined
      const discovery = createDiscovery(fastify.catalog, view, id => activate(exchange, id))
      const { client: forge, host, release } = lease(call, signal)
      const owner = `${caller}\n${exchange.session.apiUrl ?? FORGE_API_URL}`
      const downloads = new DownloadFolder(FORGE_DOWNLOAD_DIR, owner)
      const context = { forge, patterns, downloads, discovery, signal, caller, maxChars: policy.maxChars }
      const { result, outcome, error } = await runTool(tool, args, context, policy).finally(release)
      if (forge.served && exchange.sessionKey !== undefined) fastify.sessions.vouch(exchange.sessionKey)
      const line = audit(call, outcomeOf(outcome, error, signal?.aborted === true), host)
      if (outcome === 'fault') {
        fastify.log.error({ ...line, err: error }, 'tool call failed')
        throw error
      }
      fastify.log.info(line, 'tool call')
      if (signal?.aborted) throw new CancelledError()
      return result
    }
    fastify.decorate('callTool', callTool)
  },
  {
    fastify: '5.x',
    name: 'tool-runner',
    dependencies: ['env', 'metrics', 'sessions', 'upstream', 'tool-registry']
  }
)
