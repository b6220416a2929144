import { isIP } from 'node:net'
import { type buildConnector, type Dispatcher, Pool } from 'undici'
import { ConnectFailure } from './connect-failure.ts'
import type { StrangersBounds } from './guarded-connector.ts'
import type { HandshakeSocket } from './handshake-socket.ts'

/** A tunnel that is being made through a proxy. */
interface Tunnel {
  readonly target: buildConnector.Options
  socket?: HandshakeSocket
}

/** Keyed by the object that undici passes from the request for a tunnel to the pool that makes it. */
const tunnels = new WeakMap<object, Tunnel>()

/** The error code of a tunnel that a proxy, which was reached, did not make in time. */
export const TUNNEL_TIMEOUT = 'TUNNEL_TIMEOUT'

class TunnelTimeout extends Error {
  readonly code = TUNNEL_TIMEOUT
  constructor() {
    super('the proxy did not say in time that it has connected')
    this.name = 'TunnelTimeout'
  }
}

/**
 * A connector of undici for hosts behind a proxy, with a time limit. Undici itself limits the connection to the proxy
 * and the handshake through the tunnel, but gives the proxy five minutes to connect.
 * @param ms milliseconds until the tunnel must be ready
 */
export const tunnelled =
  (connect: buildConnector.connector, ms: number): buildConnector.connector =>
  (target, callback) => {
    const controller = new AbortController()
    const { signal } = controller
    const tunnel: Tunnel = { target }
    tunnels.set(signal, tunnel)
    const timer = setTimeout(
      () => controller.abort(new ConnectFailure('proxy', new TunnelTimeout())),
      ms
    ).unref()
    connect({ ...target, signal } as buildConnector.Options, (...[error, socket]) => {
      clearTimeout(timer)
      if (error !== null) return callback(error, null)
      tunnel.socket?.secured(socket)
      callback(null, socket)
    })
  }

/**
 * Makes the tunnels of one proxy. Tunnels and the handshakes through them are limited by the domain that is connected
 * to.
 */
export class TunnelPool extends Pool {
  readonly #strangers: StrangersBounds | undefined

  constructor(origin: string | URL, options: Pool.Options, strangers: StrangersBounds | undefined) {
    super(origin, options)
    this.#strangers = strangers
  }

  // undici's ProxyAgent uses only this one of the two signatures.
  override async connect(...args: unknown[]): Promise<Dispatcher.ConnectData> {
    const [options] = args as [Dispatcher.ConnectOptions]
    const asker = this.#strangers?.asker()
    const made = await super.connect(options)
    const tunnel = tunnels.get(options.signal as object)
    if (this.#strangers === undefined || tunnel?.target.protocol !== 'https:' || made.statusCode !== 200)
      return made
    const domain = domainOf(tunnel.target.hostname)
    const lost = this.#strangers.open.add(made.socket, domain)
    if (lost !== undefined) throw lost
    tunnel.socket = this.#strangers.handshakes.over(made.socket, domain, asker, this.#strangers.mostBytes)
    return { ...made, socket: tunnel.socket }
  }
}

/** Labels below which a country's registry registers names, such as `co` in `co.uk`. */
const registries = new Set(['ac', 'co', 'com', 'edu', 'go', 'gov', 'ne', 'net', 'or', 'org'])

/**
 * The registrable domain: the last two labels of a name, or three below such a label. Below a domain of their own,
 * anybody can have any number of names.
 */
export function domainOf(hostname: string): string {
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0) return hostname
  const labels = hostname.replace(/\.$/, '').split('.')
  const isRegistry = labels.at(-1)!.length === 2 && registries.has(labels.at(-2) ?? '')
  return labels.slice(isRegistry ? -3 : -2).join('.')
}
