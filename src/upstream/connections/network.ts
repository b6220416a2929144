import type { Dispatcher } from 'undici'
import { type Config, entries } from '../../config/schema.ts'
import { hideProxyCredentials } from '../../log/proxy-credentials.ts'
import { ForgeError } from '../errors.ts'
import { HostPolicy } from '../hosts/hosts.ts'
import { type FoundHost, HostNames } from '../hosts/names.ts'
import { normalizeApiUrl } from '../hosts/url.ts'
import { callersForgeBounds, createDispatcher, type DispatcherOptions, forgeBounds } from './dispatcher.ts'
import { GivenUp } from './given-up.ts'
import { Handshakes } from './handshakes.ts'
import { HangUps } from './hang-ups.ts'
import { OpenConnections } from './open-connections.ts'
import { ReadPace } from './read-pace.ts'
import { tlsTrust } from './tls.ts'

/** Milliseconds per turn of the event loop for reading answers of FORGE_API_URL (ReadPace). */
const HOME_BUDGET_MS = 8

/** Whose sessions: those of FORGE_API_URL ('home'), or those of callers' own forges ('callers'). */
export type SessionsOf = 'home' | 'callers'

/** All outgoing access: which hosts may be requested, and the connections to them. */
export interface Network {
  /** FORGE_API_URL, normalized. */
  readonly home: string
  /** Which hosts may be asked in sessions of FORGE_API_URL, and in those of callers' own forges. */
  readonly hosts: Readonly<Record<SessionsOf, HostPolicy>>
  /**
   * Looks up the host of a forge that a caller names. If a proxy resolves names, only the name is returned. @throws if
   * the host is not found
   */
  find(hostname: string): Promise<FoundHost>
  /**
   * Creates a dispatcher with the operator's proxies and certificates; the caller must close it.
   * @param own an address policy and limits instead of those for forges, and facts about the host, such as the resolver
   * that found it
   */
  dispatcher(
    of: SessionsOf | 'documents',
    own?: Pick<DispatcherOptions, 'addresses' | 'bounds' | 'hasServed' | 'lookup'>
  ): Dispatcher
  /**
   * Bounds the bytes of answers and requests that the kernel holds for callers' forges. Call it about twice a second.
   * @param onCut called for each connection that is closed because of this, with the address of the forge, or its
   * domain if a proxy connects
   */
  look(onCut: (address: string) => void): Promise<void>
}

/**
 * Applies the policy and the settings of the configuration to every connection that this service makes. From then on,
 * the credentials for proxies are removed from refusals and from the log.
 * @param onTrouble called with the host of the forge or proxy whose name is no longer found
 * @throws Error if the file of FORGE_CA_CERT_PATH cannot be used
 */
export function createNetwork(
  config: Config,
  onTrouble?: (host: string, trouble: ForgeError) => void
): Network {
  const home = normalizeApiUrl(config.FORGE_API_URL)!
  const policy = {
    allowed: entries(config.FORGE_ALLOWED_HOSTS),
    denyPrivate: config.FORGE_DENY_PRIVATE_ADDRESSES
  }
  const hosts = {
    home: new HostPolicy({ ...policy, home: new URL(home).origin }),
    callers: new HostPolicy(policy)
  }
  const options = {
    tls: tlsTrust({
      caPath: config.FORGE_CA_CERT_PATH,
      verify: config.RUNTIME_TLS_REJECT_UNAUTHORIZED !== '0'
    }),
    proxy: { http: config.HTTP_PROXY, https: config.HTTPS_PROXY, no: config.NO_PROXY }
  }
  const proxyUrls = [config.HTTP_PROXY, config.HTTPS_PROXY].filter(url => url !== '')
  for (const url of proxyUrls) hideProxyCredentials(url)
  const hangUps = new HangUps()
  // Callers of the operator's forge, which everybody uses, must not wait because of what callers' forges send or fail
  // to accept.
  const paces = { home: new ReadPace(HOME_BUDGET_MS), callers: new ReadPace() }
  const givenUp = { home: new GivenUp(), callers: new GivenUp() }
  const strangers = {
    handshakes: new Handshakes(),
    open: OpenConnections.for(config.FORGE_MAX_CONCURRENCY)
  }
  const own = new Map([...proxyUrls, home].map(url => [new URL(url).hostname, new URL(url).host]))
  const names = new HostNames(own.keys(), {
    onStale: (name, cause) =>
      onTrouble?.(
        own.get(name) ?? name,
        new ForgeError(
          'dns',
          `${name} is not found any more: until it is, its last address is used, for a day at most.`,
          {
            cause
          }
        )
      )
  })
  return {
    home,
    hosts,
    look: onCut => strangers.open.look(onCut),
    find: hostname =>
      proxyUrls.length > 0 ? Promise.resolve({ addresses: [hostname] }) : names.find(hostname),
    dispatcher(of, own) {
      // Client documents, too, are fetched from hosts that callers choose.
      const whose = of === 'home' ? 'home' : 'callers'
      return createDispatcher({
        ...options,
        addresses: origin => hosts[whose].addresses(origin),
        lookup: own?.lookup ?? names.lookup(of === 'documents' ? 'documents' : 'callers'),
        bounds: (of === 'home' ? forgeBounds : callersForgeBounds)(config.FORGE_MAX_CONCURRENCY),
        pace: paces[whose],
        givenUp: givenUp[whose],
        hangUps,
        ...(of !== 'home' && { strangers }),
        ...own
      })
    }
  }
}
