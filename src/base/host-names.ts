import { isIP } from 'node:net'

/** Removes the brackets that surround an IPv6 address in URLs. */
export const withoutBrackets = (hostname: string): string => hostname.replace(/^\[(.+)\]$/, '$1')

/**
 * Whether a host is an address and not a name.
 * @param hostname as in `URL.hostname`
 */
export const isIpAddress = (hostname: string): boolean => isIP(withoutBrackets(hostname)) !== 0

/** Whether a URL is that of a web server, with or without TLS. */
export const isOfWeb = ({ protocol }: Pick<URL, 'protocol'>): boolean =>
  protocol === 'https:' || protocol === 'http:'

/**
 * The host of a web URL, with its port; much cheaper than parsing the URL.
 * @param url as in `URL.href`
 */
export const hostOf = (url: string): string => url.split('/', 3)[2] ?? ''

/** Second-level labels below which a country's registry registers names, such as `co` in `co.uk`. */
const registries = new Set(['ac', 'co', 'com', 'edu', 'go', 'gov', 'ne', 'net', 'or', 'org'])

/**
 * The registrable domain: the last two labels of a name, or three if the second-last is such a label. Whoever owns a
 * domain can have any number of names below it.
 */
export function domainOf(hostname: string): string {
  if (isIpAddress(hostname)) return hostname
  const labels = hostname.replace(/\.$/, '').split('.')
  const isRegistry = labels.at(-1)!.length === 2 && registries.has(labels.at(-2) ?? '')
  return labels.slice(isRegistry ? -3 : -2).join('.')
}
