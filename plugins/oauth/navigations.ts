import fp from 'fastify-plugin'
import { isWithinPage } from '../../src/oauth/endpoints/fetch-metadata.ts'
import { OAuthError } from '../../src/oauth/rules/error.ts'

/**
 * Refuses what a page of another origin loads or frames in its scope, before it is counted: people open these URLs
 * themselves, and a page with enough images could use up the limit of their address and lock them out.
 */
export default fp(
  async fastify => {
    fastify.addHook('onRequest', async ({ headers }) => {
      if (isWithinPage(headers))
        throw new OAuthError(
          403,
          'invalid_request',
          'A login is opened as a page of its own, not within another.'
        )
    })
  },
  { fastify: '5.x', name: 'oauth/navigations', dependencies: ['oauth/errors'] }
)
