import { isIP } from 'node:net'
import { type buildConnector, type Dispatcher, Pool } from 'undici'
import type { HandshakeSocket } from './handshake-socket.ts'
import type { Handshakes } from './handshakes.ts'

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
    const timer = setTimeout(() => controller.abort(new TunnelTimeout()), ms).unref()
    connect({ ...target, signal } as buildConnector.Options, (...[error, socket]) => {
      clearTimeout(timer)
      tunnel.socket?.secured()
      if (error === null) callback(null, socket)
      else callback(error, null)
    })
  }

/** Makes the tunnels of one proxy; handshakes through them are bounded by the domain that is connected to. */
export class TunnelPool extends Pool {
  readonly #handshakes: Handshakes | undefined

  constructor(origin: string | URL, options: Pool.Options, handshakes: Handshakes | undefined) {
    super(origin, options)
    this.#handshakes = handshakes
  }

  // Only this of the two ways to call it is used by undici's ProxyAgent.
  override async connect(...args: unknown[]): Promise<Dispatcher.ConnectData> {
    const [options] = args as [Dispatcher.ConnectOptions]
    const made = await super.connect(options)
    const tunnel = tunnels.get(options.signal as object)
    if (this.#handshakes === undefined || tunnel?.target.protocol !== 'https:' || made.statusCode !== 200)
      return made
    tunnel.socket = this.#handshakes.over(made.socket, domainOf(tunnel.target.hostname))
    return { ...made, socket: tunnel.socket }
  }
}

/** The last two labels of a name: below one of their own anybody has any number of names. */
const domainOf = (hostname: string): string =>
  isIP(hostname.replace(/^\[(.*)\]$/, '$1')) === 0
    ? hostname.replace(/\.$/, '').split('.').slice(-2).join('.')
    : hostname
