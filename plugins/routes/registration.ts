import fp from 'fastify-plugin'
import { HOUR_MS } from '../../src/base/units.ts'
import { secretAnswer } from '../../src/edge/answers/no-store.ts'
import { loginCallerOf } from '../../src/oauth/endpoints/fetch-metadata.ts'
import { invalidMetadata } from '../../src/oauth/rules/error.ts'
import { destinationOf } from '../../src/oauth/rules/redirect-uri.ts'
import { readClientMetadata, registrationAnswer } from '../../src/oauth/rules/registration.ts'
import { OverlongValueError } from '../../src/seal/kind.ts'

/** POST /register: dynamic client registration. */
export default fp(
  async fastify => {
    const { proxy } = fastify.oauth!
    const rateLimit = {
      max: fastify.config.OAUTH_REGISTER_RATE_LIMIT_PER_HOUR,
      timeWindow: HOUR_MS
    }

    fastify.post(
      '/register',
      { config: { rateLimit, limitedBy: 'OAUTH_REGISTER_RATE_LIMIT_PER_HOUR' } },
      async (request, reply) => {
        const client = addClient(request.body, loginCallerOf(request).holder)
        fastify.loginStep(request, { to: destinationOf(...client.redirectUris) })
        reply.code(201).headers(secretAnswer)
        return registrationAnswer(client, proxy.facts().scopes, Date.now())
      }
    )

    const addClient = (body: unknown, from: string) => {
      try {
        return proxy.storage.addClient(readClientMetadata(body), from)
      } catch (error) {
        if (!(error instanceof OverlongValueError)) throw error
        throw invalidMetadata('The redirect URIs are too long together: register fewer.')
      }
    }
  },
  {
    fastify: '5.x',
    name: 'routes/registration',
    dependencies: [
      'operations/env',
      'oauth/mode',
      'oauth/errors',
      'oauth/limits',
      'oauth/login-body',
      'oauth/steps',
      'oauth/open-cors'
    ]
  }
)
