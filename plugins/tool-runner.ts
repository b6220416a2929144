import fp from 'fastify-plugin'
import { type AuditLine, type CallOutcome, outcomeOf, principalMemo, projectOf } from '../src/audit.ts'
import type { CancelSignal } from '../src/cancellation.ts'
import type { View } from '../src/catalog/catalog.ts'
import { createDiscovery } from '../src/catalog/discovery.ts'
import { DownloadFolder } from '../src/catalog/downloads.ts'
import { PatternMatcher } from '../src/catalog/patterns.ts'
import { findTool, runTool, UnknownToolError } from '../src/catalog/run.ts'
import { CancelledError } from '../src/protocol/in-flight.ts'
import { code, ProtocolError } from '../src/protocol/jsonrpc.ts'
import { overCapacity } from '../src/protocol/refusal.ts'
import { activate, type ToolCaller, viewOf } from '../src/protocol/service.ts'
import { pooledRandom } from '../src/seal/random.ts'
import type { Session } from '../src/session/store.ts'
import { type Trace, traceparent } from '../src/trace.ts'
import type { ForgeLease } from '../src/upstream/forges.ts'
import { PoolCapacityError } from '../src/upstream/pool.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly callTool: ToolCaller
  }
}

/** Decorates the one way to run a tool: policy, the caller's forge client, the audit line. */
export default fp(
  async fastify => {
    const { metrics } = fastify
    const principalOf = principalMemo()
    const random = pooledRandom()
    const patterns = new PatternMatcher()
    fastify.addHook('onClose', () => patterns.close())
    const { FORGE_DOWNLOAD_DIR, FORGE_API_URL } = fastify.config
    const policy = { output: fastify.config.FORGE_OUTPUT, maxChars: fastify.config.FORGE_MAX_RESULT_CHARS }

    const lease = (session: Session, caller: string, signal?: CancelSignal, trace?: Trace): ForgeLease => {
      try {
        return fastify.forges.lease(session, signal, trace && traceparent(trace, random), caller)
      } catch (error) {
        throw error instanceof PoolCapacityError ? overCapacity(error.message) : error
      }
    }

    const find = (name: string, view: View) => {
      try {
        return findTool(fastify.catalog, name, view)
      } catch (error) {
        if (!(error instanceof UnknownToolError)) throw error
        // Not the name itself, of which a caller may make as many as it likes.
        metrics.operations.observe(0, 'tools/call', 'other', 'rpc_error')
        throw new ProtocolError(code.invalidParams, error.message)
      }
    }

    const callTool: ToolCaller = async (name, args, exchange) => {
      const view = viewOf(exchange)
      const { tool, refusal } = find(name, view)
      const started = performance.now()
      const caller = principalOf(exchange.session.credential)
      const audit = (outcome: CallOutcome, upstream?: string): AuditLine => {
        const ms = performance.now() - started
        metrics.operations.observe(ms / 1000, 'tools/call', tool.name, outcome)
        return {
          requestId: exchange.requestId,
          ...(exchange.trace !== undefined && { traceId: exchange.trace.id }),
          principal: caller,
          tool: tool.name,
          class: tool.class,
          project: projectOf(args),
          upstream,
          outcome,
          ms: Math.round(ms)
        }
      }
      if (refusal !== undefined) {
        fastify.log.info(audit('refused'), 'tool call')
        return refusal
      }
      // A write that has left is let finish: aborting it would not undo it, only hide its outcome.
      const signal = tool.class === 'read' ? exchange.signal : undefined
      const discovery = createDiscovery(fastify.catalog, view, id => activate(exchange, id))
      const { client: forge, host, release } = lease(exchange.session, caller, signal, exchange.trace)
      const owner = `${caller}\n${exchange.session.apiUrl ?? FORGE_API_URL}`
      const downloads = new DownloadFolder(FORGE_DOWNLOAD_DIR, owner)
      const context = { forge, patterns, downloads, discovery, signal, caller, maxChars: policy.maxChars }
      const { result, outcome, error } = await runTool(tool, args, context, policy).finally(release)
      if (forge.served && exchange.sessionKey !== undefined) fastify.sessions.vouch(exchange.sessionKey)
      const line = audit(outcomeOf(outcome, error, signal?.aborted === true), host)
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
