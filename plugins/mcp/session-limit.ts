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
 * MAX_REQUESTS_PER_MINUTE: limits the requests of each session. A request without a session id counts for its
 * credential, whose calls share one session. In stateless mode MAX_CALLER_REQUESTS_PER_MINUTE limits those of each
 * caller, as a session there is what a caller says it is. A POST counts before its body is read; the further requests
 * of a batch count when it is, and one that does not fit as a whole is refused as a whole, with nothing of it done. To
 * end a session is always allowed.
 *
 * Not by @fastify/rate-limit: it counts one request at a time, and takes a tenth of a call's time for it.
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
    // Room for every session and for as many callers without one; beyond that, the address with the most loses its
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

// Whichever header brings a token, it is one caller's.
const callerOf = ({ caller }: FastifyRequest): string => principalOf(caller.credential)

/** The key of the session that a request names, unless it is that of another caller. */
const ownSessionOf = ({ caller: { session, isGuest } }: FastifyRequest): string | undefined =>
  isGuest ? undefined : session?.key
