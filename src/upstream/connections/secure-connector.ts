import { isIP } from 'node:net'
import { type ConnectionOptions, connect } from 'node:tls'
import type { buildConnector } from 'undici'

/** The connection was not secure in time. */
class SecureTimeout extends Error {
  /** The code of undici's own connector. */
  readonly code = 'UND_ERR_CONNECT_TIMEOUT'
  constructor(host: string, ms: number) {
    super(`${host} has not made the connection secure in ${ms} ms`)
    this.name = 'SecureTimeout'
  }
}

/**
 * Speaks TLS over a connected socket, like undici's own connector, but resumes no sessions. If anybody listens for
 * sessions, as undici's connector does, Node copies each ticket that arrives, and tickets then take three times as
 * long.
 * @param options settings of TLS; `timeout` is milliseconds until the connection must be secure
 */
export const secureConnector =
  ({ timeout, ...options }: buildConnector.BuildOptions): buildConnector.connector =>
  ({ hostname, servername, httpSocket }, callback) => {
    const settings: ConnectionOptions = {
      ...options,
      socket: httpSocket!,
      host: hostname,
      servername: servername || (isIP(hostname) === 0 ? hostname : ''),
      ALPNProtocols: ['http/1.1']
    }
    const socket = connect(settings)
    const ms = timeout ?? 10_000
    let waits = true
    const end = (...result: Parameters<typeof callback>) => {
      clearTimeout(timer)
      if (waits) callback(...result)
      waits = false
    }
    const timer = setTimeout(() => {
      const late = new SecureTimeout(hostname, ms)
      socket.destroy(late)
      end(late, null)
    }, ms).unref()
    socket.once('secureConnect', () => end(null, socket)).on('error', error => end(error, null))
  }
