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

/** A request that may be refused: Fastify's, or one of a listener beside it. */
export interface Refusable {
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
     * Counts a refused request, and leaves its line.
     * @param reason counted, unless it is an UncountedReason, which is for the line alone
     * @param hint on what may be behind it, in words of this service
     * @param message what of MCP was refused, if that could be read
     */
    readonly refused: (
      request: Refusable,
      status: number,
      reason?: RefusalReason,
      hint?: string,
      message?: RefusedMessage
    ) => void
    /** The same for a message of a local client, which has neither an address nor headers. */
    readonly refusedMessage: (message: RefusedRequest) => void
    /** The same for a request that was refused before Fastify had it. */
    readonly refusedEarly: (refusal: HeadRefusal | UnreadableRefusal, address: string) => void
    /** The same for what could not be read as a request: its line is the one for whatever was under way there. */
    readonly refusedUnreadable: (socket: Socket, refusal: UnreadableRefusal) => void
    /** Counts a request that failed by a defect of this service, and leaves its line. */
    readonly failed: (log: FastifyBaseLogger, err: unknown, requestId: string) => void
  }
}

/** Decorates the log of refusals and faults: at three in the morning, operators need to see who was refused, and why. */
export default fp(
  async fastify => {
    const lines = new RefusalLines((fields, message) => fastify.log.info(fields, message))
    const unreadable = new WeakSet<Socket>()
    fastify.decorate('refused', (request, status, reason, hint, message) => {
      // Its connection was answered, and ended, before it: nobody gets this refusal.
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
        // Only the route's template: where there is no route, the URL may contain anything, such as a token.
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

/** Before the guard has accepted a request, its caller is not known. */
const principalOfCaller = ({ caller }: Refusable): string | undefined =>
  caller && principalOf(caller.credential)

/** A misconfigured client may also send its token in another place: such a text is not logged. */
function unlessSecret(text: string | undefined, headers: IncomingHttpHeaders): string | undefined {
  const { authorization, 'private-token': own, 'job-token': ofJob } = headers
  const bearer = authorization?.slice(authorization.lastIndexOf(' ') + 1)
  const secrets = [bearer, own, ofJob].flat()
  return secrets.some(secret => secret !== undefined && secret !== '' && text?.includes(secret))
    ? '[redacted]'
    : text
}
