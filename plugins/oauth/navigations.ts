import fp from 'fastify-plugin'
import { isWithinPage } from '../../src/oauth/endpoints/fetch-metadata.ts'
import { OAuthError } from '../../src/oauth/rules/error.ts'

/**
 * Refuses requests in its scope that a page of another origin causes by loading or framing these URLs, before they are
 * counted. People open these URLs themselves. A page with enough images could otherwise use up the limit of their
 * address and lock them out.
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
