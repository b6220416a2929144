import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { asWritten } from '../src/edge/address.ts'
import { RefusalLines } from '../src/log/refusal-lines.ts'
import { principalOf } from '../src/session/credential.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Leaves a line of a refused request. @param hint on what may be behind it, in words of this service */
    readonly refused: (request: FastifyRequest, status: number, reason?: string, hint?: string) => void
    /** Counts a request that failed by a defect of this service, and leaves its line. */
    readonly failed: (log: FastifyBaseLogger, err: unknown, requestId: string) => void
  }
}

/** With which a client begins that speaks TLS (RFC 8446 section 5.1). */
const TLS_HANDSHAKE = 0x16

const useHttp =
  'The client asks by https://, and this server speaks no TLS: use http://, or a proxy in front of it.'

/** Decorates the log of refusals and faults: at three in the morning, operators need to see who was refused, and why. */
export default fp(
  async fastify => {
    const lines = new RefusalLines((fields, message) => fastify.log.info(fields, message))
    fastify.decorate('refused', (request, status, reason, hint) => {
      const { id, ip, headers, routeOptions } = request
      lines.add({
        requestId: id,
        status,
        reason,
        hint,
        principal: () => principalOfCaller(request),
        address: asWritten(ip),
        host: unlessSecret(headers.host, headers),
        origin: unlessSecret(headers.origin, headers),
        // Only the route's template: where there is no route, the URL may contain anything, such as a token.
        url: routeOptions.url
      })
    })
    fastify.decorate('failed', (log, err, requestId) => {
      fastify.metrics.faults.count()
      log.error({ err, requestId }, 'request failed')
    })
    // Fastify answers it. Nobody else would find out why a client's https ends here.
    fastify.server.on('clientError', ({ rawPacket }: Error & { rawPacket?: Buffer }, socket: Socket) => {
      if (rawPacket?.[0] !== TLS_HANDSHAKE) return
      const unread = { requestId: undefined, host: undefined, origin: undefined, url: undefined }
      lines.add({
        ...unread,
        status: 400,
        reason: 'tls',
        hint: useHttp,
        address: asWritten(socket.remoteAddress ?? '')
      })
    })
    fastify.addHook('onClose', async () => lines.close())
  },
  { fastify: '5.x', name: 'refusal-log', dependencies: ['metrics'] }
)

/** Before the guard has accepted a request, its caller is not known. */
function principalOfCaller({ caller }: FastifyRequest): string | undefined {
  const known = caller as FastifyRequest['caller'] | undefined
  return known && principalOf(known.credential)
}

/** A misconfigured client may also send its token in another place: such a text is not logged. */
function unlessSecret(text: string | undefined, headers: IncomingHttpHeaders): string | undefined {
  const { authorization, 'private-token': own, 'job-token': ofJob } = headers
  const bearer = authorization?.slice(authorization.lastIndexOf(' ') + 1)
  const secrets = [bearer, own, ofJob].flat()
  return secrets.some(secret => secret !== undefined && secret !== '' && text?.includes(secret))
    ? '[redacted]'
    : text
}
