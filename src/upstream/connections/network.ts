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
  const hosts = hostsOf(config, home)
  const proxyUrls = [config.HTTP_PROXY, config.HTTPS_PROXY].filter(url => url !== '')
  for (const url of proxyUrls) hideProxyCredentials(url)
  const names = namesWith([...proxyUrls, home], onTrouble)
  const dispatchers = new Dispatchers(config, hosts, names)
  return {
    home,
    hosts,
    look: onCut => dispatchers.look(onCut),
    find: hostname =>
      proxyUrls.length > 0 ? Promise.resolve({ addresses: [hostname] }) : names.find(hostname),
    dispatcher: (of, own) => dispatchers.make(of, own)
  }
}

function hostsOf(config: Config, home: string): Network['hosts'] {
  const policy = {
    allowed: entries(config.FORGE_ALLOWED_HOSTS),
    denyPrivate: config.FORGE_DENY_PRIVATE_ADDRESSES
  }
  return {
    home: new HostPolicy({ ...policy, home: new URL(home).origin }),
    callers: new HostPolicy(policy)
  }
}

/**
 * The resolver of names.
 * @param own URLs of the operator, whose names are used for a while after they are no longer found
 */
function namesWith(
  own: readonly string[],
  onTrouble: ((host: string, trouble: ForgeError) => void) | undefined
): HostNames {
  const hosts = new Map(own.map(url => [new URL(url).hostname, new URL(url).host]))
  return new HostNames(hosts.keys(), {
    onStale: (name, cause) =>
      onTrouble?.(
        hosts.get(name) ?? name,
        new ForgeError(
          'dns',
          `${name} is not found any more: until it is, its last address is used, for a day at most.`,
          {
            cause
          }
        )
      )
  })
}

/** Makes dispatchers with the operator's settings, and with the bounds that they share. */
class Dispatchers {
  readonly #hosts: Network['hosts']
  readonly #names: HostNames
  readonly #concurrency: number
  readonly #ways: Pick<DispatcherOptions, 'tls' | 'proxy'>
  readonly #hangUps = new HangUps()
  /**
   * Callers of the operator's forge, which everybody uses, must not wait because of what callers' forges send or fail
   * to accept.
   */
  readonly #paces = { home: new ReadPace(HOME_BUDGET_MS), callers: new ReadPace() }
  readonly #givenUp = { home: new GivenUp(), callers: new GivenUp() }
  readonly #strangers: { readonly handshakes: Handshakes; readonly open: OpenConnections }

  constructor(config: Config, hosts: Network['hosts'], names: HostNames) {
    this.#hosts = hosts
    this.#names = names
    this.#concurrency = config.FORGE_MAX_CONCURRENCY
    this.#ways = {
      tls: tlsTrust({
        caPath: config.FORGE_CA_CERT_PATH,
        verify: config.RUNTIME_TLS_REJECT_UNAUTHORIZED !== '0'
      }),
      proxy: { http: config.HTTP_PROXY, https: config.HTTPS_PROXY, no: config.NO_PROXY }
    }
    this.#strangers = { handshakes: new Handshakes(), open: OpenConnections.for(this.#concurrency) }
  }

  /** As Network.look. */
  look(onCut: (address: string) => void): Promise<void> {
    return this.#strangers.open.look(onCut)
  }

  /** As Network.dispatcher. */
  make(...[of, own]: Parameters<Network['dispatcher']>): Dispatcher {
    // Client documents, too, are fetched from hosts that callers choose.
    const whose = of === 'home' ? 'home' : 'callers'
    return createDispatcher({
      ...this.#ways,
      addresses: origin => this.#hosts[whose].addresses(origin),
      lookup: own?.lookup ?? this.#names.lookup(of === 'documents' ? 'documents' : 'callers'),
      bounds: (of === 'home' ? forgeBounds : callersForgeBounds)(this.#concurrency),
      pace: this.#paces[whose],
      givenUp: this.#givenUp[whose],
      hangUps: this.#hangUps,
      ...(of !== 'home' && { strangers: this.#strangers }),
      ...own
    })
  }
}
