import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { asWritten } from '../../src/base/holders.ts'
import type { UnreadableRefusal } from '../../src/edge/answers/unreadable.ts'
import type { HeadRefusal } from '../../src/edge/requests/request-head.ts'
import { RefusalLines, type RefusedMessage, type RefusedRequest } from '../../src/log/refusal-lines.ts'
import type { RefusalReason } from '../../src/metrics/metrics.ts'
import { principalOf } from '../../src/session/credential.ts'

/** A request that may be refused, by Fastify or by a listener beside it. */
interface Refusable {
  readonly id?: string
  readonly ip: string
  readonly headers: IncomingHttpHeaders
  readonly raw: { readonly socket: Socket }
  readonly routeOptions: { readonly url?: string | undefined }
  readonly caller?: FastifyRequest['caller'] | undefined
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Counts a refused request, and logs it.
     * @param reason counted, unless it is an UncountedReason, which only appears in the log
     * @param hint the probable cause, in words of this service
     * @param message the MCP message that was refused, if it could be read
     */
    readonly refused: (
      request: Refusable,
      status: number,
      reason?: RefusalReason,
      hint?: string,
      message?: RefusedMessage
    ) => void
    /** As `refused`, for a message of a local client, which has neither an address nor headers. */
    readonly refusedMessage: (message: RefusedRequest) => void
    /** As `refused`, for a request that was refused before Fastify got it. */
    readonly refusedEarly: (refusal: HeadRefusal | UnreadableRefusal, address: string) => void
    /**
     * As `refused`, for data that could not be read as a request. It replaces the line of a request that was in
     * progress on that connection.
     */
    readonly refusedUnreadable: (socket: Socket, refusal: UnreadableRefusal) => void
    /** Counts and logs a request that failed because of a defect of this service. */
    readonly failed: (log: FastifyBaseLogger, err: unknown, requestId: string) => void
  }
}

/**
 * Decorates the log of refusals and faults: at three in the morning, operators need to see who was refused, and why.
 */
export default fp(
  async fastify => {
    const lines = new RefusalLines((fields, message) => fastify.log.info(fields, message))
    const unreadable = new WeakSet<Socket>()
    fastify.decorate('refused', (request, status, reason, hint, message) => {
      // The connection was answered and ended before this refusal, which nobody receives.
      if (unreadable.has(request.raw.socket)) return
      fastify.metrics.refused(reason)
      const { id, ip, headers, routeOptions } = request
      lines.add({
        requestId: id,
        status,
        reason,
        hint,
        ...message,
        principal: () => principalOfCaller(request),
        address: asWritten(ip),
        host: unlessSecret(headers.host, headers),
        origin: unlessSecret(headers.origin, headers),
        // Only the route's template. Where no route matches, the URL may contain anything, such as a token.
        url: routeOptions.url
      })
    })
    fastify.decorate('refusedMessage', message => {
      fastify.metrics.refused(message.reason)
      lines.add(message)
    })
    fastify.decorate('failed', (log, err, requestId) => {
      fastify.metrics.faults.count()
      log.error({ err, requestId }, 'request failed')
    })
    fastify.decorate('refusedEarly', ({ status, reason, hint }, address) => {
      fastify.metrics.refused(reason)
      lines.add({ requestId: undefined, status, reason, hint, address: asWritten(address) })
    })
    fastify.decorate('refusedUnreadable', (socket, refusal) => {
      unreadable.add(socket)
      fastify.refusedEarly(refusal, socket.remoteAddress ?? '')
    })
    fastify.addHook('onClose', async () => lines.close())
  },
  { fastify: '5.x', name: 'operations/refusal-log', dependencies: ['operations/metrics'] }
)

/** The caller is unknown until the guard has accepted the request. */
const principalOfCaller = ({ caller }: Refusable): string | undefined =>
  caller && principalOf(caller.credential)

/** A misconfigured client may send its token in another place as well. A text that contains the token is not logged. */
function unlessSecret(text: string | undefined, headers: IncomingHttpHeaders): string | undefined {
  const { authorization, 'private-token': own, 'job-token': ofJob } = headers
  const bearer = authorization?.slice(authorization.lastIndexOf(' ') + 1)
  const secrets = [bearer, own, ofJob].flat()
  return secrets.some(secret => secret !== undefined && secret !== '' && text?.includes(secret))
    ? '[redacted]'
    : text
}
