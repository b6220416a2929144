import { SampledLines, troubleSampling, type Write } from '../../log/sampled-lines.ts'
import { type ForgeError, Intercepted } from '../errors.ts'
import { ForbiddenAddressError } from '../hosts/addresses.ts'
import { kindOf, type Told, type Trouble } from './trouble.ts'
import { adviceOn } from './trouble-advice.ts'

/**
 * Logs a line for each kind of trouble, with the host, the problem and what to do. If there are many at once, only the
 * first ones are logged.
 */
export class TroubleLines {
  readonly #lines: SampledLines
  readonly #home: string
  readonly #proxies: string
  readonly #isProxied: (host: string, isPlain: boolean) => boolean

  /**
   * @param write writes a line
   * @param home host of the forge whose lines must not be used up by those of callers' forges
   * @param proxies hosts of the proxies in front of forges
   * @param isProxied whether requests to a host go through one, over plain http or TLS
   */
  constructor(
    write: Write,
    home: string,
    proxies: readonly string[] = [],
    isProxied: (host: string, isPlain: boolean) => boolean = () => false
  ) {
    this.#isProxied = isProxied
    this.#home = home
    this.#proxies = [...new Set(proxies)].join(' or ')
    this.#lines = new SampledLines(write, troubleSampling, {
      kind: 'trouble',
      more: 'more trouble with forges'
    })
  }

  /** @param host of the forge @param told what the forge said, if the trouble is a status */
  add(host: string, trouble: Trouble, told: Told = {}): void {
    const kind = kindOf(trouble)
    if (kind === undefined) return
    const mayBeProxy = this.#mayBeProxy(kind, host, told)
    this.#lines.add(
      host === this.#home ? kind : `${kind} of callers’ forges`,
      'trouble with a forge',
      () => ({
        trouble: kind,
        host,
        ...(told.at !== undefined && { at: told.at }),
        ...(mayBeProxy && { proxy: this.#proxies }),
        ...(typeof trouble === 'number' ? statusOf(trouble, told) : reasonOf(trouble)),
        advice:
          told.stoodStill === true && isOfWaiting(trouble) ? stoodStill : adviceFor(kind, trouble, mayBeProxy)
      })
    )
  }

  /**
   * Whether a proxy may be the cause. It answers in place of a forge that is requested over plain http, it may itself
   * wait in vain for any forge, end a tunnel that it has made, or open TLS itself. What has a forge's id of the request
   * is of the forge.
   */
  #mayBeProxy(kind: string, host: string, { isPlain = false, requestId }: Told): boolean {
    if (this.#proxies === '') return false
    if (kind === 'proxy') return true
    const isEither = ['bad-answer', 'timeout', 'tls', 'unreachable'].includes(kind)
    const isOwn = kind === '5xx' && isPlain && requestId === undefined
    return (isEither || isOwn) && this.#isProxied(host, isPlain)
  }

  close(): void {
    this.#lines.close()
  }
}

const isRedirect = (trouble: Trouble): boolean => trouble instanceof Intercepted && trouble.status < 400

/**
 * Whether an answer was waited for in vain, or its connection broke: a process that stands still reads nothing, and the
 * other side gives up. A name that is not found, or a connection that is refused, has another cause.
 */
const isOfWaiting = (trouble: Trouble): boolean =>
  typeof trouble !== 'number' &&
  (trouble.fault === 'timeout' ||
    trouble.fault === 'unanswered' ||
    (trouble.fault === 'unreachable' && !trouble.isUnsent))

const stoodStill =
  'This process itself stood still meanwhile (an earlier line says for how long), so this tells nothing of the forge: see why its machine or container was stopped, or had no CPU.'

const adviceFor = (kind: string, trouble: Trouble, mayBeProxy: boolean): string | undefined => {
  if (typeof trouble === 'number') return kind === '5xx' && mayBeProxy ? ofProxyOr5xx : adviceOn(kind)
  return isRedirect(trouble) ? redirected : adviceOn(kind, trouble.cause)
}

const ofProxyOr5xx =
  'The forge is in trouble, or the proxy, which answers in its place over plain http, as where it does not reach the forge: look at the log of the proxy, then at that of the forge.'

const redirected =
  'Where it leads to the forge, set the URL of the forge to that; where to a login page, what stands before the forge has to let API requests through.'

const statusOf = (status: number, { says = '', retryAfter, requestId }: Told) => ({
  status,
  ...(typeof requestId === 'string' && REQUEST_ID.test(requestId) && { forgeRequestId: requestId }),
  ...(Boolean(retryAfter) && { retryAfter }),
  ...(says !== '' && { says: says.slice(0, MAX_CAUSE) })
})

const reasonOf = (error: ForgeError) => ({
  ...(error instanceof Intercepted && { status: error.status }),
  says: error.message,
  ...(error.cause instanceof ForbiddenAddressError && { foundAt: error.cause.address }),
  cause: error.cause instanceof Error ? error.cause.message.slice(0, MAX_CAUSE) : undefined
})

/** A forge's own id of a request. Any other value is not logged. */
const REQUEST_ID = /^[\w.-]{1,64}$/

/** Most characters that are quoted of a library's message, or a forge's. */
const MAX_CAUSE = 300
