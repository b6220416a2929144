import { parsedUrl } from '../../base/parsed-url.ts'
import { checkHost } from '../../upstream/hosts/addresses.ts'
import { isForbiddenLiteral, isHostEntry } from '../../upstream/hosts/hosts.ts'
import { basesAround, DEFAULT_HOST, REST_PATH } from '../../upstream/hosts/url.ts'
import { isLoopback } from '../loopback.ts'
import { type Config, entries } from '../schema.ts'
import { entriesRule, type Rule } from './rule.ts'

/** Rules that refuse combinations of the variables about forges and the network. */
export const networkRules: readonly Rule[] = [
  {
    variables: ['ENABLE_DYNAMIC_API_URL', 'REMOTE_AUTHORIZATION', 'STREAMABLE_HTTP'],
    broken: config =>
      config.ENABLE_DYNAMIC_API_URL && !(config.REMOTE_AUTHORIZATION && config.STREAMABLE_HTTP),
    say: 'ENABLE_DYNAMIC_API_URL=true needs REMOTE_AUTHORIZATION=true and STREAMABLE_HTTP=true: callers name their forge and bring its token.'
  },
  {
    variables: ['ENABLE_DYNAMIC_API_URL', 'FORGE_MCP_OAUTH'],
    broken: config => config.ENABLE_DYNAMIC_API_URL && config.FORGE_MCP_OAUTH,
    say: 'ENABLE_DYNAMIC_API_URL=true and FORGE_MCP_OAUTH=true exclude each other: OAuth mode checks every token with the forge of FORGE_API_URL, whichever forge it is of.'
  },
  {
    variables: ['FORGE_API_URL'],
    broken: config => neverAllowed(parsedUrl(config.FORGE_API_URL)),
    say: 'FORGE_API_URL is a link-local, metadata, multicast or reserved address: those are always refused.'
  },
  entriesRule(
    'FORGE_ALLOWED_HOSTS',
    isHostEntry,
    'FORGE_ALLOWED_HOSTS must list hosts such as forge.example, *.example.com or 10.0.0.5:8443, without a scheme, path or port above 65535.',
    undefined,
    entry => (entry === '*' ? 'For any host leave the variable empty.' : undefined)
  ),
  {
    variables: ['FORGE_ALLOWED_HOSTS'],
    broken: config =>
      entries(config.FORGE_ALLOWED_HOSTS).some(entry => isHostEntry(entry) && isForbiddenLiteral(entry)),
    say: 'FORGE_ALLOWED_HOSTS names a link-local, metadata, multicast or reserved address: those are always refused.'
  },
  proxyRule('HTTP_PROXY'),
  proxyRule('HTTPS_PROXY')
]

function proxyRule(variable: 'HTTP_PROXY' | 'HTTPS_PROXY'): Rule {
  return {
    variables: [variable],
    broken: config => config[variable] !== '' && !isProxyUrl(config[variable]),
    say: config =>
      `${variable} must be the http or https URL of a proxy, such as http://proxy.example:3128, without path, query or fragment; % in a password is written %25, / %2F, ? %3F and # %23.${config[variable].includes('://') ? '' : ' The http:// at its beginning is missing.'}`
  }
}

