import type { buildConnector } from 'undici'
import { ForbiddenAddressError } from '../hosts/addresses.ts'

/** The stage at which connecting to a forge failed: DNS, TLS, a proxy in front of it, or the network. */
export type ConnectStage = 'dns' | 'tls' | 'proxy' | 'unreachable'

/** The error code of undici if a proxy closes the connection over which it was asked for a tunnel. */
const HUNG_UP = 'UND_ERR_PRX_CONN'
const RESET = 'ECONNRESET'

/** The error code of an answer with too many informational heads before it (heads.ts). */
export const MANY_HEADS = 'MANY_INFORMATIONAL_HEADS'

/** No connection was made, so nothing was sent. It has the code of its cause, by which it is classified. */
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

/** System calls of Node's resolvers; upstream/hosts/lookup.ts uses the same names. */
const lookups = /^(?:getaddrinfo|query)/

/** Codes of certificate errors (X509_V_ERR_… of OpenSSL) and of handshake errors. */
const tls =
  /^(?:ERR_(?:TLS|SSL|OSSL)_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|PATH_LENGTH_EXCEEDED|EPROTO$)/

/** Whether an error code means that an answer was not valid HTTP. */
export const isNoHttp = (code: string): boolean =>
  code.startsWith('HPE_') ||
  code === 'HTTPParserError' ||
  code === MANY_HEADS ||
  // What undici considers impossible, such as a switch of protocols that nobody asked for.
  code === 'ERR_ASSERTION' ||
  code === 'UND_ERR_HEADERS_OVERFLOW' ||
  code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'

function stageOf(error: NodeJS.ErrnoException): ConnectStage {
  if (lookups.test(error.syscall ?? '')) return 'dns'
  if (tls.test(error.code ?? '')) return 'tls'
  // Only a proxy speaks HTTP before there is a connection.
  return error.code === HUNG_UP || isNoHttp(error.code ?? error.name) || proxyStatus(error) !== undefined
    ? 'proxy'
    : 'unreachable'
}

/** The status that a proxy answered instead of making a tunnel, taken from undici's message. */
export const proxyStatus = ({ message }: Error): string | undefined =>
  /^Proxy (?:response|Authentication Required) \((\d+)\)/.exec(message)?.[1]

/**
 * Wraps a connector of undici so that its errors tell the stage that failed. Its connections are destroyed on error: if
 * TLS fails on an open connection, Node only reports it, and then buffers whatever arrives.
 * @param toProxy any failure of a connection to a proxy is blamed on the proxy
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
