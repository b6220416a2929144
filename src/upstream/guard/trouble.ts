import { SampledLines, troubleSampling, type Write } from '../../log/sampled-lines.ts'
import { ForgeError, ForgeStatusError, Intercepted, isUnreachable } from '../errors.ts'
import { ForbiddenAddressError } from '../hosts/addresses.ts'

/*
 * What can go wrong between this service and a forge, classified for whoever has to fix it: in the label `outcome` of
 * upstream_request_duration_seconds, in the log, and by the doctor.
 */

/** A failed exchange: the status that the forge answered, or why it did not. */
export type Trouble = number | ForgeError

/** What a forge said with an error status. */
export interface Told {
  readonly says?: string | undefined
  /** Seconds that it asks callers to wait. */
  readonly retryAfter?: number | undefined
  /** Its own id of the request, by which it is found in its log. */
  readonly requestId?: string | readonly string[] | undefined
  /** The template of what was asked for. */
  readonly at?: string | undefined
}

const noFiles =
  'It is not the forge: this process may open no more files and connections. Raise its limit of open files (ulimit -n, LimitNOFILE), and see in process_open_fds what it needs.'

/** What to do about a forge's name, certificate or handshake, if the error code says more than the kind. */
const ofCode: Readonly<Record<string, string>> = {
  EAI_AGAIN:
    'The name server did not answer: check the network of this machine, which name servers it asks (/etc/resolv.conf), and whether firewalls and network policies let through to them.',
  FORBIDDEN_ADDRESS:
    'Its name is found at an address that is never asked (foundAt): have the name server give that of the forge, where a filter stands between (0.0.0.0, 198.18.0.0/15). Where it is that of a translator (NAT64), set HTTPS_PROXY to a proxy that reaches the forge.',
  EMFILE: noFiles,
  ENFILE: noFiles,
  CERT_HAS_EXPIRED:
    'The certificate has expired: who runs the forge has to renew it. Or the date of this machine is wrong.',
  CERT_NOT_YET_VALID:
    'The certificate is not valid yet: the date of this machine is wrong, or that of who signed it.',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'Its certificate is signed by itself alone: set FORGE_CA_CERT_PATH to a file with that certificate itself, which is read at the start: restart after a change of it. Where the system trusts it, NODE_USE_SYSTEM_CA=1 does, too.',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'The certificate is for another name: check the host in the URL of the forge.',
  ERR_SSL_WRONG_VERSION_NUMBER:
    'What listens there speaks no TLS: check the port in the URL of the forge, and whether it is an http:// one.',
  ERR_SSL_PACKET_LENGTH_TOO_LONG:
    'What listens there speaks no TLS: check the port in the URL of the forge, and whether it is an http:// one.'
}

const unheardProxy =
  'The proxy did not answer at its address: check that in HTTP_PROXY and HTTPS_PROXY, and what firewalls and network policies let out to its port (in the chart networkPolicy.egress.ports).'

/** What to do about a proxy, if the error code says more than the kind. */
const ofProxyCode: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: unheardProxy,
  ETIMEDOUT: unheardProxy
}

/** What to do about each kind. */
const advice: Readonly<Record<string, string>> = {
  dns: 'Check the name in the URL of the forge, and the name servers of this machine.',
  tls: 'Set FORGE_CA_CERT_PATH to a file with the authority that signed its certificate, and those in between where the forge does not send them. It is read at the start: restart after a change of it. Where the system trusts that authority, NODE_USE_SYSTEM_CA=1 does, too. Of an expired or foreign one tell who runs the forge.',
  proxy:
    'Check HTTP_PROXY, HTTPS_PROXY (the URL of a proxy mostly begins with http:// for https forges, too) and NO_PROXY, and what the proxy allows.',
  unreachable:
    'Check that the forge runs, the host and port in its URL (in a container localhost is that container), and what firewalls and network policies let through.',
  timeout: 'The forge is slow, or packets to it are dropped: look at its own load, then at firewalls.',
  'bad-answer':
    'What answers is no forge: check the URL, and what stands before the forge, such as a firewall, a login page or a proxy.',
  limited:
    'The forge limits how often it is asked: see which principal asks most, have its limits raised, or lower FORGE_MAX_CONCURRENCY.',
  '5xx': 'The forge is in trouble: look at its own log.'
}

const TOO_MANY = 429

const wantsCertificate = /^ERR_SSL_\S*ALERT_(?:CERTIFICATE_REQUIRED|BAD_CERTIFICATE|HANDSHAKE_FAILURE)$/

/** What to do about a forge, or what stands before it, that demands a certificate of its clients. */
export const noClientCertificates =
  'Client certificates are not supported here: have it let this service in without one, as by its address.'

const noCertificate = `It ended the handshake: mostly it demands a certificate of its clients. ${noClientCertificates}`

/** What to do about trouble of a kind. @param cause of a fault, whose code may say more */
export const adviceOn = (kind: string, cause?: unknown): string | undefined =>
  ofCodeAt(kind, (cause as NodeJS.ErrnoException | undefined)?.code ?? '') ?? advice[kind]

