import { Agent, type buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import { domainOf } from '../../base/host-names.ts'
import { MAX_ANSWER_SECONDS, MAX_WAIT_SECONDS } from '../../base/longest-call.ts'
import { MIB } from '../../base/units.ts'
import type { AddressPolicy } from '../hosts/addresses.ts'
import type { HostLookup } from '../hosts/names.ts'
import { Asking } from './asking.ts'
import { ConnectFailure, staged } from './connect-failure.ts'
import { FewOrigins } from './few-origins.ts'
import { GivenUp } from './given-up.ts'
import { guardedConnector, type StrangersBounds } from './guarded-connector.ts'
import type { Handshakes } from './handshakes.ts'
import { HangUps } from './hang-ups.ts'
import { countedHeads } from './heads.ts'
import type { OpenConnections } from './open-connections.ts'
import { PlainOrigins } from './plain-origins.ts'
import { isLeftOut } from './proxied.ts'
import { ProxyConnectors } from './proxy-connectors.ts'
import { ReadPace } from './read-pace.ts'
import type { Dispatching } from './sent-request.ts'
import type { TlsTrust } from './tls.ts'
import { tunnelled } from './tunnels.ts'

/** Time-outs and sizes of upstream calls, in milliseconds and bytes. */
export const upstreamLimits = {
  connectMs: 5_000,
  /** Until a proxy has confirmed the tunnel. */
  tunnelMs: 10_000,
  headersMs: 30_000,
  idleMs: 30_000,
  /** The longest time for one request, and in all for the requests of a call that get no answer. */
  totalMs: MAX_WAIT_SECONDS * 1000,
  /** For logs and archives, from the first hop to the last byte. */
  streamMs: MAX_ANSWER_SECONDS * 1000,
  maxJsonBytes: 10 * MIB,
  /** Forges send a few kilobytes of headers. Node's own HTTP client accepts 16 KiB. */
  maxHeaderBytes: 32 * 1024,
  /** After this a connection is replaced, so that DNS changes take effect. */
  connectionMs: 300_000
} as const

/**
 * For pools and their connectors alike. HTTP/2 would put many requests on one connection, past the limits that apply
 * here.
 */
const HTTP1 = { allowH2: false }

interface ProxySettings {
  /** HTTP_PROXY, HTTPS_PROXY and NO_PROXY; empty for none. */
  readonly http: string
  readonly https: string
  readonly no: string
}

/** Limits that can differ between dispatchers. */
export interface DispatcherBounds {
  /** Most connections to one host. */
  readonly connections: number
  readonly headersMs: number
  readonly maxHeaderBytes: number
  /** Whether connections stay open for the next request. */
  readonly keepAlive: boolean
  /**
   * Longest time that an idle connection is kept, in ms, whatever the server announces; 4 s if it announces nothing.
   */
  readonly keptMs?: number
  /** Time a proxy has to connect, in ms; default as in upstreamLimits. */
  readonly tunnelMs?: number
  /**
   * Most bytes that one TLS connection to a host of a caller's choice may deliver, handshake included; default
   * unlimited.
   */
  readonly mostBytes?: number
}

export interface DispatcherOptions {
  /** The address policy of an origin; default all addresses that are not always refused. */
  readonly addresses?: (origin: string) => AddressPolicy
  readonly tls?: TlsTrust
  readonly proxy?: ProxySettings
  /** The resolver behind the address check. */
  readonly lookup?: HostLookup
  /** Default: those for forges, with 256 connections. */
  readonly bounds?: DispatcherBounds
  /** Paces the reading of answers. Dispatchers that get the same object share it; default: one of its own. */
  readonly pace?: ReadPace
  /** Counts the memory of requests that were given up. May be shared; default one of its own. */
  readonly givenUp?: GivenUp
  /** Counts the connections that are closed because callers hung up. May be shared; default one of its own. */
  readonly hangUps?: HangUps
  /** Shared by all dispatchers to hosts that callers choose. */
  readonly strangers?: { readonly handshakes: Handshakes; readonly open: OpenConnections }
  /** For those hosts: whether they have served anybody recently; default: no. */
  readonly hasServed?: () => boolean
}

/** @param connections the most requests that may be under way at once */
export const forgeBounds = (connections: number): DispatcherBounds => ({
  ...upstreamLimits,
  connections,
  keepAlive: true
})

/**
 * Accepts as many header bytes as Node's own client. A head from GitLab counts as about 7 KiB (heads.ts) plus its
 * links, of which 8 KiB are kept (reply-headers.ts). Idle connections are kept only briefly. Otherwise a forge that
 * asks to keep them for minutes, and that has as many names as the pool has places, would hold thousands of them.
 */
export const callersForgeBounds = (connections: number): DispatcherBounds => ({
  ...forgeBounds(connections),
  maxHeaderBytes: 16 * 1024,
  keptMs: 4_000
})

/**
 * A dispatcher for a forge, with connections that are reused. It follows no redirects, sends one request at a time over
 * each connection, and checks each address it connects to. If there is a proxy, the proxy resolves the names: then only
 * the checks before that apply (upstream/hosts/hosts.ts), and the proxy itself is the operator's choice. https goes
 * through a tunnel; for plain http the proxy gets the whole URL (RFC 9112 section 3.2.2), because many proxies tunnel
 * to port 443 only.
 */
export function createDispatcher({
  addresses,
  tls = {},
  proxy,
  lookup,
  bounds = forgeBounds(256),
  pace = new ReadPace(),
  givenUp = new GivenUp(),
  hangUps = new HangUps(),
  strangers,
  hasServed = () => false
}: DispatcherOptions = {}): Dispatcher & Dispatching {
  const asking = new Asking()
  const foreign = strangers && {
    ...strangers,
    asker: () => asking.holder,
    open: strangers.open.link(hasServed),
    mostBytes: bounds.mostBytes
  }
  const connection: buildConnector.BuildOptions = { timeout: upstreamLimits.connectMs, ...HTTP1, ...tls }
  const connect = countedHeads(
    pace.connector(
      policedConnector(addresses ?? (() => ({ denyPrivate: false })), connection, lookup, foreign)
    )
  )
  const kept = { givenUp, hangUps, plainOrigins: new PlainOrigins() }
  if (proxy === undefined || (proxy.http === '' && proxy.https === ''))
    return Object.assign(asking.of(new Agent({ connect, ...limitsOf(bounds) })), {
      ...kept,
      answering: () => pace.reading
    })
  const agents = proxyAgents(proxy, { asking, bounds, connect, connection, pace, strangers: foreign })
  return Object.assign(asking.of(new FewOrigins(agents)), {
    ...kept,
    isProxied: (origin: string) => proxy.http !== '' && !isLeftOut(new URL(origin).host, proxy.no)
  })
}

/** What pools to proxies, and through them, are made with. */
interface PoolParts {
  readonly asking: Asking
  readonly bounds: DispatcherBounds
  /** Connects to hosts that NO_PROXY excludes. */
  readonly connect: buildConnector.connector
  readonly connection: buildConnector.BuildOptions
  readonly pace: ReadPace
  readonly strangers: StrangersBounds | undefined
}

/** @returns a function that makes an agent for the proxies */
function proxyAgents(
  proxy: ProxySettings,
  { asking, bounds, connect, connection, pace, strangers }: PoolParts
): () => EnvHttpProxyAgent {
  const limits = limitsOf(bounds)
  const proxies = [proxy.http, proxy.https].filter(url => url !== '').map(url => new URL(url).origin)
  const ways = new ProxyConnectors(connection, strangers)
  const poolFor = (origin: string | URL, options: Pool.Options): Pool => {
    const isProxy = proxies.includes(new URL(origin).origin)
    // Each forge has its own connections to the proxy.
    const domain = domainOf(new URL(isProxy ? asking.origin : origin).hostname)
    // Hosts that are excluded by NO_PROXY come here as well.
    const isStraight = options.connect === connect
    const way = isProxy ? ways.toProxy(options) : isStraight ? options : ways.overTunnel(options, domain)
    const staged = stagedIn(way, isProxy, isStraight ? undefined : bounds.tunnelMs, way =>
      pace.connector(isProxy ? ways.counted(way, domain) : way, domain)
    )
    return new Pool(origin, { ...limits, ...options, ...staged })
  }
  return () =>
    new EnvHttpProxyAgent({
      connect,
      ...limits,
      httpProxy: proxy.http,
      httpsProxy: proxy.https,
      noProxy: proxy.no,
      requestTls: connection,
      proxyTls: connection,
      proxyTunnel: false,
      // Without a tunnel, undici passes only a connector for the connections to the proxy, and no limits.
      factory: poolFor,
      // Data from a tunnel is read by the TLS layer over it, which has a pace of its own (handshakes.ts).
      clientFactory: (origin, options) =>
        new Pool(origin, { ...options, ...stagedIn(ways.toProxy(options), true, bounds.tunnelMs) })
    })
}

/** The bounds as options of undici's pools. */
const limitsOf = (bounds: DispatcherBounds) => ({
  connections: bounds.connections,
  clientTtl: upstreamLimits.connectionMs,
  headersTimeout: bounds.headersMs,
  bodyTimeout: upstreamLimits.idleMs,
  maxHeaderSize: bounds.maxHeaderBytes,
  pipelining: bounds.keepAlive ? 1 : 0,
  ...(bounds.keptMs !== undefined && { keepAliveMaxTimeout: bounds.keptMs }),
  ...HTTP1
})

/**
 * Wraps the connector for undici's connections to a proxy, or through one, so that its errors name the stage that
 * failed.
 * @param ms milliseconds until the proxy must have connected
 * @param bounded limits the connections, if nothing else does
 */
function stagedIn(
  { connect }: Pool.Options,
  toProxy: boolean,
  ms: number = upstreamLimits.tunnelMs,
  bounded = (way: buildConnector.connector) => way
): Pool.Options {
  if (typeof connect !== 'function') return {}
  return { connect: countedHeads(bounded(staged(tunnelled(connect, ms), toProxy))) }
}

function policedConnector(
  addresses: (origin: string) => AddressPolicy,
  options: buildConnector.BuildOptions,
  lookup?: HostLookup,
  strangers?: StrangersBounds
): buildConnector.connector {
  const under = (policy: AddressPolicy) => staged(guardedConnector(policy, options, lookup, strangers))
  const home = under({ denyPrivate: false, isHome: true })
  const open = under({ denyPrivate: false })
  const strict = under({ denyPrivate: true })
  return (target, callback) => {
    const { denyPrivate, isHome } = addresses(`${target.protocol}//${target.host}`)
    return (isHome ? home : denyPrivate ? strict : open)(target, (...[error, socket]) => {
      if (error === null) return callback(null, socket)
      if (error instanceof ConnectFailure && error.stage === 'unreachable') lookup?.doubt?.(target.hostname)
      callback(error, null)
    })
  }
}
