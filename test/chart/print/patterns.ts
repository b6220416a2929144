import { presets } from '../../../src/catalog/policy/presets.ts'
import { everyAddress, scopesPattern } from '../../../src/config/rules/oauth-rules.ts'
import { projectPattern } from '../../../src/config/rules/policy-rules.ts'
import { rules } from '../../../src/config/rules/rules.ts'
import { appOriginPattern, hostPattern } from '../../../src/config/rules/serving-rules.ts'
import { type Config, ConfigSchema, type Variable } from '../../../src/config/schema.ts'
import { toolsetIds } from '../../../src/engine/rows/toolset-id.ts'
import { entryPattern, portPattern } from '../../../src/upstream/hosts/hosts.ts'
import { discoverTools } from '../../../tools/discovery/index.ts'
import { searchSurface } from '../../../tools/discovery/search-surface.ts'
import { toolsets } from '../../../tools/index.ts'

/*
 * The service's rules about the value of one variable, as patterns that a template of Helm can try (RE2). The sentences
 * are the service's. wrong-values.chart.ts holds each against the rule that it stands for.
 */

interface Pattern {
  readonly variable: Variable
  /** How the sentence of the rule begins. */
  readonly rule: string
  /** What a value, or each entry of a list, must match. */
  readonly match?: string
  /** What it must not match. */
  readonly never?: string
  readonly list?: boolean
}

/** host, or host:port */
const authority = `(?:[^\\s\\\\/?#@:\\[\\]<>^|%"]+|\\[[0-9A-Fa-f:.]+\\])(?::(?:${portPattern}))?`
const url = (scheme: string) => `^(?i:${scheme})://(?:${authority})(?:/[^\\s\\\\?#]*)?$`
/** Addresses that no one may connect to, in their usual spellings. */
const forbidden = [
  '0\\.',
  '169\\.254\\.',
  '168\\.63\\.129\\.16\\b',
  '100\\.100\\.100\\.200\\b',
  '192\\.0\\.0\\.192\\b',
  '2(?:2[4-9]|[3-5][0-9])\\.[0-9]+\\.[0-9]+\\.[0-9]+',
  '\\[(?:fe[89ab]|ff|fd00:ec2:|fd20:ce:|::\\])'
].join('|')
const tools = [discoverTools, ...searchSurface, ...toolsets.flatMap(({ rows }) => rows)]
const octet = '(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])'
const v4 = `${octet}(?:\\.${octet}){3}`
const v4Bits = '/(?:3[0-2]|[12]?[0-9])'
const v6 = '[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*'
const v6Bits = '/(?:12[0-8]|1[01][0-9]|[1-9]?[0-9])'
/** A network, with as many bits as its kind of address has. */
export const network = `^(?:${v4}${v4Bits}|${v6}${v6Bits})$`

const patterns: readonly Pattern[] = [
  {
    variable: 'FORGE_API_URL',
    rule: 'FORGE_API_URL must be',
    match: url('https?'),
    never: '^[^/]*//(?:(?i:https?):(?:/|$)|[^/]*//+[^/])|[,;{}$]'
  },
  {
    variable: 'FORGE_API_URL',
    rule: 'FORGE_API_URL is a link-local',
    never: `^(?i:https?://(?:${forbidden}|metadata(?:\\.google\\.internal|\\.goog)?(?:[:/]|$)))`
  },
  {
    variable: 'MCP_SERVER_URL',
    rule: 'MCP_SERVER_URL must be',
    match: url('https'),
    never: '^[^/]*//[^/]*\\*|[,;]|^.+(?i:https?)://'
  },
  {
    variable: 'MCP_ALLOWED_HOSTS',
    rule: 'MCP_ALLOWED_HOSTS must',
    match: `(?i)${hostPattern.source}`,
    list: true
  },
  {
    variable: 'MCP_ALLOWED_ORIGINS',
    rule: 'MCP_ALLOWED_ORIGINS must',
    match: `^(?:https?|wss?)://(?:${authority})$|${appOriginPattern.source}`,
    never: '[A-Z*]|^file:|^(?:http|ws)://.*:80$|^(?:https|wss)://.*:443$',
    list: true
  },
  {
    variable: 'MCP_TRUST_PROXY',
    rule: 'MCP_TRUST_PROXY must',
    match: `^(?:loopback|linklocal|uniquelocal|${v4}(?:${v4Bits})?|${v6}(?:${v6Bits})?)$`,
    list: true
  },
  { variable: 'MCP_TRUST_PROXY', rule: 'MCP_TRUST_PROXY holds', never: everyAddress.source, list: true },
  {
    variable: 'FORGE_TOOLSETS',
    rule: 'FORGE_TOOLSETS may',
    match: `^(?i:${[...new Set([...toolsetIds, ...Object.keys(presets)])].join('|')})$`,
    list: true
  },
  {
    variable: 'FORGE_TOOLS',
    rule: 'FORGE_TOOLS must',
    // The service tells names of no tool apart later, once every toolset is there.
    match: `^(?:${tools.map(({ name }) => name).join('|')})$`,
    list: true
  },
  {
    variable: 'FORGE_ALLOWED_PROJECT_IDS',
    rule: 'FORGE_ALLOWED_PROJECT_IDS must',
    match: projectPattern.source,
    list: true
  },
  { variable: 'FORGE_PROJECT_ID', rule: 'FORGE_PROJECT_ID must', match: projectPattern.source },
  {
    variable: 'FORGE_ALLOWED_HOSTS',
    rule: 'FORGE_ALLOWED_HOSTS must',
    match: `(?i)${entryPattern.source}`,
    list: true
  },
  {
    variable: 'FORGE_ALLOWED_HOSTS',
    rule: 'FORGE_ALLOWED_HOSTS names',
    never: `^(?i:${forbidden})`,
    list: true
  },
  { variable: 'FORGE_OAUTH_APP_ID', rule: 'FORGE_OAUTH_APP_ID must', match: '^[!-~]{0,255}$' },
  {
    variable: 'FORGE_OAUTH_SCOPES',
    rule: 'FORGE_OAUTH_SCOPES must',
    match: scopesPattern.source
  },
  {
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    rule: 'OTEL_EXPORTER_OTLP_ENDPOINT must',
    match: url('https?')
  },
  {
    variable: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    rule: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must',
    match: url('https?')
  },
  {
    variable: 'OTEL_TRACES_SAMPLER_ARG',
    rule: 'OTEL_TRACES_SAMPLER_ARG must',
    match: '^(?:0(?:\\.[0-9]*)?|\\.[0-9]+|1(?:\\.0*)?)$'
  }
]

const defaults = Object.fromEntries(
  Object.entries(ConfigSchema.properties).map(([name, facts]) => [
    name,
    'default' in facts ? facts.default : ''
  ])
) as unknown as Config

/** files/patterns.json: what of it the templates read. */
export const printPatterns = (): string =>
  `${JSON.stringify(
    patterns.map(({ variable, rule, match = '', never = '', list = false }) => ({
      variable,
      list,
      match,
      never,
      says: sentence(rule)
    })),
    null,
    2
  )}\n`

function sentence(beginning: string): string {
  const found = rules
    .map(({ say }) => (typeof say === 'string' ? say : say(defaults)))
    .filter(words => words.startsWith(beginning))
  if (found.length !== 1) throw new Error(`${found.length} rules begin with "${beginning}"`)
  return found[0]!
}
