import { isIP } from 'node:net'
import { parsedUrl } from '../../base/parsed-url.ts'
import { isLoopback } from '../../config/loopback.ts'
import { type Config, entries } from '../../config/schema.ts'

interface ServedHosts {
  /** Whether a Host header may name this service. */
  host(header: string | undefined): boolean
  /**
   * Whether a browser page of that origin may call. A request without Origin is not a cross-site request of a browser,
   * and is allowed.
   */
  origin(header: string | undefined): boolean
}

/** Whether a Host header names an IP address, with or without a port. */
export function namesIpAddress(header: string | undefined): boolean {
  const host = /^(?:\[(.+)\]|([^:]+))(?::\d{1,5})?$/.exec(header ?? '')
  return host !== null && isIP(host[1] ?? host[2] ?? '') !== 0
}

/**
 * Guards against DNS rebinding and cross-site calls (MCP: an Origin that is present and not allowed gets 403). Loopback
 * hosts are allowed on any port, as are the host of MCP_SERVER_URL and MCP_ALLOWED_HOSTS. If HOST is public and neither
 * is set, any Host is allowed, and a log line at the start says so. If the service calls with a token of its own, pages
 * from loopback origins are not allowed by themselves: any such page could act in the owner's name.
 */
export function hostPolicy(
  config: Pick<
    Config,
    'HOST' | 'MCP_SERVER_URL' | 'MCP_ALLOWED_HOSTS' | 'MCP_ALLOWED_ORIGINS' | 'FORGE_PERSONAL_ACCESS_TOKEN'
  >
): ServedHosts {
  const server = config.MCP_SERVER_URL === '' ? undefined : new URL(config.MCP_SERVER_URL)
  const names = new Set(entries(config.MCP_ALLOWED_HOSTS).map(name => name.toLowerCase()))
  if (server !== undefined) names.add(server.host).add(server.hostname)
  const origins = new Set(entries(config.MCP_ALLOWED_ORIGINS))
  const trustsLoopback = config.FORGE_PERSONAL_ACCESS_TOKEN === ''
  if (server !== undefined) origins.add(server.origin)
  const open = names.size === 0 && !isLoopback(config.HOST)
  // Nearly all requests name one host.
  let lastAllowed: string | undefined

  const isAllowed = (header: string): boolean => {
    const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/.exec(header.toLowerCase())
    if (match === null) return false
    return open || isLoopback(match[1]!) || names.has(match[1]!) || names.has(match[0])
  }

  return {
    host(header) {
      if (header === undefined) return false
      if (header === lastAllowed) return true
      if (!isAllowed(header)) return false
      lastAllowed = header
      return true
    },
    origin(header) {
      if (header === undefined) return true
      if (origins.has(header)) return true
      const page = trustsLoopback ? parsedUrl(header) : undefined
      return page?.origin === header && isLoopback(page.hostname)
    }
  }
}
