import fp from 'fastify-plugin'
import { PatternMatcher } from '../src/catalog/patterns.ts'
import type { ToolCaller } from '../src/protocol/service.ts'
import { ToolCalls } from '../src/tool-calls.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly callTool: ToolCaller
  }
}

/** Decorates the one way to run a tool. */
export default fp(
  async fastify => {
    const { catalog, config, forges, log, metrics, sessions, tracing } = fastify
    const patterns = new PatternMatcher()
    fastify.addHook('onClose', () => patterns.close())
    const calls = new ToolCalls({
      catalog,
      forges,
      patterns,
      policy: { output: config.FORGE_OUTPUT, maxChars: config.FORGE_MAX_RESULT_CHARS },
      downloadDir: config.FORGE_DOWNLOAD_DIR,
      home: config.FORGE_API_URL,
      metrics,
      tracing,
      onLine: line => log.info(line, 'tool call'),
      onServed: key => sessions.vouch(key)
    })
    fastify.decorate('callTool', (name, args, exchange, trace) => calls.run(name, args, exchange, trace))
  },
  {
    fastify: '5.x',
    name: 'tool-runner',
    dependencies: ['env', 'metrics', 'tracing', 'sessions', 'upstream', 'tool-registry']
  }
)