/** Paths of another version of the API, a page of the forge, a repository, or this service. */
const foreignPath = /\/api(?:\/(?!v4\/*$)|$)|\/-\/|\.git(?:\/|$)|\/mcp\/*$/

/** Hosts that people may take for a forge of this kind. */
const otherForges: ReadonlySet<string> = new Set([
  ...['github.com', 'www.github.com', 'api.github.com'],
  ...['bitbucket.org', 'api.bitbucket.org', 'codeberg.org', 'dev.azure.com']
])

/** API paths of other forges that people run themselves. */
const otherApis: readonly (readonly [path: RegExp, of: string])[] = [
  [/\/api\/v3\/*$/, 'GitHub Enterprise'],
  [/\/rest\/api(?:\/|$)/, 'Bitbucket'],
  [/\/api\/v1\/*$/, 'Gitea or Forgejo']
]

/**
 * Whether a path looks like that of a project or group rather than the base of a forge: most forges are at the root or
 * one level below.
 */
function isLikeProject({ host, pathname }: URL): boolean {
  const steps = pathname.split('/').filter(step => step !== '')
  const isApi = pathname.replace(/(?<!\/)\/+$/, '').endsWith(REST_PATH)
  return !isApi && steps.length > (host === DEFAULT_HOST ? 0 : 1)
}

function neverAllowed(url: URL | undefined): boolean {
  try {
    if (url !== undefined) checkHost(url.hostname, { denyPrivate: false })
    return false
  } catch {
    return true
  }
}

function isProxyUrl(value: string): boolean {
  const url = parsedUrl(value)
  if (url === undefined) return false
  const { protocol, hostname, pathname, search, hash, username, password } = url
  const isBare = hostname !== '' && pathname === '/' && search === '' && hash === ''
  return (protocol === 'http:' || protocol === 'https:') && isBare && [username, password].every(isDecodable)
}

/** Undici decodes the user information of a proxy URL before it sends it. */
function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined
  } catch {
    return false
  }
}

/** The note on a variable with the value 0. */
export const unchecked = (variable: string): string =>
  `${variable}=0: certificates of forges are not checked, so anybody on the way can read tokens. Use FORGE_CA_CERT_PATH instead.`

/** Notes for the operator on a network configuration with which the service starts. */
export function networkNotes(config: Config): string[] {
  const notes = apiUrlNotes(new URL(config.FORGE_API_URL))
  if (config.RUNTIME_TLS_REJECT_UNAUTHORIZED === '0') notes.push(unchecked('RUNTIME_TLS_REJECT_UNAUTHORIZED'))
  if (
    config.ENABLE_DYNAMIC_API_URL &&
    config.FORGE_ALLOWED_HOSTS === '' &&
    !config.FORGE_DENY_PRIVATE_ADDRESSES
  )
    notes.push(
      'Callers may name forges on loopback and private addresses: set FORGE_ALLOWED_HOSTS or FORGE_DENY_PRIVATE_ADDRESSES where they should not.'
    )
  const behindProxy = config.HTTP_PROXY !== '' || config.HTTPS_PROXY !== ''
  if (behindProxy && /[/;]/.test(config.NO_PROXY))
    notes.push(
      'NO_PROXY names a network or a URL, or has a semicolon, which matches no host here: name hosts, such as forge.example, 10.0.0.5 or .internal, with commas between them.'
    )
  if (config.FORGE_DENY_PRIVATE_ADDRESSES && behindProxy)
    notes.push(
      'FORGE_DENY_PRIVATE_ADDRESSES does not see what a name resolves to behind a proxy: let the proxy refuse private addresses, or set FORGE_ALLOWED_HOSTS.'
    )
  return notes
}

/** Notes on a FORGE_API_URL that leads to no forge of this kind, or unsafely to one. */
function apiUrlNotes(url: URL): string[] {
  const notes: string[] = []
  const { protocol, hostname, pathname } = url
  const [, otherApi] = otherApis.find(([path]) => path.test(pathname)) ?? []
  if (protocol === 'http:' && !isLoopback(hostname))
    notes.push(
      'FORGE_API_URL is plain http: tokens can be read on the way. Use https where the forge has it; one that redirects there is not followed.'
    )
  if (otherForges.has(hostname))
    notes.push(
      `FORGE_API_URL is not a forge of this kind: this server needs GitLab’s API, and ${hostname} does not have it.`
    )
  else if (otherApi !== undefined)
    notes.push(
      `FORGE_API_URL has the path of ${otherApi}: this server needs GitLab’s API, which a GitLab at this host has at /api/v4.`
    )
  else if (foreignPath.test(pathname))
    notes.push(
      `FORGE_API_URL has a path that is no forge’s: give the base URL of the forge, such as ${basesAround(url).join(' or ')}, or that with /api/v4. Behind it comes /api/v4 as it stands.`
    )
  else if (isLikeProject(url))
    notes.push(
      `FORGE_API_URL looks like the address of a project: the forge’s own may be ${basesAround(url).join(' or ')}. A forge that is at this very path is given with /api/v4 behind it.`
    )
  return notes
}
