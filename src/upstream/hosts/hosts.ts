import { isIP } from 'node:net'
import { withoutBrackets } from '../../base/host-names.ts'
import { parsedUrl } from '../../base/parsed-url.ts'
import { type AddressPolicy, checkHost, classifyAddress } from './addresses.ts'

/*
 * Which hosts may be requested, decided before a name is resolved: by FORGE_ALLOWED_HOSTS and literal addresses. The
 * forge of FORGE_API_URL is the operator's own choice and needs no further permission in its own sessions; a redirect
 * to it from a caller's own forge does. Addresses that are always refused stay refused there too.
 */

/** A host that FORGE_ALLOWED_HOSTS does not name. */
export class ForbiddenHostError extends Error {
  readonly code = 'FORBIDDEN_HOST'
  constructor() {
    super('This host is not one that may be asked here (FORGE_ALLOWED_HOSTS).')
    this.name = 'ForbiddenHostError'
  }
}

interface HostPolicyOptions {
  /** Entries of FORGE_ALLOWED_HOSTS; an empty list allows every host. */
  readonly allowed: readonly string[]
  readonly denyPrivate: boolean
  /** Origin of FORGE_API_URL, in its own sessions. */
  readonly home?: string
}

/** From 1 to 65535, as a URL writes it. */
export const portPattern = /6553[0-5]|655[0-2]\d|65[0-4]\d{2}|6[0-4]\d{3}|[1-5]\d{4}|[1-9]\d{0,3}/.source

export const entryPattern = new RegExp(
  `^(\\*\\.)?([a-z0-9_-]+(?:\\.[a-z0-9_-]+)*|\\[[0-9a-f:.]+\\])(?::(${portPattern}))?$`,
  'i'
)

/**
 * Whether a text is a host (`forge.example`, `10.0.0.5`, `[::1]`) or any host below a name (`*.example`), either with a
 * port. Without a port it means https on 443: listing a forge must not allow everything else that listens on its host.
 */
export const isHostEntry = (entry: string): boolean => entryPattern.test(entry)

/** Decides whether a URL that a caller or a redirect names may be requested. */
export class HostPolicy {
  readonly #entries: readonly { suffix: boolean; host: string; port: string | undefined }[]
  readonly #strict: AddressPolicy
  readonly #home: string | undefined

  constructor({ allowed, denyPrivate, home }: HostPolicyOptions) {
    this.#entries = allowed.map(readEntry)
    this.#strict = { denyPrivate }
    this.#home = home
  }

  /** @throws ForbiddenHostError, ForbiddenAddressError */
  check(url: URL): void {
    checkHost(url.hostname, this.addresses(url.origin))
    if (url.origin === this.#home || this.#entries.length === 0) return
    const host = url.hostname.replace(/\.$/, '')
    const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port
    const named = this.#entries.some(
      entry =>
        (entry.port === undefined ? url.protocol === 'https:' && port === '443' : entry.port === port) &&
        (entry.suffix ? host.endsWith(`.${entry.host}`) : host === entry.host)
    )
    if (!named) throw new ForbiddenHostError()
  }

  /** The address policy of an origin. */
  addresses(origin: string): AddressPolicy {
    return origin === this.#home ? { denyPrivate: false, isHome: true } : this.#strict
  }
}

function readEntry(entry: string) {
  const [, star, host = '', port] = entryPattern.exec(entry) ?? []
  // Normalized like the URLs it is compared with: case, and the spellings of an address.
  const canonical = parsedUrl(`http://${host}`)?.hostname ?? host
  return { suffix: star !== undefined, host: canonical, port }
}

/** Whether FORGE_ALLOWED_HOSTS names an address that is refused under every policy. */
export const isForbiddenLiteral = (entry: string): boolean => {
  const { host } = readEntry(entry)
  const bare = withoutBrackets(host)
  return isIP(bare) !== 0 && classifyAddress(bare) === 'forbidden'
}
