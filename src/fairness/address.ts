import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Prefix length of an IPv6 network: whoever is assigned one may use all addresses below it (RFC 6177). */
const NETWORK_BITS = 64

/** Before an IPv4 address that a dual-stack socket reports (RFC 4291, section 2.5.5.2). */
const MAPPED = '::ffff:'

/** An address as people write it: without the `::ffff:` that a dual-stack socket puts before an IPv4 address. */
export const asWritten = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

/**
 * The holder that an address is counted for: an IPv4 address counts for itself, an IPv6 address for its /64 network.
 * IPv4 addresses written as IPv6, such as those of a NAT64 translator, count as IPv4.
 * @param address as a socket or a proxy reports it; anything that is no address is returned as it is
 */
export function holderOf(address: string | undefined): string {
  if (address === undefined) return 'unknown'
  // Much cheaper than isIPv6, which runs a regular expression of a thousand characters.
  if (!address.includes(':')) return address
  // As a dual-stack socket reports every IPv4 address: the parser takes twenty times as long for the same.
  if (address.startsWith(MAPPED) && isIPv4(address.slice(MAPPED.length))) return address.slice(MAPPED.length)
  // A zone is named after an interface, such as br-lan or eth0.100: node:net accepts it, but the parser throws.
  const [bare] = address.split('%', 1) as [string]
  if (!isIPv6(bare)) return address
  const parsed = ipaddr.IPv6.parse(bare)
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  // Behind a translator (NAT64, RFC 6052) all IPv4 addresses are within one /64: a single caller could use up the limit
  // of all of them.
  if (parsed.range() === 'rfc6052') return new ipaddr.IPv4(parsed.toByteArray().slice(-4)).toString()
  return parsed.parts
    .slice(0, NETWORK_BITS / 16)
    .map(part => part.toString(16))
    .join(':')
}
