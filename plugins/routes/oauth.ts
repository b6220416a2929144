import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { holderOf } from '../../src/edge/address.ts'
import { invalidMetadata, invalidRequest } from '../../src/oauth/error.ts'
import type { Parameters } from '../../src/oauth/parameters.ts'
import type { Asker } from '../../src/oauth/proxy.ts'
import { readClientMetadata, registrationAnswer } from '../../src/oauth/registration.ts'
import { loginOf, revoke, token } from '../../src/oauth/token.ts'
import { OverlongValueError } from '../../src/seal/kind.ts'

/** Of a registration, and of a form: several times what the longest of them takes. */
const LIMITS = { metadata: 64 * 1024, form: 16 * 1024 }

/** POST /register, /token and /revoke: what a client asks for itself, without a browser. */
export default fp(
  async fastify => {
    const { proxy, checker, credentials } = fastify.oauth!
    // Apart: any page that somebody looks at, or whoever renews on and on, may use up what is left to their address.
    const renewalsApart = {
      hook: 'preHandler',
      keyGenerator: ({ body, ip }: FastifyRequest) =>
        (body instanceof Map && loginOf(body, proxy)) || holderOf(ip)
    } as const
    const registrations = { max: fastify.config.OAUTH_REGISTER_RATE_LIMIT_PER_HOUR, timeWindow: 60 * 60_000 }

    fastify.post(
      '/register',
      { bodyLimit: LIMITS.metadata, config: { rateLimit: registrations } },
      async (request, reply) => {
        if (request.body instanceof Map) throw invalidMetadata('Content-Type must be application/json.')
        const client = addClient(request.body)
        done(request, reply).code(201)
        return registrationAnswer(client, proxy.facts().scopes, Date.now())
      }
    )
    fastify.post(
      '/token',
      { bodyLimit: LIMITS.form, config: { rateLimit: renewalsApart } },
      async (request, reply) => {
        const answer = await token(formOf(request), askerOf(request), proxy)
        checker.vouch({ kind: 'bearer', token: answer.access_token })
        done(request, reply)
        return answer
      }
    )
    fastify.post('/revoke', { bodyLimit: LIMITS.form, config: { rateLimit: {} } }, async (request, reply) => {
      credentials.forget(await revoke(formOf(request), askerOf(request), proxy))
      done(request, reply)
      return {}
    })

    const addClient = (body: unknown) => {
      try {
        return proxy.storage.addClient(readClientMetadata(body))
      } catch (error) {
        if (!(error instanceof OverlongValueError)) throw error
        throw invalidMetadata('The redirect URIs are too long together: register fewer.')
      }
    }
  },
  {
    fastify: '5.x',
    name: 'oauth-routes',
    dependencies: ['oauth', 'oauth-errors', 'oauth-limits', 'form-body', 'open-cors']
  }
)

const askerOf = ({ id, ip }: FastifyRequest): Asker => ({ address: holderOf(ip), requestId: id })

function formOf({ body }: FastifyRequest): Parameters {
  if (body instanceof Map) return body
  throw invalidRequest('Content-Type must be application/x-www-form-urlencoded.')
}

/** These answers hold secrets, or stand for something that must not be seen twice (RFC 6749 section 5.1). */
function done(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.log.info({ requestId: request.id, step: request.routeOptions.url }, 'login step')
  return reply.header('cache-control', 'no-store').header('pragma', 'no-cache')
}
