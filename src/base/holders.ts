import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/*
 * Who has something, as far as anybody can tell. The words for that, wherever they stand:
 * - address: of a connection, or what a trusted proxy says of it, as it was written.
 * - holder: whom something is counted for, by name. Of an address it is holderOf; it may be a credential or a forge, too.
 * - network: 48 bits of IPv6, in which a holder may be (networkOf). Site: that, or the holder who is in none (siteOf).
 * - caller: a digest of a token. Anybody can make up tokens, so that callers are told apart within an address.
 * - from: the holder of a caller's address; undefined over stdio, where there is none.
 * - sender: whom a request or a body comes from: its address, and its credential (fairness/at-work.ts). Of a request to a
 *   forge it is one name, turnHolderOf.
 * - owner: whose a piece of work is that waits: its caller, where that is from, and what gives it up
 *   (fairness/fair-queue.ts).
 * - whose: of an answer the same, with the holder at its forge (upstream/guard/whose.ts).
 */

/** Prefix length of the subnet that an IPv6 address counts for: whoever is assigned one may use all addresses below it (RFC 6177). */
const SUBNET_BITS = 64

/** Before an IPv4 address that a dual-stack socket reports (RFC 4291, section 2.5.5.2). */
const MAPPED = '::ffff:'

/** An address as people write it: without the `::ffff:` that a dual-stack socket puts before an IPv4 address. */
export const asWritten = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

/**
 * The holder that an address is counted for: an IPv4 address counts for itself, an IPv6 address for its subnet of 64 bits.
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
    .slice(0, SUBNET_BITS / 16)
    .map(part => part.toString(16))
    .join(':')
}

/** A /64 as holderOf names it, after words such as `pages at` too; without its last 16 bits. */
const SUBNET = /^((?:[a-z]+ )*(?:[0-9a-f]{1,4}:){2}[0-9a-f]{1,4}):[0-9a-f]{1,4}$/

/**
 * The network of a holder: for an IPv6 subnet the 48 bits that it is in, as much as a site is given at most (RFC 6177):
 * 65,536 subnets.
 * @param holder as from holderOf
 * @returns undefined for any other holder, such as an IPv4 address, who stands for itself
 */
export const networkOf = (holder: string): string | undefined =>
  // Most holders have no colon, and are told so much sooner.
  holder.includes(':') ? SUBNET.exec(holder)?.[1] : undefined

/** The network of a holder, or the holder who is in none: who counts as one where networks do. */
export const siteOf = (holder: string): string => networkOf(holder) ?? holder

/** The holder that a caller counts for: the address, as anybody can make up callers, or without one the caller. */
export const turnHolderOf = ({ caller, from }: Caller): string => from ?? caller

interface Caller {
  readonly caller: string
  readonly from?: string | undefined
}
