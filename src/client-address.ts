import ipaddr from 'ipaddr.js'

/**
 * What clients are told apart by on the network, for bounds that hold before anything else is known of them: an IPv4
 * address, also where it is written as an IPv6 one, and of IPv6 the /64, which is what one subscriber has at least.
 * @param address as of a socket or of X-Forwarded-For; what is no address stands for itself
 */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const network = parsed.parts.slice(0, 4).map(part => part.toString(16))
  return `${network.join(':')}::/64`
}
