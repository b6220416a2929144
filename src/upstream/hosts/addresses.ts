import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { withoutBrackets } from '../../base/host-names.ts'
import { parsedUrl } from '../../base/parsed-url.ts'

/*
 * Which addresses this service may connect to. What counts is the address that is dialled: literal and resolved
 * addresses alike are judged by their bytes, at every connect. So neither an unusual spelling nor a changing DNS answer
 * gets around the policy.
 */

export interface AddressPolicy {
  /** Whether loopback and private networks are refused too. Not by default, because self-hosted forges are there. */
  readonly denyPrivate: boolean
  /**
   * Whether the policy is that of the forge that the operator has set. Then a refusal is trouble, and not somebody's
   * attempt; default no.
   */
  readonly isHome?: boolean
}

/** `forbidden` under every policy, `private` under some. */
export type AddressClass = 'public' | 'private' | 'forbidden'

/** The policy forbids connecting to an address. The message does not name the address. */
export class ForbiddenAddressError extends Error {
  readonly code = 'FORBIDDEN_ADDRESS'
  /** The address, for the operator alone. */
  readonly address: string
  /** Whether it is an address of the forge of FORGE_API_URL. */
  readonly isHome: boolean
  constructor(found: AddressClass, address: string, isHome = false) {
    super(
      found === 'private'
        ? 'Addresses of private networks are not allowed here.'
        : 'Addresses of this kind are never allowed: link-local, metadata, multicast, unspecified or reserved.'
    )
    this.name = 'ForbiddenAddressError'
    this.address = address
    this.isHome = isHome
  }
}

const privateRanges = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat'])

/** Cloud metadata services whose addresses would count as public or private by their range. */
const metadata = new Set([
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  // The IPv6 addresses of Scaleway, Oracle, Akamai and Alibaba.
  'fd00:42::42',
  'fd00:c1::a9fe:a9fe',
  'fd00:a9fe:a9fe::1',
  'fd00:100::100:200'
])
/**
 * IPv6 blocks of the metadata services of AWS and Google, refused as a whole: they decide which of these addresses
 * answer.
 */
const metadataBlocks = ['fd00:ec2::/32', 'fd20:ce::/32'].map(block => ipaddr.IPv6.parseCIDR(block))
const metadataNames = new Set(['metadata.google.internal', 'metadata.goog', 'metadata'])

/** The global unicast block. IPv6 addresses outside it are special, even if a table of ranges does not list them. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** @param address an IP address in any spelling. Anything that is not an address is forbidden. */
export function classifyAddress(address: string): AddressClass {
  // A zone id only ever belongs to a link-local address.
  if (!ipaddr.isValid(address) || address.includes('%')) return 'forbidden'
  // An IPv4 address inside an IPv6 one (::ffff:127.0.0.1) is judged as the IPv4 address that would be dialled.
  const parsed = ipaddr.process(address.includes(':') ? inHex(address) : address)
  if (metadata.has(parsed.toString()) || inMetadataBlock(parsed)) return 'forbidden'
  const range = parsed.range()
  if (privateRanges.has(range)) return 'private'
  if (range !== 'unicast') return 'forbidden'
  return parsed instanceof ipaddr.IPv6 && !parsed.match(globalUnicast) ? 'forbidden' : 'public'
}

const inMetadataBlock = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  address instanceof ipaddr.IPv6 && metadataBlocks.some(block => address.match(block))

/** In hex spelling: ipaddr.js reads the obsolete ::127.0.0.1 as ::ffff:127.0.0.1, which is another address. */
const inHex = (address: string): string => parsedUrl(`http://[${address}]`)?.hostname.slice(1, -1) ?? '::'

const translators = ['64:ff9b::/96', '64:ff9b:1::/48'].map(block => ipaddr.IPv6.parseCIDR(block))

/** Whether an address is that of a translator to IPv4 (NAT64, RFC 6052 and RFC 8215), by its well-known blocks. */
export function isOfTranslator(address: string): boolean {
  if (!ipaddr.IPv6.isValid(address)) return false
  const parsed = ipaddr.IPv6.parse(address)
  return translators.some(block => parsed.match(block))
}

/** @param address an address, or a name that stands for one */
const refuse = (found: AddressClass, address: string, { denyPrivate, isHome }: AddressPolicy): void => {
  if (found === 'forbidden' || (found === 'private' && denyPrivate))
    throw new ForbiddenAddressError(found, address, isHome)
}

/**
 * Checks a host before anything is resolved: address literals, which never reach a resolver, and names with a fixed
 * meaning, such as localhost. Any other name passes; its addresses are checked when it is resolved.
 * @param hostname as `URL.hostname` gives it, with or without brackets
 * @throws ForbiddenAddressError
 */
export function checkHost(hostname: string, policy: AddressPolicy): void {
  const host = withoutBrackets(hostname)
    // Matches from the first of the trailing dots only: otherwise a long run of dots in the middle would be tried from
    // each dot.
    .replace(/(?<!\.)\.+$/, '')
    .toLowerCase()
  if (ipaddr.isValid(host) || host.includes(':')) refuse(classifyAddress(host), host, policy)
  else if (metadataNames.has(host)) refuse('forbidden', host, policy)
  else if (host === 'localhost' || host.endsWith('.localhost')) refuse('private', host, policy)
}

/**
 * A resolver for `net.connect` that returns only addresses the policy allows. A single forbidden address among several
 * refuses the name: somebody who mixes them wants the connection to end up there. The socket connects to exactly what
 * was checked.
 * @param lookup the resolver behind it
 */
export function guardedLookup(
  policy: AddressPolicy,
  lookup: LookupFunction = systemLookup as LookupFunction
): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, options, (error, found, family) => {
      if (error !== null) return callback(error, found, family)
      try {
        const addresses = typeof found === 'string' ? [found] : found.map(({ address }) => address)
        for (const address of addresses) refuse(classifyAddress(address), address, policy)
      } catch (refused) {
        return callback(refused as Error, '')
      }
      callback(null, found, family)
    })
}
