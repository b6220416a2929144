import { isToolsetId, toolsetIds } from '../catalog/toolset.ts'
import { normalizeApiUrl } from '../upstream/url.ts'
import { type Config, entries, type Variable } from './schema.ts'

/**
 * A combination of variables that must not start (DESIGN 4, Start). `broken` looks at values that are
 * each valid on their own; a rule about a variable whose value was already refused is not asked.
 */
interface Rule {
  variables: readonly Variable[]
  broken: (config: Config) => boolean
  say: string
}

const rules: readonly Rule[] = [
  {
    variables: ['STREAMABLE_HTTP', 'FORGE_PERSONAL_ACCESS_TOKEN'],
    broken: config => !config.STREAMABLE_HTTP && config.FORGE_PERSONAL_ACCESS_TOKEN === '',
    say: 'STREAMABLE_HTTP=false serves over stdio and needs FORGE_PERSONAL_ACCESS_TOKEN.'
  },
  {
    variables: ['REMOTE_AUTHORIZATION', 'FORGE_PERSONAL_ACCESS_TOKEN'],
    broken: config =>
      config.STREAMABLE_HTTP && !config.REMOTE_AUTHORIZATION && config.FORGE_PERSONAL_ACCESS_TOKEN === '',
    say: 'Over HTTP set REMOTE_AUTHORIZATION=true (callers bring tokens), or give FORGE_PERSONAL_ACCESS_TOKEN on a loopback HOST.'
  },
  {
    variables: ['REMOTE_AUTHORIZATION', 'FORGE_PERSONAL_ACCESS_TOKEN'],
    broken: config =>
      config.STREAMABLE_HTTP && config.REMOTE_AUTHORIZATION && config.FORGE_PERSONAL_ACCESS_TOKEN !== '',
    say: 'REMOTE_AUTHORIZATION=true and FORGE_PERSONAL_ACCESS_TOKEN exclude each other: unset one of them.'
  },
  {
    variables: ['HOST', 'FORGE_PERSONAL_ACCESS_TOKEN'],
    broken: config =>
      config.STREAMABLE_HTTP && config.FORGE_PERSONAL_ACCESS_TOKEN !== '' && !isLoopback(config.HOST),
    say: 'FORGE_PERSONAL_ACCESS_TOKEN over HTTP serves everyone who can connect: set HOST to a loopback address.'
  },
  {
    variables: ['FORGE_PERSONAL_ACCESS_TOKEN'],
    broken: config =>
      config.FORGE_PERSONAL_ACCESS_TOKEN !== '' &&
      !/^[\w.~+/=-]{20,2048}$/.test(config.FORGE_PERSONAL_ACCESS_TOKEN),
    say: 'FORGE_PERSONAL_ACCESS_TOKEN must be 20 to 2048 characters of a token, without blanks.'
  },
  {
    variables: ['FORGE_API_URL'],
    broken: config => normalizeApiUrl(config.FORGE_API_URL) === undefined,
    say: 'FORGE_API_URL must be an http or https URL without user, query or fragment.'
  },
  {
    variables: ['MCP_SERVER_URL'],
    broken: config => config.MCP_SERVER_URL !== '' && !isPublicUrl(config.MCP_SERVER_URL),
    say: 'MCP_SERVER_URL must be an https URL (http only on a loopback host) without query or fragment.'
  },
  {
    variables: ['FORGE_TOOLSETS'],
    broken: config =>
      entries(config.FORGE_TOOLSETS).some(id => !isToolsetId(id.toLowerCase()) && id.toLowerCase() !== 'all'),
    say: `FORGE_TOOLSETS may list ${toolsetIds.join(', ')}, or all.`
  },
  {
    variables: ['MCP_ALLOWED_ORIGINS'],
    broken: config => entries(config.MCP_ALLOWED_ORIGINS).some(origin => !isOrigin(origin)),
    say: 'MCP_ALLOWED_ORIGINS must list origins such as https://app.example, without a path.'
  }
]

/** The sentences of all broken rules, leaving out those about `refused` variables. */
export function brokenRules(config: Config, refused: ReadonlySet<string>): string[] {
  return rules
    .filter(rule => !rule.variables.some(variable => refused.has(variable)) && rule.broken(config))
    .map(rule => rule.say)
}

/** What an operator should know about a configuration that does start. */
export function startNotes(config: Config): string[] {
  const notes: string[] = []
  if (!isLoopback(config.HOST) && config.MCP_SERVER_URL === '' && config.MCP_ALLOWED_HOSTS === '')
    notes.push('Any Host header is accepted: set MCP_SERVER_URL or MCP_ALLOWED_HOSTS to check it.')
  return notes
}

/** True for names and literals that only this machine can reach. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)

function isPublicUrl(value: string): boolean {
  if (!URL.canParse(value)) return false
  const url = new URL(value)
  const secure = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  return secure && url.search === '' && url.hash === '' && url.username === '' && url.password === ''
}

const isOrigin = (value: string): boolean => URL.canParse(value) && new URL(value).origin === value
