import fp from 'fastify-plugin'
import { hostPolicy, isAddress } from '../src/protocol/host-policy.ts'
import { Refusal } from '../src/protocol/refusal.ts'

interface HostGuardOptions {
  /** Pages of any origin may call, as is right where no cookie or address gives them what they should not have. */
  readonly anyOrigin?: boolean
  /** An IP address may be named too: scrapers find replicas by theirs, and no DNS name leads a page to one. */
  readonly anyAddress?: boolean
}

/** A file, or a frame that is kept apart, says null, which would be all such pages at once. */
const originRefusal = (origin: string | undefined): string =>
  origin === 'null'
    ? 'Origin not allowed: this page has none that could be named. Serve it by http, such as from localhost.'
    : 'Origin not allowed: name it in MCP_ALLOWED_ORIGINS.'

/** Refuses foreign Host and Origin headers with 403 before credentials and body are looked at. */
export default fp<HostGuardOptions>(
  async (fastify, { anyOrigin = false, anyAddress = false }) => {
    const policy = hostPolicy(fastify.config)
    fastify.addHook('onRequest', (request, _reply, done) => {
      const raw = request.raw.rawHeaders
      let hosts = 0
      for (let at = 0; at < raw.length; at += 2)
        if (raw[at]!.length === 4 && raw[at]!.toLowerCase() === 'host') hosts++
      const { host } = request.headers
      if (hosts > 1 || !(policy.host(host) || (anyAddress && isAddress(host))))
        throw new Refusal(403, 'Host not allowed: name it in MCP_SERVER_URL or MCP_ALLOWED_HOSTS.', {
          reason: 'host'
        })
      if (!anyOrigin && !policy.origin(request.headers.origin))
        throw new Refusal(403, originRefusal(request.headers.origin), { reason: 'origin' })
      done()
    })
  },
  { fastify: '5.x', name: 'host-guard', dependencies: ['env'] }
)
