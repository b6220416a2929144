import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/*
 * Words for who has something, as far as that can be known. They have the same meaning everywhere:
 *
 * - address: the address of a connection, or the one that a trusted proxy reports for it, as it was written.
 * - holder: the name that something is counted for. For an address it is holderOf; it may also be a credential or a
 *   forge.
 * - network: 48 bits of IPv6 that may contain a holder (networkOf). Site: the network, or a holder that is in none
 *   (siteOf).
 * - caller: a digest of a token (principalOf; the log calls it principal). Anybody can make up tokens, so callers are told
 *   apart within an address.
 * - from: the holder of a caller's address; undefined over stdio, where there is none.
 * - sender: the origin of a request or a body: its address and its credential (fairness/at-work.ts). For a request to a
 *   forge it is a single name, turnHolderOf.
 * - owner: the owner of waiting work: its caller, the caller's address, and the signal that gives the work up
 *   (fairness/fair-queue.ts).
 * - whose: the same for an answer, with the holder at its forge (upstream/guard/whose.ts).
 */

/**
 * Prefix length of the subnet that an IPv6 address counts for: whoever is assigned a /64 may use all addresses in it
 * (RFC 6177).
 */
const SUBNET_BITS = 64

/** The prefix of an IPv4 address that a dual-stack socket reports (RFC 4291, section 2.5.5.2). */
const MAPPED = '::ffff:'

/** An address as people write it: without the `::ffff:` that a dual-stack socket puts before an IPv4 address. */
export const asWritten = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

/**
 * The holder that an address is counted for. An IPv4 address counts for itself, an IPv6 address for its subnet of 64
 * bits. IPv4 addresses that are written as IPv6, such as those of a NAT64 translator, count as IPv4.
 * @param address as a socket or a proxy reports it; anything that is no address is returned unchanged
 */
export function holderOf(address: string | undefined): string {
  if (address === undefined) return 'unknown'
  // Much cheaper than isIPv6, which runs a regular expression of a thousand characters.
  if (!address.includes(':')) return address
  // A dual-stack socket reports every IPv4 address in this form, and the parser would take twenty times as long.
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
    .slice(0, SUBNET_BITS / 16)
    .map(part => part.toString(16))
    .join(':')
}

/** A /64 as holderOf names it, also after words such as `pages at`. The group is the name without its last 16 bits. */
const SUBNET = /^((?:[a-z]+ )*(?:[0-9a-f]{1,4}:){2}[0-9a-f]{1,4}):[0-9a-f]{1,4}$/

/**
 * The network of a holder. For an IPv6 subnet these are the 48 bits that contain it, the most that a site is assigned
 * (RFC 6177): 65,536 subnets.
 * @param holder as from holderOf
 * @returns undefined for any other holder, such as an IPv4 address, which stands for itself
 */
export const networkOf = (holder: string): string | undefined =>
  // Most holders have no colon, and this check is much cheaper.
  holder.includes(':') ? SUBNET.exec(holder)?.[1] : undefined

/**
 * The network of a holder, or the holder itself if it is in none. Where networks are counted, each of these counts as
 * one.
 */
export const siteOf = (holder: string): string => networkOf(holder) ?? holder

/**
 * The holder that a caller counts for: its address, because anybody can make up callers; without an address, the
 * caller.
 */
export const turnHolderOf = ({ caller, from }: Caller): string => from ?? caller

interface Caller {
  readonly caller: string
  readonly from?: string | undefined
}
