import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { DestinationStream } from 'pino'
import { CredentialOutcomes, lineOfCall } from '../../src/calls/credential-outcomes.ts'
import { type ToolCallParts, ToolCalls } from '../../src/calls/tool-calls.ts'
import { KnownFacts } from '../../src/engine/facts/known.ts'
import { PatternMatcher } from '../../src/engine/patterns.ts'
import { RequestBudget } from '../../src/fairness/request-budget.ts'
import { infoWriter } from '../../src/log/log.ts'
import { troubleSampling } from '../../src/log/sampled-lines.ts'
import { type Rate, rateLimited } from '../../src/protocol/messages/limit-refusals.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly toolCalls: ToolCalls
  }
}

interface ToolRunnerOptions {
  /** The stream that log lines are written to. */
  readonly lines: DestinationStream
}

const WINDOW_MS = 60_000

/**
 * Most callers whose writes are counted at once. Beyond that, the oldest caller of the address with the most is
 * forgotten.
 */
const MAX_CALLERS = 20_000

/** Decorates the only way to run a tool. */
export default fp<ToolRunnerOptions>(
  async (fastify, { lines }) => {
    const { catalog, config, downloads, forges, metrics, network, resources, tracing, triedTokens } = fastify
    const ofStrangers = fastify.sampledLog('info', {
      kind: 'outcome',
      more: 'more tool calls with tokens that no forge has taken, and of which nothing was sent'
    })
    const outcomes = outcomesOf(fastify)
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
      home: network.home,
      metrics,
      tracing,
      onLine: lineOfCall(triedTokens, infoWriter(fastify.log, 'tool call', lines), line =>
        ofStrangers.add(line.outcome, 'tool call', () => line)
      ),
      userOf: session => outcomes.userOf(session),
      onServed: (...call) => outcomes.onServed(...call),
      onForbidden: (...call) => outcomes.onForbidden(...call),
      onDenied: (...call) => outcomes.onDenied(...call),
      onOddAnswer: oddAnswerLog(fastify),
      onWrite: writeLimit(fastify)
    })
    fastify.decorate('toolCalls', toolCalls)
  },
  {
    fastify: '5.x',
    name: 'features/tool-runner',
    dependencies: [
      'operations/env',
      'operations/sampled-log',
      'sessions/caller-names',
      'features/downloads',
      'sessions/tried-tokens',
      'operations/metrics',
      'forges/network',
      'oauth/mode',
      'operations/tracing',
      'features/resource-registry',
      'sessions/store',
      'forges/upstream',
      'features/tool-registry'
    ]
  }
)

/** Applies what calls say of their credentials. */
function outcomesOf(fastify: FastifyInstance): CredentialOutcomes {
  const { callerNames, config, triedTokens, forges, metrics, network, oauth, sessions } = fastify
  return new CredentialOutcomes({
    home: network.home,
    areOperators: config.FORGE_ALLOWED_HOSTS !== '',
    forges,
    sessions,
    names: callerNames,
    tried: triedTokens,
    onNamed: named => fastify.log.info(named, 'caller named'),
    onRefused(credential) {
      metrics.refused('rejected')
      // A client that is logged in asks for another token, or asks the person, only when its request itself is
      // refused.
      oauth?.credentials.forget(credential)
    }
  })
}

/** Logs answers that tools could not read. */
function oddAnswerLog({ network, sampledLog }: FastifyInstance): ToolCallParts['onOddAnswer'] {
  // Odd answers from the forges of callers must not use up the log lines for the operator's forge.
  const homeHost = new URL(network.home).host
  const oddAnswers = sampledLog(
    'warn',
    { kind: 'of', more: 'more answers that tools could not read' },
    troubleSampling
  )
  return (tool, host, err) =>
    oddAnswers.add(
      host === homeHost ? 'FORGE_API_URL' : 'callers’ forges',
      'a tool could not read what a forge answered',
      () => ({ tool, host, err })
    )
}

/** Limits the writes of each caller in stateless mode (MAX_CALLER_WRITES_PER_MINUTE). */
function writeLimit({ config, sessions }: FastifyInstance): ToolCallParts['onWrite'] {
  const rate: Rate = {
    holder: 'a caller',
    of: 'calls that change things',
    reason: 'write_limit',
    variable: 'MAX_CALLER_WRITES_PER_MINUTE',
    limit: config.MAX_CALLER_WRITES_PER_MINUTE
  }
  const writes =
    sessions.stateless && rate.limit > 0 ? new RequestBudget(rate.limit, WINDOW_MS, MAX_CALLERS) : undefined
  return (caller, { holder }) => {
    const short = writes?.take(caller, 1, holder)
    if (short !== undefined) throw rateLimited(rate, short.remaining, short.resetSeconds)
  }
}
