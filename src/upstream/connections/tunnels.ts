import type { buildConnector } from 'undici'
import { ConnectFailure } from './connect-failure.ts'

/** The error code if a proxy was reached, but did not make the tunnel in time. */
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
    const timer = setTimeout(
      () => controller.abort(new ConnectFailure('proxy', new TunnelTimeout())),
      ms
    ).unref()
    connect({ ...target, signal } as buildConnector.Options, (...[error, socket]) => {
      clearTimeout(timer)
      if (error === null) callback(null, socket)
      else callback(error, null)
    })
  }

/**
 * Makes the tunnel without TLS through it, which is left to the caller: undici uses no TLS for plain http.
 * @param connect of undici's ProxyAgent
 */
export const bareTunnel =
  (connect: buildConnector.connector): buildConnector.connector =>
  (target, callback) => {
    // A host without a port means the port of https here. Undici would add that of http.
    const host = target.port === '443' ? `${target.host}:443` : target.host
    connect({ ...target, host } as buildConnector.Options, callback)
  }
