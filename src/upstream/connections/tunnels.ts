import { isIP } from 'node:net'
import { type buildConnector, type Dispatcher, Pool } from 'undici'
import type { StrangersBounds } from './addresses.ts'
import { ConnectFailure } from './connect-failure.ts'
import type { HandshakeSocket } from './handshake-socket.ts'

/** One that is being made through a proxy. */
interface Tunnel {
  readonly target: buildConnector.Options
  socket?: HandshakeSocket
}

/** By what undici hands from whoever wants a tunnel to the pool that makes it. */
const tunnels = new WeakMap<object, Tunnel>()

class TunnelTimeout extends Error {
  readonly code = 'UND_ERR_CONNECT_TIMEOUT'
  constructor() {
    super('the proxy did not say in time that it has connected')
    this.name = 'TunnelTimeout'
  }
}

/**
 * A connector of undici's for what is behind a proxy that does not wait for ever: undici itself bounds the way to the
 * proxy and the handshake behind it, but gives the proxy five minutes to connect.
 * @param ms until the tunnel has to be there
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

/** Makes the tunnels of one proxy; they and handshakes through them are bounded by the domain that is connected to. */
export class TunnelPool extends Pool {
  readonly #strangers: StrangersBounds | undefined

  constructor(origin: string | URL, options: Pool.Options, strangers: StrangersBounds | undefined) {
    super(origin, options)
    this.#strangers = strangers
  }

  // Only this of the two ways to call it is used by undici's ProxyAgent.
  override async connect(...args: unknown[]): Promise<Dispatcher.ConnectData> {
    const [options] = args as [Dispatcher.ConnectOptions]
    const made = await super.connect(options)
    const tunnel = tunnels.get(options.signal as object)
    if (this.#strangers === undefined || tunnel?.target.protocol !== 'https:' || made.statusCode !== 200)
      return made
    const domain = domainOf(tunnel.target.hostname)
    const lost = this.#strangers.open.add(made.socket, domain)
    if (lost !== undefined) throw lost
    tunnel.socket = this.#strangers.handshakes.over(made.socket, domain, this.#strangers.mostBytes)
    return { ...made, socket: tunnel.socket }
  }
}

/** Labels below which a country's registry has names registered, as `co` in `co.uk`. */
const registries = new Set(['ac', 'co', 'com', 'edu', 'go', 'gov', 'ne', 'net', 'or', 'org'])

/** The last two labels of a name, or three below a registry's: below one of their own anybody has any number of names. */
export function domainOf(hostname: string): string {
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0) return hostname
  const labels = hostname.replace(/\.$/, '').split('.')
  const isRegistry = labels.at(-1)!.length === 2 && registries.has(labels.at(-2) ?? '')
  return labels.slice(isRegistry ? -3 : -2).join('.')
}
