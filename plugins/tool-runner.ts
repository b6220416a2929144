import fp from 'fastify-plugin'
import type { DestinationStream } from 'pino'
import type { AuditLine } from '../src/calls/audit.ts'
import { askUser } from '../src/calls/caller-names.ts'
import { ToolCalls } from '../src/calls/tool-calls.ts'
import { holderOf } from '../src/edge/address.ts'
import { KnownFacts } from '../src/engine/known.ts'
import { PatternMatcher } from '../src/engine/patterns.ts'
import { infoWriter } from '../src/log/log.ts'
import { troubleSampling } from '../src/log/sampled-lines.ts'
import { type Rate, rateLimited } from '../src/protocol/refusal.ts'
import { principalAt } from '../src/session/credential.ts'
import { RequestBudget } from '../src/session/request-budget.ts'
import type { Session } from '../src/session/store.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly toolCalls: ToolCalls
  }
}

interface ToolRunnerOptions {
  /** Where the log goes. */
  readonly lines: DestinationStream
}

const WINDOW_MS = 60_000

/** Whose writes are counted at once; with more, the oldest of the address that has most is forgotten. */
const MAX_CALLERS = 20_000

/** Decorates the one way to run a tool. */
export default fp<ToolRunnerOptions>(
  async (fastify, { lines }) => {
    const { callerNames, catalog, config, downloads, failedCredentials, forges, metrics } = fastify
    const { oauth, resources, sessions, tracing } = fastify
    const write = infoWriter(fastify.log, 'tool call', lines)
    const ofStrangers = fastify.sampledLog('info', {
      kind: 'outcome',
      more: 'more tool calls with tokens that no forge has taken, and of which nothing was sent'
    })
    // Anybody can make up tokens, and make calls with them that never reach a forge: these must not displace the lines
    // of others.
    const onLine = (line: AuditLine, sent: boolean, session: Session): void => {
      if (sent || failedCredentials === undefined || failedCredentials.knows(principalAt(session)))
        write(line)
      else ofStrangers.add(line.outcome, 'tool call', () => line)
    }
    // Anybody can run a forge that answers any token. Those that the operator lists are not of that kind.
    const areOperators = config.FORGE_ALLOWED_HOSTS !== ''
    const speaks = ({ apiUrl }: Session) => apiUrl === undefined || areOperators
    const writeRate: Rate = {
      holder: 'a caller',
      of: 'calls that change things',
      reason: 'write_limit',
      limit: config.MAX_CALLER_WRITES_PER_MINUTE
    }
    const writes =
      sessions.stateless && writeRate.limit > 0
        ? new RequestBudget(writeRate.limit, WINDOW_MS, MAX_CALLERS)
        : undefined
    const patterns = new PatternMatcher()
    // What the forges of callers answer is not to use up the lines of the operator's.
    const home = new URL(config.FORGE_API_URL).host
    const oddAnswers = fastify.sampledLog(
      'warn',
      { kind: 'of', more: 'more answers that tools could not read' },
      troubleSampling
    )
    fastify.addHook('onClose', () => patterns.close())
    const learnName = (caller: string, from: string | undefined, session: Session): void =>
      callerNames?.learn(
        principalAt(session),
        () => askUser(forges, session, { caller, from }),
        user => {
          const upstream = new URL(session.apiUrl ?? config.FORGE_API_URL).host
          fastify.log.info({ principal: caller, user, upstream }, 'caller named')
        }
      )
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
      onLine,
      userOf: session => callerNames?.nameOf(principalAt(session)),
      onServed(caller, { from, session, storedAs }) {
        const proves = speaks(session)
        if (storedAs !== undefined) sessions.vouch(storedAs, caller, proves)
        if (!proves) return
        failedCredentials?.taken(principalAt(session))
        learnName(caller, from, session)
      },
      // It proves too little to vouch for a token: a forge may also answer so to an address.
      onForbidden(caller, { from, session }) {
        if (speaks(session)) learnName(caller, from, session)
      },
      // Of any forge: the operator's has more spellings than one, and whose tokens others refuse is no better.
      onDenied({ from, session }, byPage) {
        // Also of a token that was taken before: most of those that are refused have ended or were revoked.
        if (!byPage) {
          metrics.refused('rejected')
          // Logged in, a client asks for another token, or for a person, only where its request itself is refused.
          oauth?.credentials.forget(session.credential)
        }
        if (from !== undefined) failedCredentials?.failed(principalAt(session), from, byPage)
      },
      onOddAnswer: (tool, host, err) =>
        oddAnswers.add(
          host === home ? 'FORGE_API_URL' : 'callers’ forges',
          'a tool could not read what a forge answered',
          () => ({ tool, host, err })
        ),
      onWrite(caller, { from }) {
        const short = writes?.take(caller, 1, holderOf(from))
        if (short !== undefined) throw rateLimited(writeRate, short.remaining, short.resetSeconds)
      }
    })
    fastify.decorate('toolCalls', toolCalls)
  },
  {
    fastify: '5.x',
    name: 'tool-runner',
    dependencies: [
      'env',
      'sampled-log',
      'caller-names',
      'downloads',
      'failed-credentials',
      'metrics',
      'oauth',
      'tracing',
      'resource-registry',
      'sessions',
      'upstream',
      'tool-registry'
    ]
  }
)
