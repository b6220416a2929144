import ipaddr from 'ipaddr.js'
import { readScopes, unknownScopes } from '../../oauth/rules/scopes.ts'
import { isLoopback } from '../loopback.ts'
import type { Config } from '../schema.ts'
import { isHarmless } from '../shown.ts'
import { entriesRule, type Rule } from './rule.ts'

/** Whether OAuth mode is on and can be reached from outside this machine. */
const isPublic = (config: Config): boolean => config.FORGE_MCP_OAUTH && !isLoopback(config.HOST)

/** Scopes, at least one of which allows calls. */
export const scopesPattern = /^(?:[a-z\d_]+[ ,]+)*(?:read_)?api(?:[ ,]+[a-z\d_]+)*$/

/** Rules that refuse combinations of the OAuth variables. */
export const oauthRules: readonly Rule[] = [
  {
    variables: ['FORGE_MCP_OAUTH', 'STREAMABLE_HTTP'],
    broken: config => config.FORGE_MCP_OAUTH && !config.STREAMABLE_HTTP,
    say: 'FORGE_MCP_OAUTH=true is for serving over HTTP: set STREAMABLE_HTTP=true, or turn it off for stdio.'
  },
  {
    variables: ['FORGE_MCP_OAUTH', 'FORGE_PERSONAL_ACCESS_TOKEN'],
    broken: config => config.FORGE_MCP_OAUTH && config.FORGE_PERSONAL_ACCESS_TOKEN !== '',
    say: 'FORGE_MCP_OAUTH=true and FORGE_PERSONAL_ACCESS_TOKEN exclude each other: unset one of them.'
  },
  {
    variables: ['FORGE_MCP_OAUTH', 'HOST', 'MCP_SERVER_URL'],
    broken: config => isPublic(config) && config.MCP_SERVER_URL === '',
    say: 'FORGE_MCP_OAUTH=true needs MCP_SERVER_URL, the https URL under which clients reach the service, unless HOST is a loopback address. In a container nobody outside reaches that: to try it there, set MCP_SERVER_URL=http://127.0.0.1:3000.'
  },
  {
    variables: ['FORGE_MCP_OAUTH', 'HOST', 'FORGE_OAUTH_APP_ID'],
    broken: config => isPublic(config) && config.FORGE_OAUTH_APP_ID === '',
    say: 'FORGE_MCP_OAUTH=true needs FORGE_OAUTH_APP_ID, the id of the OAuth application on the forge, unless HOST is a loopback address.'
  },
  {
    variables: ['FORGE_OAUTH_APP_ID'],
    broken: config => !/^[\x21-\x7e]{0,255}$/.test(config.FORGE_OAUTH_APP_ID),
    say: 'FORGE_OAUTH_APP_ID must be the application id as the forge shows it.'
  },
  {
    variables: ['FORGE_OAUTH_SCOPES'],
    broken: config => !scopesPattern.test(config.FORGE_OAUTH_SCOPES),
    say: ({ FORGE_OAUTH_SCOPES }) =>
      `FORGE_OAUTH_SCOPES must list scopes of the forge, api or read_api among them: a token without either is refused.${/[;|+]/.test(FORGE_OAUTH_SCOPES) ? ' Blanks or commas part them.' : ''}`
  },
  {
    variables: ['FORGE_OAUTH_CONSENT', 'FORGE_OAUTH_CALLBACK_PROXY'],
    broken: config =>
      config.FORGE_MCP_OAUTH && config.FORGE_OAUTH_CONSENT && !config.FORGE_OAUTH_CALLBACK_PROXY,
    say: 'FORGE_OAUTH_CONSENT=true needs FORGE_OAUTH_CALLBACK_PROXY=true: without it the forge checks the redirect and asks the person itself.'
  },
  entriesRule(
    'MCP_TRUST_PROXY',
    entry => isNetwork(entry),
    'MCP_TRUST_PROXY must list addresses or networks, such as 10.0.0.0/8, or loopback, linklocal, uniquelocal.'
  ),
  entriesRule(
    'MCP_TRUST_PROXY',
    entry => !everyAddress.test(entry),
    'MCP_TRUST_PROXY holds every address, so that each caller could choose its own: name the networks of your proxies.'
  )
]

/** Notes for the operator on an OAuth configuration with which the service starts. */
export function oauthNotes(config: Config): string[] {
  if (!config.FORGE_MCP_OAUTH) return []
  const notes: string[] = []
  if (config.FORGE_OAUTH_APP_ID === '')
    notes.push(
      'FORGE_OAUTH_APP_ID is not set: /authorize answers 503, and tokens of any application of the forge are accepted.'
    )
  if (!config.FORGE_READ_ONLY_MODE && !/(?:^|[ ,])api(?:[ ,]|$)/.test(config.FORGE_OAUTH_SCOPES))
    notes.push(
      'FORGE_OAUTH_SCOPES has no api: the forge refuses all that changes something to people who log in (insufficient scope). Add api, or set FORGE_READ_ONLY_MODE=true.'
    )
  const unknown = unknownScopes(readScopes(config.FORGE_OAUTH_SCOPES))
  if (unknown.length > 0)
    notes.push(
      `FORGE_OAUTH_SCOPES has ${unknown.map(scope => (isHarmless(scope) ? scope : 'a word')).join(' and ')}, which GitLab does not know: a forge lets no login through for which it is asked for more than its application has.`
    )
  const url = config.MCP_SERVER_URL
  const outside = !isLoopback(config.HOST) || (url !== '' && !isLoopback(new URL(url).hostname))
  if (outside && config.FORGE_OAUTH_CALLBACK_PROXY && !config.FORGE_OAUTH_CONSENT)
    notes.push(
      'FORGE_OAUTH_CONSENT is off with a public URL: a link to /authorize can get somebody’s token without asking them. Set FORGE_OAUTH_CONSENT=true.'
    )
  return notes
}

const namedNetworks = new Set(['loopback', 'linklocal', 'uniquelocal'])

/** Networks that contain every address; `proxy-addr` does not accept them. */
export const everyAddress = /\/0+$/

const isNetwork = (entry: string): boolean =>
  namedNetworks.has(entry) ||
  (entry.includes('/')
    ? ipaddr.isValidCIDR(entry)
    : ipaddr.IPv4.isValidFourPartDecimal(entry) || ipaddr.IPv6.isValid(entry))
