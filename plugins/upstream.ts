import fp from 'fastify-plugin'
import type { Credential } from '../src/session/credential.ts'
import { createDispatcher, upstreamLimits } from '../src/upstream/dispatcher.ts'
import { CallerForgeClient, type ForgeClient } from '../src/upstream/forge.ts'
import { normalizeApiUrl } from '../src/upstream/url.ts'
import { packageVersion } from '../src/version.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** A client for one caller's calls. @param signal aborts them */
    readonly forgeFor: (credential: Credential, signal?: AbortSignal) => ForgeClient
  }
}

/** Decorates the way to the forge: one keep-alive dispatcher, closed with the server. */
export default fp(
  async fastify => {
    const dispatcher = createDispatcher()
    const upstream = {
      apiUrl: normalizeApiUrl(fastify.config.FORGE_API_URL)!,
      dispatcher,
      limits: { maxBytes: upstreamLimits.maxJsonBytes, deadlineMs: upstreamLimits.totalMs },
      userAgent: `forge-tool-server/${packageVersion()}`
    }
    fastify.decorate(
      'forgeFor',
      (credential: Credential, signal?: AbortSignal) => new CallerForgeClient(upstream, credential, signal)
    )
    fastify.addHook('onClose', () => dispatcher.destroy())
  },
  { fastify: '5.x', name: 'upstream', dependencies: ['env'] }
)
