import fp from 'fastify-plugin'
import { placesOfHeader } from '../../src/base/sent-headers.ts'
import { Refusal } from '../../src/protocol/messages/refusal.ts'
import { hostPolicy, namesIpAddress } from '../../src/protocol/transport/host-policy.ts'

interface HostGuardOptions {
  /**
   * Pages of any origin may call. This is safe only where no cookie or address gives them more than they should get.
   */
  readonly anyOrigin?: boolean
  /** The Host may also be an IP address: scrapers find replicas by address, and DNS rebinding needs a name. */
  readonly anyAddress?: boolean
}

/**
 * The message for an Origin that is refused. Local files and sandboxed frames send null or file://. Allowing one of
 * these would allow all such pages at once.
 */
const originRefusal = (origin: string | undefined): string =>
  origin === 'null' || origin === 'file://'
    ? 'Origin not allowed: this page has none that could be named. Serve it by http, such as from localhost.'
    : 'Origin not allowed: name it in MCP_ALLOWED_ORIGINS.'

/** Refuses foreign Host and Origin headers with 403, before credentials and body are examined. */
export default fp<HostGuardOptions>(
  async (fastify, { anyOrigin = false, anyAddress = false }) => {
    const policy = hostPolicy(fastify.config)
    fastify.addHook('onRequest', (request, _reply, done) => {
      const { host } = request.headers
      const hosts = placesOfHeader(request.raw.rawHeaders, 'host')
      if (hosts.length > 1 || !(policy.host(host) || (anyAddress && namesIpAddress(host))))
        throw new Refusal(403, 'Host not allowed: name it in MCP_SERVER_URL or MCP_ALLOWED_HOSTS.', {
          reason: 'host'
        })
      if (!anyOrigin && !policy.origin(request.headers.origin))
        throw new Refusal(403, originRefusal(request.headers.origin), { reason: 'origin' })
      done()
    })
  },
  { fastify: '5.x', name: 'edge/host-guard', dependencies: ['operations/env'] }
)
