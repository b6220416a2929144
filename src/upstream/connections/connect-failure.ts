import type { buildConnector } from 'undici'
import { ForbiddenAddressError } from './addresses.ts'

/** Where on the way to a forge it ended: its name, its certificate, a proxy before it, or the network. */
export type ConnectStage = 'dns' | 'tls' | 'proxy' | 'unreachable'

/** What undici says of a proxy that ends the connection over which it was asked for a tunnel, and what others do. */
const HUNG_UP = 'UND_ERR_PRX_CONN'
const RESET = 'ECONNRESET'

/** No connection was made, so nothing was sent. It holds the code of its cause, by which others tell it apart. */
export class ConnectFailure extends Error {
  readonly stage: ConnectStage
  readonly code: string
  constructor(stage: ConnectStage, cause: Error) {
    super(cause.message, { cause })
    this.name = 'ConnectFailure'
    this.stage = stage
    const code = (cause as NodeJS.ErrnoException).code ?? cause.name
    this.code = code === HUNG_UP ? RESET : code
  }
}

/** Of Node's resolvers; lookup.ts names its own so. */
const lookups = /^(?:getaddrinfo|query)/

/** Of certificates (X509_V_ERR_… of OpenSSL) and of handshakes. */
const tls =
  /^(?:ERR_(?:TLS|SSL|OSSL)_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|PATH_LENGTH_EXCEEDED|EPROTO$)/

/** Whether an answer broke the rules of HTTP, by the code of its error. */
export const isNoHttp = (code: string): boolean =>
  code.startsWith('HPE_') ||
  code === 'HTTPParserError' ||
  // What undici takes for impossible, as a change of protocols that nobody asked for.
  code === 'ERR_ASSERTION' ||
  code === 'UND_ERR_HEADERS_OVERFLOW' ||
  code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'

function stageOf(error: NodeJS.ErrnoException): ConnectStage {
  if (lookups.test(error.syscall ?? '')) return 'dns'
  if (tls.test(error.code ?? '')) return 'tls'
  // Nobody but a proxy speaks HTTP before there is a connection.
  return error.code === HUNG_UP || isNoHttp(error.code ?? error.name) || proxyStatus(error) !== undefined
    ? 'proxy'
    : 'unreachable'
}

/** What a proxy answered instead of making a tunnel, as undici tells it. */
export const proxyStatus = ({ message }: Error): string | undefined =>
  /^Proxy (?:response|Authentication Required) \((\d+)\)/.exec(message)?.[1]

/**
 * A connector of undici that says where it failed. What it has made ends with an error: of TLS that breaks on an open
 * connection Node only tells, and then keeps in memory whatever comes.
 * @param toProxy whatever befalls a connection to a proxy is the proxy's
 */
export const staged =
  (connect: buildConnector.connector, toProxy = false): buildConnector.connector =>
  (target, callback) =>
    connect(target, (...[error, socket]) => {
      if (error === null) callback(null, socket.on('error', () => socket.destroy()) as never)
      else if (error instanceof ConnectFailure || error instanceof ForbiddenAddressError)
        callback(error, null)
      else callback(new ConnectFailure(toProxy ? 'proxy' : stageOf(error), error), null)
    })