const ofCodeAt = (kind: string, code: string): string | undefined =>
  wantsCertificate.test(code) ? noCertificate : (kind === 'proxy' ? ofProxyCode : ofCode)[code]

/** The kind of trouble; undefined for what is not a problem of the forge or of the connection to it. */
export function kindOf(trouble: Trouble): string | undefined {
  if (trouble === TOO_MANY) return 'limited'
  if (typeof trouble === 'number') return trouble >= 500 ? '5xx' : undefined
  const { fault } = trouble
  if (fault === 'unanswered') return 'timeout'
  return isUnreachable(fault) || fault === 'timeout' || fault === 'bad-answer' ? fault : undefined
}

/**
 * Milliseconds without the beginning of an answer from which on it says something of the forge if a caller gives up: most
 * clients do so after ten seconds or more, and then a forge that hangs would look like callers who change their minds.
 */
const SILENT_MS = 5_000

/** The error of an exchange that took so many milliseconds: `unanswered` for a cancellation that shows such a silence. */
export function orUnanswered(error: unknown, ms: number): unknown {
  if (!(error instanceof ForgeError) || error.fault !== 'cancelled') return error
  if (!error.isUnanswered || ms < SILENT_MS) return error
  const seconds = Math.floor(ms / 1000)
  return new ForgeError(
    'unanswered',
    `The forge had not begun to answer for ${seconds} s when its caller gave up.`
  )
}

/**
 * The kind of trouble that a call has failed with. If it was not sent: `down` because of earlier trouble, or `busy`
 * because too many others are under way.
 */
export function troubleIn(error: unknown): string | undefined {
  if (error instanceof ForgeStatusError) return kindOf(error.status)
  if (!(error instanceof ForgeError)) return undefined
  return error.fault === 'down' || error.fault === 'busy' ? error.fault : kindOf(error)
}

/**
 * Logs a line for each kind of trouble, with the host, the problem and what to do; of many at once only the first ones.
 */
export class TroubleLines {
  readonly #lines: SampledLines
  readonly #home: string
  readonly #proxies: string
  readonly #isProxied: (host: string) => boolean

  /**
   * @param write writes a line
   * @param home host of the forge whose lines must not be used up by those of callers' forges
   * @param proxies hosts of the proxies in front of forges
   * @param isProxied whether requests to a host go through one
   */
  constructor(
    write: Write,
    home: string,
    proxies: readonly string[] = [],
    isProxied: (host: string) => boolean = () => false
  ) {
    this.#isProxied = isProxied
    this.#home = home
    this.#proxies = [...new Set(proxies)].join(' or ')
    this.#lines = new SampledLines(write, troubleSampling, {
      kind: 'trouble',
      more: 'more trouble with forges'
    })
  }

  /** @param host of the forge @param what it said, if the trouble is a status */
  add(host: string, trouble: Trouble, told: Told = {}): void {
    const kind = kindOf(trouble)
    if (kind === undefined) return
    this.#lines.add(
      host === this.#home ? kind : `${kind} of callers’ forges`,
      'trouble with a forge',
      () => ({
        trouble: kind,
        host,
        ...(told.at !== undefined && { at: told.at }),
        ...(this.#mayBeProxy(kind, host) && { proxy: this.#proxies }),
        ...(typeof trouble === 'number' ? statusOf(trouble, told) : reasonOf(trouble)),
        advice: isRedirect(trouble)
          ? redirected
          : adviceOn(kind, typeof trouble === 'number' ? undefined : trouble.cause)
      })
    )
  }

  /**
   * Whether a proxy may be the cause: it answers in place of a forge that is requested over plain http, and itself
   * waits for any forge.
   */
  #mayBeProxy(kind: string, host: string): boolean {
    if (this.#proxies === '') return false
    return kind === 'proxy' || ((kind === 'bad-answer' || kind === 'timeout') && this.#isProxied(host))
  }

  close(): void {
    this.#lines.close()
  }
}

const isRedirect = (trouble: Trouble): boolean => trouble instanceof Intercepted && trouble.status < 400

const redirected =
  'Where it leads to the forge, set the URL of the forge to that; where to a login page, what stands before the forge has to let API requests through.'

const statusOf = (status: number, { says = '', retryAfter, requestId }: Told) => ({
  status,
  ...(typeof requestId === 'string' && REQUEST_ID.test(requestId) && { forgeRequestId: requestId }),
  ...(retryAfter !== undefined && { retryAfter }),
  ...(says !== '' && { says: says.slice(0, MAX_CAUSE) })
})

const reasonOf = (error: ForgeError) => ({
  ...(error instanceof Intercepted && { status: error.status }),
  says: error.message,
  ...(error.cause instanceof ForbiddenAddressError && { foundAt: error.cause.address }),
  cause: error.cause instanceof Error ? error.cause.message.slice(0, MAX_CAUSE) : undefined
})

/** A forge's own id of a request; whatever else stands there is not logged. */
const REQUEST_ID = /^[\w.-]{1,64}$/

/** Most characters that are quoted of a library's message, or a forge's. */
const MAX_CAUSE = 300
