import { buildConnector, type Pool } from 'undici'
import { shortReads } from './forge-queues.ts'
import type { StrangersBounds } from './guarded-connector.ts'
import { overTcp } from './layers.ts'
import { secureConnector } from './secure-connector.ts'
import { bareTunnel } from './tunnels.ts'

/**
 * The connectors for undici's pools to a proxy, and through one, with the bounds for hosts that callers choose. For the
 * operator's forge they are undici's own connectors.
 */
export class ProxyConnectors {
  readonly #strangers: StrangersBounds | undefined
  readonly #dial: buildConnector.connector
  readonly #secure: buildConnector.connector

  /** @param connection options of undici's own connector @param strangers undefined for the operator's forge */
  constructor(connection: buildConnector.BuildOptions, strangers: StrangersBounds | undefined) {
    this.#strangers = strangers
    this.#dial = buildConnector({ ...connection, ...shortReads })
    this.#secure = secureConnector(connection)
  }

  /** Options for a pool to the proxy itself. */
  toProxy(options: Pool.Options): Pool.Options {
    return this.#strangers !== undefined && typeof options.connect === 'function'
      ? { ...options, connect: overTcp(this.#dial, options.connect) }
      : options
  }

  /** Options for a pool through a tunnel. @param domain the domain that its connections count for */
  overTunnel(options: Pool.Options, domain: string): Pool.Options {
    const strangers = this.#strangers
    if (strangers === undefined || typeof options.connect !== 'function') return options
    const bare = strangers.open.connector(bareTunnel(options.connect), domain)
    return { ...options, connect: strangers.handshakes.connector(bare, this.#secure, strangers, domain) }
  }

  /** Counts the connections of a connector for a domain. */
  counted(connect: buildConnector.connector, domain: string): buildConnector.connector {
    return this.#strangers?.open.connector(connect, domain) ?? connect
  }
}
