import { isIP } from 'node:net'
import { type ConnectionOptions, connect } from 'node:tls'
import type { buildConnector } from 'undici'

/** The connection was not secure in time. */
class SecureTimeout extends Error {
  /** As undici's own connector has it. */
  readonly code = 'UND_ERR_CONNECT_TIMEOUT'
  constructor(host: string, ms: number) {
    super(`${host} has not made the connection secure in ${ms} ms`)
    this.name = 'SecureTimeout'
  }
}

/**
 * Speaks TLS over what is connected, as undici's own connector does, but resumes nothing. Whoever listens for sessions, as
 * that one does, has Node copy each ticket that comes, and tickets then take three times as long.
 * @param options settings of TLS @param ms milliseconds until the connection must be secure
 */
export const secureConnector =
  ({ timeout, ...options }: buildConnector.BuildOptions, ms = timeout ?? 10_000): buildConnector.connector =>
  ({ hostname, servername, httpSocket }, callback) => {
    const settings: ConnectionOptions = {
      ...options,
      socket: httpSocket!,
      host: hostname,
      servername: servername || (isIP(hostname) === 0 ? hostname : ''),
      ALPNProtocols: ['http/1.1']
    }
    const socket = connect(settings)
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
