import type { IncomingMessage } from 'node:http'
import { asWritten } from '../../base/holders.ts'
import { callerAddress, isToldByAddress } from './forwarded.ts'

/** Most addresses that are reported: proxies are few, and anybody may send their header. */
const MAX_NOTED = 5

interface CallerAddressesOptions {
  /** Whether an address is that of a proxy in MCP_TRUST_PROXY. */
  readonly isProxy: (address: string) => boolean
  /** Finds the caller's address in X-Forwarded-For. */
  readonly walk: (request: IncomingMessage) => string | undefined
  readonly warn: (fields: { address: string }, says: string) => void
}

/** Finds the addresses of callers. It warns once for each address behind which many callers look like one. */
export class CallerAddresses {
  readonly #walk: CallerAddressesOptions['walk']
  readonly #noteUnnamed: (address: string) => void
  readonly #noteSilent: (address: string) => void
  readonly #noteNameless: (address: string) => void

  constructor({ isProxy, walk, warn }: CallerAddressesOptions) {
    this.#walk = walk
    /** @param isTrusted whether the warning is for trusted proxies or for all other addresses */
    const note = (isTrusted: boolean, says: string) => {
      const noted = new Set<string>()
      return (address: string) => {
        if (noted.size === MAX_NOTED || noted.has(address) || isProxy(address) !== isTrusted) return
        noted.add(address)
        warn({ address: asWritten(address) }, says)
      }
    }
    this.#noteUnnamed = note(
      false,
      'X-Forwarded-For does not count: if this address is a proxy of yours, name it in MCP_TRUST_PROXY, as all of its callers share the limits of one'
    )
    this.#noteSilent = note(
      true,
      'X-Forwarded-For is missing: this address is in MCP_TRUST_PROXY, and if it is a proxy of yours, have it send the header, as all of its callers share the limits of one'
    )
    this.#noteNameless = note(
      true,
      'X-Forwarded-For holds no address: this address is in MCP_TRUST_PROXY, and all of its callers for whom it writes the same, such as unknown or unix:, share the limits of one'
    )
  }

  /**
   * The address of the caller of a request.
   * @returns undefined in the same cases as `callerAddress`
   */
  of(request: IncomingMessage): string | undefined {
    const { remoteAddress } = request.socket
    const isForwarded = String(request.headers['x-forwarded-for'] ?? '').trim() !== ''
    const caller = callerAddress(request, this.#walk)
    if (remoteAddress === undefined || caller === undefined) return caller
    if (isForwarded) this.#noteUnnamed(remoteAddress)
    // Probes and scrapes come from nodes and neighbours, whose addresses may lie in the trusted network.
    else if (request.method === 'POST') this.#noteSilent(remoteAddress)
    if (!isToldByAddress(caller)) this.#noteNameless(remoteAddress)
    return caller
  }
}
