import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { holderOf } from '../../src/base/holders.ts'
import { RequestBudget } from '../../src/fairness/request-budget.ts'
import { requestsIn } from '../../src/protocol/eras/legacy/batch.ts'
import { neverFits, type Rate, rateLimited } from '../../src/protocol/messages/limit-refusals.ts'
import type { Refusal } from '../../src/protocol/messages/refusal.ts'
import { principalOf } from '../../src/session/credential.ts'

const WINDOW_MS = 60_000

/**
 * Limits the requests of each session (MAX_REQUESTS_PER_MINUTE). A request without a session id counts for its
 * credential, whose calls share one session. In stateless mode the limit is MAX_CALLER_REQUESTS_PER_MINUTE, for each
 * caller, because callers can make up any number of sessions there. A POST counts before its body is read. The further
 * requests of a batch count when the body is read. A batch that does not fit is refused as a whole, and no part of it
 * is done. Ending a session is always allowed.
 *
 * It does not use @fastify/rate-limit, which counts one request at a time and takes a tenth of a call's time for it.
 */
export default fp(
  async fastify => {
    const { config, sessions } = fastify
    const variable = sessions.stateless ? 'MAX_CALLER_REQUESTS_PER_MINUTE' : 'MAX_REQUESTS_PER_MINUTE'
    const max = config[variable]
    if (max === 0) return
    const ofSession: Rate = {
      holder: 'a session',
      of: 'requests',
      reason: 'rate_limit',
      variable,
      limit: max
    }
    const ofCaller: Rate = {
      ...ofSession,
      holder: 'a caller',
      of: sessions.stateless ? 'requests' : 'requests without a session of its own'
    }
    const sessionKeyOf = sessions.stateless ? () => undefined : ownSessionOf
    const rateOf = (request: FastifyRequest): Rate =>
      sessionKeyOf(request) === undefined ? ofCaller : ofSession
    // Room for every session and for as many callers without one. Beyond that, the address with the most loses its
    // oldest.
    const budget = new RequestBudget(max, WINDOW_MS, Math.max(1000, 2 * config.MAX_SESSIONS))

    const count = (request: FastifyRequest, requests: number): Refusal | undefined => {
      const key = sessionKeyOf(request) ?? callerOf(request)
      const short = budget.take(key, requests, holderOf(request.ip))
      return short && rateLimited(rateOf(request), short.remaining, short.resetSeconds)
    }

    fastify.addHook('onRequest', (request, _reply, done) =>
      done(request.method === 'DELETE' ? undefined : count(request, 1))
    )
    fastify.addHook('preHandler', (request, _reply, done) => {
      const further = Array.isArray(request.body) ? requestsIn(request.body) - 1 : 0
      if (further <= 0) done()
      else done(further < max ? count(request, further) : neverFits(rateOf(request)))
    })
  },
  {
    fastify: '5.x',
    name: 'mcp/session-limit',
    dependencies: ['operations/env', 'sessions/store', 'mcp/bearer-guard'],
    decorators: { request: ['caller'] }
  }
)

// A token is one caller's, whichever header carries it.
const callerOf = ({ caller }: FastifyRequest): string => principalOf(caller.credential)

/** The key of the session that a request names, unless that is another caller's session. */
const ownSessionOf = ({ caller: { session, isGuest } }: FastifyRequest): string | undefined =>
  isGuest ? undefined : session?.key
