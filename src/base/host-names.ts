import { isIP } from 'node:net'

/** Without the brackets that stand around an IPv6 address in URLs. */
export const withoutBrackets = (hostname: string): string => hostname.replace(/^\[(.+)\]$/, '$1')

/** Whether a host is an address and no name. @param hostname as of `URL.hostname` */
export const isIpAddress = (hostname: string): boolean => isIP(withoutBrackets(hostname)) !== 0

/** Whether a URL is one of a web server, with or without TLS. */
export const isOfWeb = ({ protocol }: Pick<URL, 'protocol'>): boolean =>
  protocol === 'https:' || protocol === 'http:'

/** The host of a URL with such a scheme, with its port; much cheaper than to parse it. @param url as of `URL.href` */
export const hostOf = (url: string): string => url.split('/', 3)[2] ?? ''

/** Labels below which a country's registry registers names, such as `co` in `co.uk`. */
const registries = new Set(['ac', 'co', 'com', 'edu', 'go', 'gov', 'ne', 'net', 'or', 'org'])

/**
 * The registrable domain: the last two labels of a name, or three below such a label. Below a domain of their own,
 * anybody can have any number of names.
 */
export function domainOf(hostname: string): string {
  if (isIpAddress(hostname)) return hostname
  const labels = hostname.replace(/\.$/, '').split('.')
  const isRegistry = labels.at(-1)!.length === 2 && registries.has(labels.at(-2) ?? '')
  return labels.slice(isRegistry ? -3 : -2).join('.')
}
