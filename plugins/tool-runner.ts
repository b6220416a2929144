import fp from 'fastify-plugin'
import type { DestinationStream } from 'pino'
import { KnownFacts } from '../src/engine/known.ts'
import { PatternMatcher } from '../src/engine/patterns.ts'
import { infoWriter } from '../src/log.ts'
import { ToolCalls } from '../src/tool-calls.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly toolCalls: ToolCalls
  }
}

interface ToolRunnerOptions {
  /** Where the log goes. */
  readonly lines: DestinationStream
}

/** Decorates the one way to run a tool. */
export default fp<ToolRunnerOptions>(
  async (fastify, { lines }) => {
    const { catalog, config, downloads, forges, metrics, resources, sessions, tracing } = fastify
    const write = infoWriter(config, lines)
    // Anybody can run a forge that answers any token. Those that the operator lists are not of that kind.
    const areOperators = config.FORGE_ALLOWED_HOSTS !== ''
    const patterns = new PatternMatcher()
    fastify.addHook('onClose', () => patterns.close())
    const toolCalls = new ToolCalls({
      catalog,
      forges,
      known: new KnownFacts(),
      patterns,
      policy: { output: config.FORGE_OUTPUT, maxChars: config.FORGE_MAX_RESULT_CHARS },
      downloads,
      resources,
      home: config.FORGE_API_URL,
      metrics,
      tracing,
      onLine: line => write(line, 'tool call'),
      onServed(key, caller, apiUrl) {
        if (apiUrl === undefined || areOperators) sessions.vouch(key, caller)
      }
    })
    fastify.decorate('toolCalls', toolCalls)
  },
  {
    fastify: '5.x',
    name: 'tool-runner',
    dependencies: [
      'env',
      'downloads',
      'metrics',
      'tracing',
      'resource-registry',
      'sessions',
      'upstream',
      'tool-registry'
    ]
  }
)
