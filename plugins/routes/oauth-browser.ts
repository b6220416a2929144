import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
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
import type { OAuthProxy } from '../../src/oauth/endpoints/proxy.ts'
import { onlyAnswered } from '../../src/oauth/rules/error.ts'
import type { Browser } from '../../src/oauth/rules/login-caller.ts'
import { type Parameters, readParameters } from '../../src/oauth/rules/parameters.ts'
import { destinationOf } from '../../src/oauth/rules/redirect-uri.ts'

/** GET /authorize and /callback, POST /consent: the steps of a login that a person takes in a browser. */
export default fp(
  async fastify => {
    const steps = new LoginSteps(fastify)
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

      pages.get('/authorize', options, (request, reply) => steps.begin(request, reply))
      pages.post<{ Body: Parameters }>('/consent', options, (request, reply) => steps.consent(request, reply))
      pages.get('/consent', options, async (_request, reply) => {
        reply.header('allow', 'POST')
        throw onlyAnswered()
      })
      const keyGenerator = (request: FastifyRequest) => steps.countsFor(request)
      const returns = { ...options, config: { ...options.config, rateLimit: { keyGenerator } } }
      pages.get('/callback', returns, (request, reply) => steps.finish(request, reply))
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

/** Answers the steps, and logs what came of each. */
class LoginSteps {
  readonly #proxy: OAuthProxy
  readonly #forgeHost: string
  readonly #log: FastifyInstance['loginStep']
  readonly #pendingSeconds: number

  constructor({ config, loginStep, oauth }: FastifyInstance) {
    this.#proxy = oauth!.proxy
    this.#forgeHost = new URL(oauth!.forgeUrl).host
    this.#log = loginStep
    this.#pendingSeconds = config.OAUTH_STATELESS_PENDING_TTL_SECONDS
  }

  /** GET /authorize: asks the person for consent, or goes on to the forge. */
  async begin(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const browser = { ...this.#browserOf(request), gone: abandonment(reply.raw) }
    const step = await authorize(parametersOf(request), browser, this.#proxy)
    this.#log(
      request,
      'ask' in step ? { ask: true, to: destinationOf(step.ask.redirectUri) } : { ask: false, ...endOf(step) }
    )
    if ('redirect' in step) return reply.redirect(step.redirect, 302)
    return sendPage(this.#remember(reply, browser), consentPage(step.ask, this.#forgeHost))
  }

  /** POST /consent: goes on to where the person's decision leads. */
  async consent(request: FastifyRequest<{ Body: Parameters }>, reply: FastifyReply): Promise<FastifyReply> {
    const browser = this.#browserOf(request)
    const next = decide(request.body, browser, this.#proxy)
    this.#log(request, endOf(next))
    return sendPage(this.#remember(reply, browser), onwardPage(next.redirect))
  }

  /** GET /callback: takes what the forge has decided back to the client. */
  async finish(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const next = await callback(parametersOf(request), this.#browserOf(request), this.#proxy)
    this.#log(request, endOf(next))
    return reply.redirect(next.redirect, 302)
  }

  /** Whom a request to /callback counts for. */
  countsFor(request: FastifyRequest): string {
    return holderOfReturn(parameterOf(request.raw, 'state'), this.#browserOf(request), this.#proxy)
  }

  #browserOf(request: FastifyRequest): Browser {
    return {
      ...loginCallerOf(request),
      address: holderOf(request.ip),
      ...readNonces(request.headers.cookie, this.#proxy.facts().publicUrl, this.#proxy.random)
    }
  }

  /** Sets the cookie again at each step, so that it outlives a login that began late in the cookie's time. */
  #remember(reply: FastifyReply, browser: Browser): FastifyReply {
    const { publicUrl } = this.#proxy.facts()
    return reply.header('set-cookie', browserCookies(browser, publicUrl, 2 * this.#pendingSeconds))
  }
}

/** What the log says of a step that ends at the client: the error that the client gets, if there is one. */
const endOf = ({ to, error, reason, hint }: Onward) => ({ to, error, reason, hint })

const parametersOf = ({ raw }: FastifyRequest): Parameters => readParameters(rawQueryOf(raw))

const sendPage = (reply: FastifyReply, html: string) => reply.type('text/html; charset=utf-8').send(html)
