import type { FastifyError, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { refusalBy, refusalName } from '../../src/protocol/eras/refusal-name.ts'
import { callerGone, oversizedBody } from '../../src/protocol/messages/body-refusals.ts'
import { code, errorText, idOf, internalErrorText } from '../../src/protocol/messages/jsonrpc.ts'
import { Refusal } from '../../src/protocol/messages/refusal.ts'

interface Shown {
  readonly status: number
  readonly code: number
  readonly message: string
  /** As in Refusal. */
  readonly hint?: string | undefined
}

/** A refusal whose message repeats nothing that the caller sent, so that it can be logged. */
const plain = (status: number, message: string): Shown => ({
  status,
  code: code.invalidRequest,
  message,
  hint: message
})

/** Fastify's own refusals, with the codes of JSON-RPC and messages for callers. */
const known: Readonly<Record<string, Shown>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: oversizedBody(),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: plain(415, 'Content-Type must be application/json.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: plain(400, 'The body is not as long as Content-Length says.')
}

/**
 * Turns every error of its scope into a JSON-RPC error object. Unexpected errors are logged, and the answer names the
 * request id.
 */
export default fp(
  async fastify => {
    const sharedAddress =
      fastify.config.MCP_TRUST_PROXY === ''
        ? 'If the address is that of a proxy, name it in MCP_TRUST_PROXY: all of its callers count as one.'
        : undefined
    /** @param hint what the caller is told in addition to the message */
    const leave = (request: FastifyRequest, error: Refusal, hint: string | undefined): void => {
      const { status, reason, hint: own } = refusalBy(error)
      const cause = reason === 'failed_credentials' ? sharedAddress : undefined
      const hints = [own, hint, cause].filter(text => text !== undefined).join(' ')
      fastify.refused(request, status, reason, hints === '' ? undefined : hints)
    }
    fastify.setErrorHandler<FastifyError | Refusal>((error, request, reply) => {
      reply.type('application/json; charset=utf-8')
      if (error instanceof Refusal) {
        const hint = error.status === 401 ? fastify.apiUrls.ignored(request.headers) : undefined
        leave(request, error, hint)
        const message = hint === undefined ? error.message : `${error.message} ${hint}`
        return reply
          .code(error.status)
          .headers(error.headers)
          .send(errorText(idOf(request.body), error.code, message))
      }
      const shown = known[error.code] ?? clientFault(error)
      if (shown !== undefined) {
        fastify.refused(request, shown.status, refusalName(shown.status, shown.code), shown.hint)
        // Fastify would close a connection on which the caller is still sending, and the caller would see a broken pipe
        // instead of the answer. Node discards the rest of the body.
        reply.removeHeader('connection')
        return reply.code(shown.status).send(errorText(idOf(request.body), shown.code, shown.message))
      }
      fastify.failed(request.log, error, request.id)
      return reply.code(500).send(internalErrorText(idOf(request.body), request.id))
    })
  },
  {
    fastify: '5.x',
    name: 'mcp/json-rpc-errors',
    dependencies: ['operations/env', 'forges/network', 'operations/refusal-log']
  }
)

function clientFault(error: FastifyError): Shown | undefined {
  const status = error.statusCode
  if (status === undefined || status < 400 || status > 499) return undefined
  // An ECONNRESET with a status concerns the body: its connection has ended.
  if (error.code === 'ECONNRESET') return callerGone()
  return { status, code: status === 400 ? code.parse : code.invalidRequest, message: error.message }
}
