import { LRUCache } from 'lru-cache'
import { atMost } from '../../collections/at-most.ts'
import { ownText } from '../../collections/own-text.ts'

/** Addresses whose verdicts are kept: those of proxies are few, and of callers the busiest count. */
const MAX_KEPT = 1_000

/** Most characters of an address that is kept: anything longer is none. */
const MAX_CHARS = 64

/** Whether an address is that of a proxy, which speaks for many. @param hop how many proxies were passed before it */
type Trust = (address: string, hop: number) => boolean

/**
 * Tells which addresses are those of trusted proxies. Each request asks several times, nearly always about an address
 * that was asked about before, and to read one takes microseconds: so verdicts are kept.
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
