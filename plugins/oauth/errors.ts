import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { retrySeconds } from '../../src/base/retry-seconds.ts'
import { secretAnswer } from '../../src/edge/answers/no-store.ts'
import type { RefusalReason } from '../../src/metrics/metrics.ts'
import { problemPage } from '../../src/oauth/endpoints/pages.ts'
import { OAuthError, told } from '../../src/oauth/rules/error.ts'
import { Refusal } from '../../src/protocol/messages/refusal.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** People open this route with a browser, and get pages. */
    browser?: boolean
  }
}

/**
 * Turns every error of its scope into an OAuth error: `error` and `error_description` as JSON, or a page for a person.
 * Unexpected errors are logged.
 */
export default fp(
  async fastify => {
    fastify.setErrorHandler<FastifyError | OAuthError | Refusal>((error, request, reply) => {
      const { status, code, message, reason, hint, retryAfter } = shown(error, request)
      if (error instanceof Refusal) reply.headers(error.headers)
      // For a Host that is not served, the refusal comes before helmet has set any headers.
      reply.code(status).headers(secretAnswer)
      const seconds = retryAfter || (status === 503 ? retrySeconds.answer : undefined)
      if (seconds !== undefined && !reply.hasHeader('retry-after')) reply.header('retry-after', `${seconds}`)
      fastify.refused(request, status, reason ?? code, hint)
      const sentence = told(message, request.id)
      return request.routeOptions.config.browser && wantsPage(request)
        ? sendPage(reply, sentence)
        : reply.send({ error: code, error_description: sentence })
    })
  },
  { fastify: '5.x', name: 'oauth/errors', dependencies: ['operations/refusal-log'] }
)

const wantsPage = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') === true

const sendPage = (reply: FastifyReply, message: string) =>
  reply.type('text/html; charset=utf-8').send(problemPage(message))

type Shown = Pick<OAuthError, 'status' | 'code' | 'message'> &
  Partial<Pick<OAuthError, 'hint' | 'retryAfter'>> & { readonly reason?: RefusalReason | undefined }

function shown(error: FastifyError | OAuthError | Refusal, request: FastifyRequest): Shown {
  if (error instanceof OAuthError) {
    const { status, code, message, hint = message, retryAfter } = error
    return { status, code, message, hint, retryAfter, ...(status === 429 && { reason: 'rate_limit' }) }
  }
  if (error instanceof Refusal)
    return {
      status: error.status,
      code: error.status === 503 ? 'temporarily_unavailable' : 'invalid_request',
      message: error.message,
      reason: error.reason,
      hint: error.hint
    }
  const status = error.statusCode
  if (status !== undefined && status >= 400 && status <= 499)
    return {
      status,
      code: request.routeOptions.url === '/register' ? 'invalid_client_metadata' : 'invalid_request',
      message: error.message
    }
  request.server.failed(request.log, error, request.id)
  return { status: 500, code: 'server_error', message: 'Internal error' }
}
