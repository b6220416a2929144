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

/** Milliseconds per turn, for ReadPace. */
const HOME_BUDGET_MS = 8

/** Sessions of FORGE_API_URL, or of callers' own forges. */
export type SessionsOf = 'home' | 'callers'

/** All outgoing access: which hosts may be requested, and the connections to them. */
export interface Network {
  /** FORGE_API_URL, normalized. */
  readonly home: string
  /** Which hosts may be asked in sessions of FORGE_API_URL, and in those of callers' own forges. */
  readonly hosts: Readonly<Record<SessionsOf, HostPolicy>>
  /** Finds the host of a forge that a caller names; only its name if a proxy resolves it. @throws if it is not found */
  find(hostname: string): Promise<FoundHost>
  /**
   * A new dispatcher with the operator's proxies and certificates; the caller must close it.
   * @param own an address policy and limits instead of those for forges, and what is known of the host, such as the
   * resolver that found it
   */
  dispatcher(
    of: SessionsOf | 'documents',
    own?: Pick<DispatcherOptions, 'addresses' | 'bounds' | 'hasServed' | 'lookup'>
  ): Dispatcher
  /**
   * Bounds what the kernel holds of answers of callers' forges. To be called twice a second or so.
   * @param onCut called for each connection that is cut for it, with the address of the forge, behind a proxy its domain
   */
  look(onCut: (address: string) => void): Promise<void>
}

/**
 * The policy and the settings of every connection that this service makes. What it logs in to proxies with is taken out
 * of refusals and the log from then on.
 * @param onTrouble called with the host of the forge or a proxy whose name is no longer found
 * @throws Error for FORGE_CA_CERT_PATH
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
  // Callers of the operator's forge, which everybody uses, must not wait for what callers' forges send or do not
  // receive.
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
      // Client documents are also at hosts that callers choose.
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
