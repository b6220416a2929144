import { LRUCache } from 'lru-cache'
import { atMost } from '../../collections/at-most.ts'
import { ownText } from '../../collections/own-text.ts'

/** Most addresses whose verdicts are kept: there are few proxies, and among callers the busiest ones matter. */
const MAX_KEPT = 1_000

/** Most characters of an address that is kept: anything longer is no address. */
const MAX_CHARS = 64

/**
 * Whether an address is that of a proxy, which speaks for many callers.
 * @param hop how many proxies were passed before it
 */
type Trust = (address: string, hop: number) => boolean

/**
 * Tells which addresses belong to trusted proxies. Each request asks several times, nearly always about an address that
 * was asked about before, and reading an address takes microseconds. So verdicts are kept.
 * @param trusts reads an address; its verdict does not depend on the hop
 */
export function trustedProxies(trusts: Trust): (address: string) => boolean {
  const verdicts = new LRUCache<string, boolean>(atMost(MAX_KEPT))
  return address => {
    const known = verdicts.get(address)
    if (known !== undefined) return known
    const isTrusted = trusts(address, 0)
    if (address.length <= MAX_CHARS) verdicts.set(ownText(address), isTrusted)
    return isTrusted
  }
}
