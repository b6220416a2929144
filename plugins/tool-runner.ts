import fp from 'fastify-plugin'
import { createDiscovery } from '../src/catalog/discovery.ts'
import { DownloadFolder } from '../src/catalog/downloads.ts'
import { PatternMatcher } from '../src/catalog/patterns.ts'
import { findTool, runTool } from '../src/catalog/run.ts'
import { activate, type ToolCaller, viewOf } from '../src/protocol/service.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly callTool: ToolCaller
  }
}

/** Decorates the one way to run a tool: policy, the caller's forge client, the audit line. */
export default fp(
  async fastify => {
    const patterns = new PatternMatcher()
    fastify.addHook('onClose', () => patterns.close())
    const downloads = new DownloadFolder(fastify.config.FORGE_DOWNLOAD_DIR)
    const policy = { output: fastify.config.FORGE_OUTPUT, maxChars: fastify.config.FORGE_MAX_RESULT_CHARS }

    const callTool: ToolCaller = async (name, args, exchange) => {
      const { tool, refusal } = findTool(fastify.catalog, name, viewOf(exchange))
      if (refusal !== undefined) return refusal
      const started = performance.now()
      // A write that has left is let finish: aborting it would not undo it, only hide its outcome.
      const signal = tool.class === 'read' ? exchange.signal : undefined
      const forge = fastify.forgeFor(exchange.session.credential, signal)
      const discovery = createDiscovery(fastify.catalog, viewOf(exchange), id => activate(exchange, id))
      const context = { forge, patterns, downloads, discovery, signal, maxChars: policy.maxChars }
      const { result, outcome, error } = await runTool(tool, args, context, policy)
      const audit = {
        requestId: exchange.requestId,
        tool: tool.name,
        class: tool.class,
        outcome,
        ms: Math.round(performance.now() - started)
      }
      if (outcome === 'fault') {
        fastify.log.error({ ...audit, err: error }, 'tool call failed')
        throw error
      }
      fastify.log.info(audit, 'tool call')
      return result
    }
    fastify.decorate('callTool', callTool)
  },
  { fastify: '5.x', name: 'tool-runner', dependencies: ['env', 'upstream', 'tool-registry'] }
)
