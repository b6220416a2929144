import { distance } from 'fastest-levenshtein'
import { ownValue } from '../results/is-record.ts'
import { abbreviated } from './abbreviations.ts'
import { type Variable, variables } from './schema.ts'

/*
 * Which variable of this service is meant by a name that is none: by its likeness, or since other programs call it so.
 */

/** Most letters by which a name may differ from a variable of ours to be taken for it. */
const NEAR = 2

/**
 * The same for names that may also belong to other programs: in a short name, two different letters mean another one.
 */
const nearFor = (name: string): number => (name.length >= 12 ? NEAR : name.length >= 8 ? 1 : 0)

/** Prefixes of names that hardly any other program uses. */
const ours = /^(?:FORGE|MCP|OAUTH_STATELESS|SESSION_TIMEOUT|MAX_SESSIONS|REMOTE_AUTH|STREAMABLE)/

/** Whether hardly any other program has a name. */
export const isOurs = (name: string): boolean => ours.test(name)

/** The prefix of other servers of this kind, where ours is FORGE_. */
export const othersBegin = /^GITLAB_/

/** A name in capitals with our prefix: whoever comes from another server may rename the prefix alone. */
const renamed = (name: string): string => asVariable(name).replace(othersBegin, 'FORGE_')

/** How names of ours, and of servers of this kind, begin as other configurations write them. */
const begins = /^(?:[Ff]orge|FORGE|[Gg]it[Ll]ab|GITLAB|[Mm]cp|MCP)(?=[._A-Z-])/

/**
 * A name as a variable is written, in capitals: for one with dashes, dots or capitals inside where ours have underscores,
 * or with MCP_ before a name of this kind.
 */
export const asVariable = (name: string): string =>
  (begins.test(name)
    ? name.replace(/^([Gg])itLab/, '$1itlab').replace(/(?<=[a-z])(?=[A-Z])|[.-]/g, '_')
    : name
  )
    .toUpperCase()
    .replace(/^MCP_(?=(?:FORGE|GITLAB)_)/, '')

/** Names that other programs, above all servers of this kind, use for what has another name here. */
const elsewhere: Readonly<Record<string, Variable>> = {
  MCP_TRANSPORT: 'STREAMABLE_HTTP',
  MCP_HOST: 'HOST',
  MCP_PORT: 'PORT',
  MCP_BASE_URL: 'MCP_SERVER_URL',
  MCP_PUBLIC_URL: 'MCP_SERVER_URL',
  MCP_TRUST_PROXIES: 'MCP_TRUST_PROXY',
  MCP_TRUSTED_PROXIES: 'MCP_TRUST_PROXY',
  FORGE_READ_ONLY: 'FORGE_READ_ONLY_MODE',
  FORGE_READONLY: 'FORGE_READ_ONLY_MODE',
  FORGE_DEFAULT_PROJECT: 'FORGE_PROJECT_ID',
  FORGE_DEFAULT_PROJECT_ID: 'FORGE_PROJECT_ID',
  FORGE_LOG_LEVEL: 'LOG_LEVEL',
  FORGE_PAT: 'FORGE_PERSONAL_ACCESS_TOKEN',
  FORGE_API_TOKEN: 'FORGE_PERSONAL_ACCESS_TOKEN',
  FORGE_API_KEY: 'FORGE_PERSONAL_ACCESS_TOKEN',
  FORGE_PORT: 'PORT',
  FORGE_OAUTH_CLIENT_ID: 'FORGE_OAUTH_APP_ID',
  FORGE_OAUTH_CLIENT_SECRET: 'FORGE_OAUTH_APP_SECRET',
  TOOLSETS: 'FORGE_TOOLSETS',
  TOOL_SURFACE: 'FORGE_TOOL_SURFACE',
  FORGE_TOOL_POLICY_HIDDEN: 'FORGE_DENIED_TOOLS_REGEX',
  FORGE_TOOL_POLICY_APPROVE: 'FORGE_CONFIRM',
  ENABLE_STRICT_PROJECT_SCOPE: 'FORGE_ALLOWED_PROJECT_IDS',
  USE_GITLAB_WIKI: 'FORGE_TOOLSETS',
  USE_MILESTONE: 'FORGE_TOOLSETS',
  // Other programs read these in small letters too, or only so.
  http_proxy: 'HTTP_PROXY',
  https_proxy: 'HTTPS_PROXY',
  no_proxy: 'NO_PROXY',
  all_proxy: 'HTTPS_PROXY',
  ALL_PROXY: 'HTTPS_PROXY'
}

