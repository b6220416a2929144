/** A /64 as holderOf names it (fairness/address.ts), after words such as `pages at` too; without its last 16 bits. */
const NETWORK = /^((?:[a-z]+ )*(?:[0-9a-f]{1,4}:){2}[0-9a-f]{1,4}):[0-9a-f]{1,4}$/

/**
 * The network of a holder: for an IPv6 network of 64 bits the one of 48 that it is in, as much as a site is given at
 * most (RFC 6177), which is 65,536 of those.
 * @param holder as from holderOf
 * @returns undefined for any other holder, such as an IPv4 address, who stands for itself
 */
export const networkOf = (holder: string): string | undefined =>
  // Most holders have no colon, and are told so much sooner.
  holder.includes(':') ? NETWORK.exec(holder)?.[1] : undefined

/** The network of a holder, or the holder who is in none: who counts as one where networks do. */
export const siteOf = (holder: string): string => networkOf(holder) ?? holder
