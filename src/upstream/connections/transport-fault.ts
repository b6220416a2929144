import { hostOf } from '../../base/host-names.ts'
import { ForgeError } from '../errors.ts'
import { ForbiddenAddressError } from '../hosts/addresses.ts'
import { TOO_MANY_LOOKUPS } from '../hosts/lookup.ts'
import { UNREADABLE } from '../hosts/name-servers.ts'
import { ConnectFailure, type ConnectStage, isNoHttp, proxyStatus } from './connect-failure.ts'
import { TOO_MANY_CONNECTIONS } from './open-connections.ts'
import { TUNNEL_TIMEOUT } from './tunnels.ts'

/** The error code of a request that was not sent, because too many before it were given up (given-up.ts). */
export const GIVEN_UP = 'TOO_MANY_GIVEN_UP'

const timeouts = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
  // From a name server.
  'ETIMEOUT',
  TUNNEL_TIMEOUT
])

/**
 * Maps a transport failure to an error that a caller may see; addresses stay in `cause`, for the log.
 * @param origin of the forge, as callers may know it @param answered whether an answer has begun
 * @param isPlain whether its URL may rightly begin with http: it has answered before, or a proxy answers for it
 */
export function transportFault(error: Error, origin: string, answered: boolean, isPlain = false): ForgeError {
  const fault = faultOf(error, origin, answered, isPlain)
  const isUnasked = error instanceof ConnectFailure || error instanceof ForbiddenAddressError
  fault.isUnsent = isUnasked || proxyStatus(error) !== undefined
  return fault
}

/** For the operator's own forge, the fault is the same as if its name were not found. */
const forbiddenFault = (cause: ForbiddenAddressError): ForgeError =>
  new ForgeError(
    cause.isHome ? 'dns' : 'forbidden',
    `The forge may not be asked from here. ${cause.message}`,
    { cause }
  )

function faultOf(error: Error, origin: string, answered: boolean, isPlain: boolean): ForgeError {
  const host = hostOf(origin)
  const options = { cause: error }
  if (error instanceof ForbiddenAddressError) return forbiddenFault(error)
  const code = (error as NodeJS.ErrnoException).code ?? error.name
  // Connections are destroyed only when the service ends, never because of the forge.
  if (code === 'UND_ERR_DESTROYED')
    return new ForgeError('cancelled', 'The server ended before the forge answered.', options)
  // Without an answer of a name server or a proxy, the request has not reached the forge.
  const stage = stageOf(error)
  if (timeouts.has(code) && stage !== 'dns' && stage !== 'proxy')
    return new ForgeError('timeout', `The forge ${host} did not answer in time.`, options)
  if (stage !== 'proxy' && isNoHttp(code)) {
    const unreadable = unreadableBy(code, answered || isPlain ? '' : atTls(origin))
    return new ForgeError('bad-answer', `The answer of the forge ${host} ${unreadable}.`, options)
  }
  if (answered && stage === 'unreachable')
    return new ForgeError(
      stage,
      `The connection to the forge ${host} broke in the middle of its answer (${code}).`,
      options
    )
  return new ForgeError(
    stage,
    `The forge ${host} could not be reached${reasons[stage](error, code)}${hangUps.has(code) && !isPlain ? atTls(origin) : ''}.`,
    options
  )
}

/** Says why an answer cannot be read, as the rest of a sentence. @param hint another possible cause of invalid HTTP */
const unreadableBy = (code: string, hint: string): string =>
  code === 'UND_ERR_HEADERS_OVERFLOW'
    ? `has more headers than are read, with those that proxies on the way add (${code})`
    : `is not valid HTTP (${code})${hint}`

const hangUps = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

/**
 * A hint if a failure looks like that of a plain request to a TLS port. The forge may also have been stopped at that
 * moment.
 */
const atTls = (origin: string): string =>
  origin.startsWith('http:')
    ? '. Ports for https answer http:// like this: its URL may have to begin with https://'
    : ''

/** The other side has refused the handshake, in TLS 1.3 after the connection is made: it wants a client certificate. */
const alert = /^ERR_SSL_\S*ALERT/

const stageOf = (error: Error): ConnectStage => {
  if (error instanceof ConnectFailure) return error.stage
  if (alert.test((error as NodeJS.ErrnoException).code ?? '')) return 'tls'
  return proxyStatus(error) === undefined ? 'unreachable' : 'proxy'
}

/** Codes of lookups without an answer: nobody has said that the name does not exist. */
const silences = new Set(['EAI_AGAIN', 'ETIMEDOUT', 'ETIMEOUT', 'ECONNREFUSED'])

const reasons: Readonly<Record<ConnectStage, (error: Error, code: string) => string>> = {
  dns: (_error, code) => {
    if (code === TOO_MANY_LOOKUPS) return ': too many names are being looked up. Try again in a few seconds'
    if (code === UNREADABLE) return `: what its name server answers cannot be read (${code})`
    return silences.has(code)
      ? `: the name server did not answer (${code})`
      : `: its name is not found (${code})`
  },
  tls: (_error, code) => `: no TLS connection that is trusted here can be made to it (${code})`,
  proxy: (error, code) => {
    const status = proxyStatus(error)
    if (code === TUNNEL_TIMEOUT) return `: the proxy on the way did not connect to it in time (${code})`
    if (timeouts.has(code)) return `: the proxy on the way was not reached in time (${code})`
    if (isNoHttp(code)) return `: what answers in place of a proxy on the way is not HTTP (${code})`
    if (status === undefined) return `: the proxy on the way cannot be used (${code})`
    const login =
      status === '407'
        ? ' and wants a login, which goes into its URL as user:password@, or another than the one there'
        : ''
    return `: the proxy on the way answers ${status}${login}`
  },
  unreachable: (_error, code) =>
    code === TOO_MANY_CONNECTIONS
      ? `: too many connections to forges are open, and this one was given up (${code}). Try again with fewer calls at once`
      : `${ownLimits.has(code) ? ': this server can open no more connections' : ''} (${code})`
}

const ownLimits = new Set(['EMFILE', 'ENFILE'])

/**
 * Whether limits of this service caused a failure, so that the failure says nothing about the forge that was to be
 * asked.
 */
export const isOfOwnLimits = ({ cause }: ForgeError): boolean => {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code ?? ''
  return (
    code === TOO_MANY_LOOKUPS || code === TOO_MANY_CONNECTIONS || code === GIVEN_UP || ownLimits.has(code)
  )
}
