import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Who gets a network of IPv6 gets so many bits of it to fill as they like (RFC 6177). */
const NETWORK_BITS = 64

/** An address as people write it: one of IPv4 without what a socket of both families puts before it. */
export const asWritten = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

/**
 * Whom an address stands for where something is counted by address: itself, of IPv6 its network of 64 bits. An
 * IPv4 address is one however it is written, also as a translator writes it.
 * @param address as a socket or a proxy tells it; anything else stands for itself
 */
export function holderOf(address: string | undefined): string {
  if (address === undefined) return 'unknown'
  // One look, where isIPv6 is an expression of a thousand characters.
  if (!address.includes(':')) return address
  // A zone is named after an interface, such as br-lan or eth0.100: net takes such a name, and the parser throws.
  const [bare] = address.split('%', 1) as [string]
  if (!isIPv6(bare)) return address
  const parsed = ipaddr.IPv6.parse(bare)
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  // Behind a translator (NAT64, RFC 6052) all of IPv4 is within one network of 64 bits: who fills it would fill it for all.
  if (parsed.range() === 'rfc6052') return new ipaddr.IPv4(parsed.toByteArray().slice(-4)).toString()
  return parsed.parts
    .slice(0, NETWORK_BITS / 16)
    .map(part => part.toString(16))
    .join(':')
}