/** The same in the words that people take for policies. */
const inOtherWords: readonly (readonly [RegExp, Variable])[] = [
  [
    /^FORGE_(?:BLOCK(?:ED)?|DENY|DENIED|DISABLED?|DISALLOW(?:ED)?|EXCLUDED?|FORBIDDEN|HIDDEN)_TOOLS?(?:_(?:PATTERN|REGEXP?))?$|^FORGE_TOOLS?_(?:BLACK|BLOCK|DENY)LIST$/,
    'FORGE_DENIED_TOOLS_REGEX'
  ],
  [
    /^FORGE_(?:ALLOW(?:ED)?|ONLY|PERMITTED|RESTRICT(?:ED)?(?:_TO)?)_PROJECTS?(?:_IDS?|_PATHS?)?$|^FORGE_PROJECTS?_(?:ALLOW|WHITE)LIST$/,
    'FORGE_ALLOWED_PROJECT_IDS'
  ],
  [
    /^FORGE_(?:CONFIRM(?:ATION)?_(?:ALL|DELETES?|DESTRUCTIVE|MODE|REQUIRED|TOOLS|WRITES?)|REQUIRE_CONFIRM(?:ATION)?)$/,
    'FORGE_CONFIRM'
  ],
  [/^FORGE_(?:BLOCK|FORBID|HIDE|MASK|NO)_SECRET(?:S|_VALUES?)$/, 'FORGE_DENY_SECRET_VALUES']
]

/** Names by which people give the address of a forge. */
export const ofForge =
  /^(?:FORGE|GITLAB)_(?:API_)?(?:ADDRESS|BASE|DOMAIN|ENDPOINT|HOST|HOSTNAME|(?:BASE_|INSTANCE_|SERVER_)?UR[IL]|INSTANCE|SERVER)$/

const ownToken = 'this service has no token of its own that guards the port.'
const ofGroups =
  'nothing here limits callers to groups: everybody whose token the forge accepts may call. FORGE_ALLOWED_PROJECT_IDS limits the projects.'

/** Names for what does not exist here, with what does. */
const noneHere: Readonly<Record<string, string>> = {
  MCP_AUTH_TOKEN: ownToken,
  MCP_API_KEY: ownToken,
  MCP_BEARER_TOKEN: ownToken,
  MCP_TOKEN: ownToken,
  STREAMABLE_HTTP_AUTH_TOKEN: ownToken,
  SSE_AUTH_TOKEN: ownToken,
  FORGE_ALLOWED_GROUPS: ofGroups,
  FORGE_OAUTH_ALLOWED_GROUPS: ofGroups,
  FORGE_MASKING_ENABLED:
    'no setting masks texts in answers; FORGE_DENY_SECRET_VALUES takes away the arguments that ask for secret values.'
}

/** The variable that is meant by a name of another server, by its value: those without one restrict nothing. */
const byValue: Readonly<Record<string, Readonly<Record<string, Variable>>>> = {
  FORGE_PERMISSION_MODE: { readonly: 'FORGE_READ_ONLY_MODE', modify: 'FORGE_DENIED_TOOLS_REGEX' }
}

/** The names of all tools whose purpose is to delete or to take away, as FORGE_DENIED_TOOLS_REGEX takes them. */
export const deletions = '^(delete|erase|purge|remove|unprotect)_'

/** What the variable that a name of another server means is to be set to, as a sentence; undefined if its own value tells. */
export const valueFor = (name: string, value: string): string | undefined =>
  renamed(name) === 'FORGE_PERMISSION_MODE' && value.toLowerCase() === 'modify'
    ? `The pattern ${deletions} forbids the tools that are there to delete or take away.`
    : undefined

/** What there is instead of what a name is for, as a sentence without its capital; undefined if nothing is known. */
export const insteadOf = (name: string): string | undefined => ownValue(noneHere, renamed(name))

/** The variable for which others have a name. @param value what it is set to */
export function ofOthers(name: string, value: string): Variable | undefined {
  const ours = renamed(name)
  return (
    ownValue(elsewhere, name) ??
    ownValue(elsewhere, ours) ??
    inOtherWords.find(([words]) => words.test(ours))?.[1] ??
    ownValue(byValue[ours], value.toLowerCase())
  )
}

/** Whether others have a name that has another value, or nothing, here. */
export const isOfOthers = (name: string, value: string): boolean =>
  othersBegin.test(asVariable(name)) || ofOthers(name, value) !== undefined || insteadOf(name) !== undefined

/** The name, unless it is short: other programs use short names in small letters, too. */
export const unlessShort = (name: string): string | undefined => (nearFor(name) > 0 ? name : undefined)

/** The variable that may be meant by a name. @param name in capitals */
export function meantBy(name: string): string | undefined {
  if (insteadOf(name) !== undefined) return undefined
  if (ofForge.test(name)) return 'FORGE_API_URL'
  if (ours.test(name)) return nearTo(name, NEAR) ?? abbreviated(name)
  return othersBegin.test(name)
    ? variables.find(variable => variable === name.replace(othersBegin, 'FORGE_'))
    : (nearTo(name, nearFor(name)) ?? beginningLeftOut(name))
}

/** The variable that a name is without its beginning, if it has three words: shorter ones are other programs', too. */
const beginningLeftOut = (name: string): Variable | undefined =>
  name.split('_').length < 3 || alsoElsewhere.test(name)
    ? undefined
    : variables.find(variable => variable === `FORGE_${name}` || variable === `MCP_${name}`)

/** How such names begin that other programs have in the same words. */
const alsoElsewhere = /^(?:CA|OAUTH|POOL)_/

const nearTo = (name: string, letters: number): Variable | undefined =>
  variables.find(
    variable => Math.abs(variable.length - name.length) <= letters && distance(name, variable) <= letters
  )
