import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { abandonment } from '../../src/edge/answers/abandonment.ts'
import { secretAnswer } from '../../src/edge/answers/no-store.ts'
import { loginCallerOf } from '../../src/oauth/endpoints/fetch-metadata.ts'
import { renews, revoke, token } from '../../src/oauth/endpoints/token.ts'
import type { Parameters } from '../../src/oauth/rules/parameters.ts'
import { type Credential, principalOf } from '../../src/session/credential.ts'

interface Form {
  Body: Parameters
}

/** POST /token and /revoke: the requests that a client makes itself, without a browser. */
export default fp(
  async fastify => {
    const { proxy, checker, credentials } = fastify.oauth!
    // Renewals are counted separately. Otherwise anybody at an address, or somebody who renews over and over, could use
    // up the limit of the address. Beyond the limit, forms are still parsed, which costs less than the request itself:
    // counting before the form is parsed would block renewals, too.
    const renewalsApart = {
      hook: 'preHandler',
      allowList: ({ body }: FastifyRequest) => renews(body as Parameters, proxy)
    } as const

    fastify.post<Form>('/token', { config: { rateLimit: renewalsApart } }, async (request, reply) => {
      const from = { ...loginCallerOf(request), gone: abandonment(reply.raw) }
      const { answer, ...of } = await token(request.body, from, proxy)
      const credential: Credential = { kind: 'bearer', token: answer.access_token }
      checker.vouch(credential, from.holder)
      const grant = request.body.get('grant_type')
      fastify.loginStep(request, { ...of, grant, principal: principalOf(credential) })
      reply.headers(secretAnswer)
      return answer
    })
    fastify.post<Form>('/revoke', { config: { rateLimit: {} } }, async (request, reply) => {
      credentials.forget({ kind: 'bearer', token: await revoke(request.body, loginCallerOf(request), proxy) })
      fastify.loginStep(request)
      reply.headers(secretAnswer)
      return {}
    })
  },
  {
    fastify: '5.x',
    name: 'routes/oauth',
    dependencies: [
      'oauth/mode',
      'oauth/errors',
      'oauth/limits',
      'oauth/login-body',
      'oauth/open-cors',
      'oauth/steps'
    ]
  }
)
