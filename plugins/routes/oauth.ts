import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { noStore } from '../../src/edge/no-store.ts'
import { loginCallerOf } from '../../src/oauth/endpoints/fetch-metadata.ts'
import { renews, revoke, token } from '../../src/oauth/endpoints/token.ts'
import type { Parameters } from '../../src/oauth/rules/parameters.ts'

interface Form {
  Body: Parameters
}

/** POST /token and /revoke: what a client asks for itself, without a browser. */
export default fp(
  async fastify => {
    const { proxy, checker, credentials } = fastify.oauth!
    // Renewals are counted separately: anybody at an address, or somebody who renews over and over, may use up its
    // limit. Beyond the limit, forms are still parsed, which costs less than the request itself: counting before that
    // would block renewals, too.
    const renewalsApart = {
      hook: 'preHandler',
      allowList: ({ body }: FastifyRequest) => renews(body as Parameters, proxy)
    } as const

    fastify.post<Form>('/token', { config: { rateLimit: renewalsApart } }, async (request, reply) => {
      const from = loginCallerOf(request)
      const answer = await token(request.body, from, proxy)
      checker.vouch({ kind: 'bearer', token: answer.access_token }, from.holder)
      done(request, reply)
      return answer
    })
    fastify.post<Form>('/revoke', { config: { rateLimit: {} } }, async (request, reply) => {
      credentials.forget({ kind: 'bearer', token: await revoke(request.body, loginCallerOf(request), proxy) })
      done(request, reply)
      return {}
    })
  },
  {
    fastify: '5.x',
    name: 'routes/oauth',
    dependencies: ['oauth/mode', 'oauth/errors', 'oauth/limits', 'oauth/login-body', 'oauth/open-cors']
  }
)

/** These answers hold secrets, or stand for something that must not be seen twice (RFC 6749 section 5.1). */
function done(request: FastifyRequest, reply: FastifyReply): void {
  request.log.info({ requestId: request.id, step: request.routeOptions.url }, 'login step')
  reply.headers(noStore).header('pragma', 'no-cache')
}
