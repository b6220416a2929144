import fp from 'fastify-plugin'
import type { Dispatcher } from 'undici'
import { entries } from '../src/config/schema.ts'
import { ApiUrls } from '../src/upstream/connections/api-url.ts'
import { createDispatcher, type DispatcherOptions } from '../src/upstream/connections/dispatcher.ts'
import { HostPolicy } from '../src/upstream/connections/hosts.ts'
import { Names, type NamesOf } from '../src/upstream/connections/names.ts'
import { tlsTrust } from '../src/upstream/connections/tls.ts'
import { normalizeApiUrl } from '../src/upstream/connections/url.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The way out: which hosts may be asked, and connections to them. */
    readonly network: {
      /** FORGE_API_URL, normalized. */
      readonly home: string
      readonly hosts: HostPolicy
      /**
       * New connections with the operator's proxies and certificates; whoever asks closes them.
       * @param names who chose the names that they go to, besides the operator's own
       * @param own an address policy and sizes in place of those for forges
       */
      dispatcher(names: NamesOf, own?: Pick<DispatcherOptions, 'addresses' | 'bounds'>): Dispatcher
    }
    /** Which forge a session is of. */
    readonly apiUrls: ApiUrls
  }
}

/** Decorates the policy and the settings of every connection that this service makes. @throws Error for FORGE_CA_CERT_PATH */
export default fp(
  async fastify => {
    const { config } = fastify
    const home = normalizeApiUrl(config.FORGE_API_URL)!
    const hosts = new HostPolicy({
      allowed: entries(config.FORGE_ALLOWED_HOSTS),
      denyPrivate: config.FORGE_DENY_PRIVATE_ADDRESSES,
      home: new URL(home).origin
    })
    const options = {
      addresses: (origin: string) => hosts.addresses(origin),
      tls: tlsTrust({
        caPath: config.FORGE_CA_CERT_PATH,
        verify: config.RUNTIME_TLS_REJECT_UNAUTHORIZED !== '0'
      }),
      proxy: { http: config.HTTP_PROXY, https: config.HTTPS_PROXY, no: config.NO_PROXY }
    }
    const ownUrls = [home, config.HTTP_PROXY, config.HTTPS_PROXY].filter(url => url !== '')
    const names = new Names(ownUrls.map(url => new URL(url).hostname))
    fastify.decorate('network', {
      home,
      hosts,
      dispatcher: (of, own) => createDispatcher({ ...options, lookup: names.lookup(of), ...own })
    })
    fastify.decorate(
      'apiUrls',
      new ApiUrls({
        dynamic: config.ENABLE_DYNAMIC_API_URL,
        home,
        homeIsSet: fastify.isSet('FORGE_API_URL'),
        hosts
      })
    )
  },
  { fastify: '5.x', name: 'network', dependencies: ['env'] }
)
