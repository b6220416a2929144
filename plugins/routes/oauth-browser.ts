import helmet from '@fastify/helmet'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { holderOf } from '../../src/base/holders.ts'
import { abandonment } from '../../src/edge/answers/abandonment.ts'
import { browserHeaders } from '../../src/edge/answers/browser-headers.ts'
import { noStore } from '../../src/edge/answers/no-store.ts'
import { parameterOf, rawQueryOf } from '../../src/edge/requests/target.ts'
import { authorize, type Onward } from '../../src/oauth/endpoints/authorize.ts'
import { browserCookies, readNonces } from '../../src/oauth/endpoints/browser-cookie.ts'
import { callback, decide, holderOfReturn } from '../../src/oauth/endpoints/callback.ts'
import { loginCallerOf } from '../../src/oauth/endpoints/fetch-metadata.ts'
import { consentPage, onwardPage, styleSource } from '../../src/oauth/endpoints/pages.ts'
import { onlyAnswered } from '../../src/oauth/rules/error.ts'
import type { Browser } from '../../src/oauth/rules/login-caller.ts'
import { type Parameters, readParameters } from '../../src/oauth/rules/parameters.ts'
import { destinationOf } from '../../src/oauth/rules/redirect-uri.ts'

/** GET /authorize and /callback, POST /consent: the steps of a login that a person takes in a browser. */
export default fp(
  async fastify => {
    const { proxy, forgeUrl } = fastify.oauth!
    const { host: forgeHost } = new URL(forgeUrl)
    const { OAUTH_STATELESS_PENDING_TTL_SECONDS } = fastify.config

    const browserOf = (request: FastifyRequest): Browser => ({
      ...loginCallerOf(request),
      address: holderOf(request.ip),
      ...readNonces(request.headers.cookie, proxy.facts().publicUrl, proxy.random)
    })
    // The cookie is set again at each step, so that it outlives a login that began late in the cookie's time.
    const remember = (reply: FastifyReply, browser: Browser) =>
      reply.header(
        'set-cookie',
        browserCookies(browser, proxy.facts().publicUrl, 2 * OAUTH_STATELESS_PENDING_TTL_SECONDS)
      )

    await fastify.register(async pages => {
      await pages.register(helmet, pageHeaders)
      pages.addHook('onRequest', async ({ url, routeOptions }, reply) => {
        // The router ignores a trailing slash, but with one the page's form would lead to a path below its own.
        if (url.split('?', 1)[0] !== routeOptions.url) return reply.callNotFound()
        reply.headers(noStore)
      })
      const options = {
        config: { browser: true, rateLimit: {} },
        // A HEAD request, which only looks at a link, must not use up the login behind it.
        exposeHeadRoute: false
      }

      pages.get('/authorize', options, async (request, reply) => {
        const browser = { ...browserOf(request), gone: abandonment(reply.raw) }
        const step = await authorize(parametersOf(request), browser, proxy)
        fastify.loginStep(
          request,
          'ask' in step
            ? { ask: true, to: destinationOf(step.ask.redirectUri) }
            : { ask: false, ...endOf(step) }
        )
        if ('redirect' in step) return reply.redirect(step.redirect, 302)
        return sendPage(remember(reply, browser), consentPage(step.ask, forgeHost))
      })

      pages.post<{ Body: Parameters }>('/consent', options, async (request, reply) => {
        const browser = browserOf(request)
        const next = decide(request.body, browser, proxy)
        fastify.loginStep(request, endOf(next))
        return sendPage(remember(reply, browser), onwardPage(next.redirect))
      })

      pages.get('/consent', options, async (_request, reply) => {
        reply.header('allow', 'POST')
        throw onlyAnswered()
      })

      const keyGenerator = (request: FastifyRequest) =>
        holderOfReturn(parameterOf(request.raw, 'state'), browserOf(request), proxy)
      const returns = { ...options, config: { ...options.config, rateLimit: { keyGenerator } } }

      pages.get('/callback', returns, async (request, reply) => {
        const next = await callback(parametersOf(request), browserOf(request), proxy)
        fastify.loginStep(request, endOf(next))
        return reply.redirect(next.redirect, 302)
      })
    })
  },
  {
    fastify: '5.x',
    name: 'routes/oauth-browser',
    dependencies: ['oauth/mode', 'oauth/errors', 'oauth/limits', 'oauth/login-body', 'oauth/steps']
  }
)

/** Nothing may run on these pages or frame them. */
const pageHeaders = {
  ...browserHeaders,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      styleSrc: [styleSource],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"]
    }
  },
  // Clients open the login in a window of their own and wait for it to return.
  crossOriginOpenerPolicy: false
} as const

/** What the log says of a step that ends at the client: the error that the client gets, if there is one. */
const endOf = ({ to, error, reason, hint }: Onward) => ({ to, error, reason, hint })

const parametersOf = ({ raw }: FastifyRequest): Parameters => readParameters(rawQueryOf(raw))

const sendPage = (reply: FastifyReply, html: string) => reply.type('text/html; charset=utf-8').send(html)
