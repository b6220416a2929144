import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { asWritten } from '../../src/base/holders.ts'
import { instructions, instructionsOfOne } from '../../src/catalog/instructions.ts'
import { policyVariables } from '../../src/config/settings-file.ts'
import type { Exchange } from '../../src/protocol/exchange/exchange.ts'
import { InFlight } from '../../src/protocol/exchange/in-flight.ts'
import { ListChanges, lists } from '../../src/protocol/exchange/list-changes.ts'
import { closeHeld, type Service } from '../../src/protocol/exchange/service.ts'
import { Subscriptions } from '../../src/protocol/exchange/subscriptions.ts'
import { Refusal } from '../../src/protocol/messages/refusal.ts'
import { offerOf } from '../../src/protocol/methods/offers.ts'
import { RequestStates } from '../../src/protocol/questions/request-states.ts'
import { WaitingQuestions } from '../../src/protocol/questions/waiting-questions.ts'
import { resourceReader } from '../../src/resources/reader.ts'
import { principalOf } from '../../src/session/credential.ts'
import { packageVersion } from '../../src/version.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The MCP service, which is the same over HTTP and stdio. */
    readonly mcp: Service
  }
}

/** Decorates the MCP service: its identity, instructions, catalog, and the function that runs tools. */
export default fp(
  async fastify => {
    const { completions, metrics, prompts, resources, toolCalls } = fastify
    const subscriptions = new Subscriptions()
    const questions = new WaitingQuestions()
    // Tells clients with held requests to reconnect elsewhere, before the server waits for connections to end.
    fastify.addHook('preClose', async () => closeHeld({ questions, subscriptions }))
    // The catalog has already applied the new settings, because it registered first.
    fastify.onNewSettings({
      variables: policyVariables,
      use() {
        fastify.mcp.changes.changed(...fastify.mcp.lists)
      }
    })
    metrics.watch('questions_open', 'Calls that wait for a person.', () => questions.size)
    metrics.watch('subscriptions_open', 'Subscriptions (2026-07-28) held open.', () => subscriptions.size)
    const offered = lists.filter(list => list === 'tools' || fastify[list] !== undefined)
    const offers = [instructions, instructionsOfOne].map(text =>
      offerOf({ completions, lists: offered }, text)
    )
    fastify.decorate('mcp', {
      info: { name: 'forge-tool-server', title: 'Forge Tool Server', version: packageVersion() },
      // The policy may have changed since the start.
      get offer() {
        return offers[fastify.catalog.policy.defaultProject === '' ? 0 : 1]!
      },
      catalog: fastify.catalog,
      requiresParamHeaders: fastify.config.MCP_REQUIRE_PARAM_HEADERS,
      callTool: (name, args, exchange, meta) => toolCalls.run(name, args, exchange, meta),
      prompts,
      resources,
      readResource: resourceReader(toolCalls),
      completions,
      inFlight: new InFlight(),
      questions,
      isStateless: fastify.config.OAUTH_STATELESS_MODE,
      requestStates: new RequestStates(fastify.requestSealer, Date.now),
      lists: offered,
      changes: new ListChanges(),
      subscriptions,
      ...refusalsOf(fastify),
      ...ignoredOf(fastify),
      observe: (method, outcome, seconds) => metrics.operations.observe(seconds, method, '', outcome)
    })
  },
  {
    fastify: '5.x',
    name: 'mcp/service',
    dependencies: [
      'operations/env',
      'operations/changed-settings',
      'features/completion-registry',
      'operations/metrics',
      'features/prompt-registry',
      'operations/refusal-log',
      'features/resource-registry',
      'operations/sampled-log',
      'sessions/sealer',
      'features/tool-registry',
      'features/tool-runner'
    ]
  }
)

/** Counts and logs failures, and messages that are refused. */
const refusalsOf = (fastify: FastifyInstance): Pick<Service, 'onFailure' | 'onRefused'> => ({
  onFailure(error, requestId) {
    if (error instanceof Refusal) fastify.metrics.refused(error.reason)
    else fastify.failed(fastify.log, error, requestId)
  },
  onRefused({ status, reason, hint, message }, { requestId, credential }) {
    fastify.refusedMessage({
      requestId,
      status,
      reason,
      hint,
      ...message,
      principal: () => principalOf(credential)
    })
  }
})

/** Logs messages that get no answer, of which anybody may send any number. */
function ignoredOf({
  metrics,
  sampledLog
}: FastifyInstance): Pick<Service, 'onIdless' | 'onMisnamed' | 'onUnmatched'> {
  const idless = sampledLog('info', { kind: 'method', more: 'more requests without an id' })
  const misnamed = sampledLog('info', { kind: 'meant', more: 'more notifications of unknown names' })
  const unmatched = sampledLog('info', { kind: 'of', more: 'more answers met no question' })
  return {
    onIdless(method, exchange) {
      idless.add(method, 'a request without an id was not carried out', () => ({
        method,
        ...senderOf(exchange)
      }))
    },
    onMisnamed(method, meant, exchange) {
      misnamed.add(meant, 'a notification was ignored', () => ({ method, meant, ...senderOf(exchange) }))
    },
    onUnmatched(exchange) {
      metrics.unmatchedAnswers.count()
      unmatched.add('answer', 'an answer met no question that waits here', () => senderOf(exchange))
    }
  }
}

/** The sender of a message, for a log line about a message that gets no answer. */
const senderOf = ({ requestId, session, from }: Exchange) => ({
  requestId,
  principal: principalOf(session.credential),
  address: from === undefined ? undefined : asWritten(from)
})
