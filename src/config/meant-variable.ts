import { distance } from 'fastest-levenshtein'
import { ownValue } from '../results/is-record.ts'
import { byAbbreviation } from './abbreviations.ts'
import { policies } from './policies.ts'
import { type Variable, variables } from './schema.ts'

/*
 * Finds the variable of this service that an unknown name may mean: by similarity, or because other programs use the
 * name.
 */

/** Most letters by which a name may differ from one of our variables. */
const NEAR = 2

/**
 * The same for names that may also belong to other programs: in a short name, two different letters make another name.
 */
const nearFor = (name: string): number => (name.length >= 12 ? NEAR : name.length >= 8 ? 1 : 0)

/** Prefixes that few other programs use. */
const ours = /^(?:FORGE|MCP|OAUTH_STATELESS|SESSION_TIMEOUT|MAX_SESSIONS|REMOTE_AUTH|STREAMABLE)/

/** Whether few other programs use such a name. */
export const isOurs = (name: string): boolean => ours.test(name)

/** The prefix of other servers of this kind, in place of our FORGE_. */
export const othersBegin = /^GITLAB_/

/**
 * A name in capitals with our prefix, and without MCP_ behind it, which names of other servers have: a person who comes
 * from one may have replaced only the prefix. Where the words from MCP_ on are a name that is known, they are the name.
 */
function renamed(name: string): string {
  const ours = asVariable(name).replace(othersBegin, 'FORGE_')
  const fromMcp = ours.replace(/^FORGE_(?=MCP_)/, '')
  if (fromMcp === ours || isVariable(ours)) return ours
  return isVariable(fromMcp) || fromMcp in elsewhere || fromMcp in noneHere
    ? fromMcp
    : ours.replace(/^FORGE_MCP_/, 'FORGE_')
}

const isVariable = (name: string): boolean => variables.some(variable => variable === name)

/** Prefixes of our names, and those of servers of this kind, as other configurations write them. */
const begins = /^(?:[Ff]orge|FORGE|[Gg]it[Ll]ab|GITLAB|[Mm]cp|MCP)(?=[._A-Z-])/

/**
 * Converts a name to the form of a variable, in capitals: it may have dashes, dots or capitals where ours have
 * underscores, or MCP_ before a name of this kind. MCP_FORGE_URL and the like are not converted: they may
 * contain the address of this service for clients.
 */
export function asVariable(name: string): string {
  const large = (
    begins.test(name)
      ? name.replace(/^([Gg])itLab/, '$1itlab').replace(/(?<=[a-z])(?=[A-Z])|[.-]/g, '_')
      : name
  ).toUpperCase()
  const behind = large.replace(/^MCP_(?=(?:FORGE|GITLAB)_)/, '')
  return ofForge.test(behind) && !/_API_/.test(behind) ? large : behind
}

/** Names that other programs, mainly servers of this kind, use for variables of another name here. */
const elsewhere: Readonly<Record<string, Variable>> = {
  MCP_TRANSPORT: 'STREAMABLE_HTTP',
  SSE: 'STREAMABLE_HTTP',
  MCP_HOST: 'HOST',
  MCP_PORT: 'PORT',
  MCP_BASE_URL: 'MCP_SERVER_URL',
  MCP_PUBLIC_URL: 'MCP_SERVER_URL',
  MCP_TRUST_PROXIES: 'MCP_TRUST_PROXY',
  MCP_TRUSTED_PROXIES: 'MCP_TRUST_PROXY',
  MCP_READ_ONLY: 'FORGE_READ_ONLY_MODE',
  MCP_READONLY: 'FORGE_READ_ONLY_MODE',
  FORGE_READ_ONLY: 'FORGE_READ_ONLY_MODE',
  FORGE_READONLY: 'FORGE_READ_ONLY_MODE',
  FORGE_DEFAULT_PROJECT: 'FORGE_PROJECT_ID',
  FORGE_DEFAULT_PROJECT_ID: 'FORGE_PROJECT_ID',
  FORGE_LOG_LEVEL: 'LOG_LEVEL',
  FORGE_PAT: 'FORGE_PERSONAL_ACCESS_TOKEN',
  FORGE_API_TOKEN: 'FORGE_PERSONAL_ACCESS_TOKEN',
  FORGE_API_KEY: 'FORGE_PERSONAL_ACCESS_TOKEN',
  FORGE_PORT: 'PORT',
  FORGE_USE_OAUTH: 'FORGE_MCP_OAUTH',
  FORGE_OAUTH_CLIENT_ID: 'FORGE_OAUTH_APP_ID',
  FORGE_OAUTH_CLIENT_SECRET: 'FORGE_OAUTH_APP_SECRET',
  TOOLSETS: 'FORGE_TOOLSETS',
  TOOL_SURFACE: 'FORGE_TOOL_SURFACE',
  FORGE_TOOL_POLICY_HIDDEN: 'FORGE_DENIED_TOOLS_REGEX',
  FORGE_TOOL_POLICY_APPROVE: 'FORGE_CONFIRM',
  ENABLE_STRICT_PROJECT_SCOPE: 'FORGE_ALLOWED_PROJECT_IDS',
  USE_GITLAB_WIKI: 'FORGE_TOOLSETS',
  USE_MILESTONE: 'FORGE_TOOLSETS',
  // Other programs read these also, or only, in small letters.
  http_proxy: 'HTTP_PROXY',
  https_proxy: 'HTTPS_PROXY',
  no_proxy: 'NO_PROXY',
  all_proxy: 'HTTPS_PROXY',
  ALL_PROXY: 'HTTPS_PROXY'
}

/** The same for the words that people use for policies. */
const inOtherWords: readonly (readonly [RegExp, Variable])[] = [
  [
    /^FORGE_(?:BLOCK(?:ED)?|DENY|DENIED|DISABLED?|DISALLOW(?:ED)?|EXCLUDED?|FORBIDDEN|HIDDEN)_(?:ACTION|OPERATION|TOOL)S?(?:_(?:PATTERN|REGEXP?))?$|^FORGE_TOOLS?_(?:BLACK|BLOCK|DENY)LIST$/,
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
  [/^FORGE_(?:BLOCK|DENY|DISABLED?|FORBID|NO)_WRIT(?:ES?|ING)$/, 'FORGE_READ_ONLY_MODE'],
  [/^FORGE_(?:BLOCK|FORBID|HIDE|MASK|NO)_SECRET(?:S|_VALUES?)$/, 'FORGE_DENY_SECRET_VALUES']
]

/** Names by which people give the address of a forge. */
export const ofForge =
  /^(?:FORGE|GITLAB)_(?:API_)?(?:ADDRESS|BASE|DOMAIN|ENDPOINT|HOST|HOSTNAME|(?:BASE_|INSTANCE_|SERVER_)?UR[IL]|INSTANCE|SERVER)$/

const ownToken = 'this service has no token of its own that guards the port.'
const ofGroups =
  'nothing here limits callers to groups: everybody whose token the forge accepts may call. FORGE_ALLOWED_PROJECT_IDS limits the projects.'
const ofTools =
  'FORGE_TOOLS lists more tools and forbids none; FORGE_DENIED_TOOLS_REGEX=^(?!(get_issue|list_issues)$) forbids all but these two.'

/** Names for things that do not exist here, with the alternative. */
const noneHere: Readonly<Record<string, string>> = {
  MCP_AUTH_TOKEN: ownToken,
  MCP_API_KEY: ownToken,
  MCP_BEARER_TOKEN: ownToken,
  MCP_TOKEN: ownToken,
  STREAMABLE_HTTP_AUTH_TOKEN: ownToken,
  SSE_AUTH_TOKEN: ownToken,
  FORGE_ALLOWED_GROUPS: ofGroups,
  FORGE_OAUTH_ALLOWED_GROUPS: ofGroups,
  FORGE_ALLOWED_TOOLS: ofTools,
  FORGE_ENABLED_TOOLS: ofTools,
  FORGE_JOB_TOKEN:
    'the token of a CI job is taken over HTTP alone, from the header JOB-TOKEN of each caller.',
  FORGE_AUTH_COOKIE_PATH: 'no cookie is sent to a forge: a token says who calls.',
  FORGE_MASKING_ENABLED:
    'no setting masks texts in answers; FORGE_DENY_SECRET_VALUES takes away the arguments that ask for secret values.'
}

/** The variable meant by a name of another server, by its value: values that are not listed restrict nothing. */
const byValue: Readonly<Record<string, Readonly<Record<string, Variable>>>> = {
  FORGE_PERMISSION_MODE: { readonly: 'FORGE_READ_ONLY_MODE', modify: 'FORGE_DENIED_TOOLS_REGEX' }
}

/** A pattern for all tools whose purpose is to delete or to take away, for FORGE_DENIED_TOOLS_REGEX. */
export const deletions = '^(delete|erase|purge|remove|unprotect)_'

/**
 * The value to set the variable to that a name of another server means, as a sentence; undefined if the given value is
 * enough.
 */
export const valueFor = (name: string, value: string): string | undefined =>
  renamed(name) === 'FORGE_PERMISSION_MODE' && value.toLowerCase() === 'modify'
    ? `The pattern ${deletions} forbids the tools that are there to delete or take away.`
    : undefined

/**
 * The alternative to a name for something that does not exist here, as a sentence without its capital; undefined if
 * there is none.
 */
export const insteadOf = (name: string): string | undefined => ownValue(noneHere, renamed(name))

/** The variable for which others use a name. @param value the value of that name */
export function ofOthers(name: string, value: string): Variable | undefined {
  const ours = renamed(name)
  return (
    ownValue(elsewhere, name) ??
    ownValue(elsewhere, ours) ??
    inOtherWords.find(([words]) => words.test(ours))?.[1] ??
    behindMcp(ours) ??
    ownValue(byValue[ours], value.toLowerCase())
  )
}

/**
 * The variable whose FORGE_ a name has as MCP_. Another server of such a kind may stand in the same environment, so no
 * name of this form keeps the service from starting.
 */
function behindMcp(name: string): Variable | undefined {
  const [, words = ''] = /^MCP_([A-Z]+_.+)/.exec(name) ?? []
  if (words === '' || alsoElsewhere.test(words) || isVariable(name)) return undefined
  const own = `FORGE_${words}`
  return variables.find(variable => variable === own) ?? inOtherWords.find(([other]) => other.test(own))?.[1]
}

/** Whether others use a name, and it has another value or no meaning here. */
export const isOfOthers = (name: string, value: string): boolean =>
  othersBegin.test(asVariable(name)) || ofOthers(name, value) !== undefined || insteadOf(name) !== undefined

/** The name, unless it is short: other programs use short names in small letters, too. */
export const unlessShort = (name: string): string | undefined => (nearFor(name) > 0 ? name : undefined)

/** The variable that may be meant by a name. @param name in capitals */
export function meantBy(name: string): string | undefined {
  if (insteadOf(name) !== undefined) return undefined
  if (ofForge.test(name)) return 'FORGE_API_URL'
  if (ours.test(name)) return nearTo(name, NEAR) ?? byAbbreviation(name) ?? ourForm(name)
  return othersBegin.test(name)
    ? (ourForm(name) ?? policyInWords(name))
    : (nearTo(name, nearFor(name)) ?? beginningLeftOut(name))
}

/** The variable that a name becomes with our prefix. */
const ourForm = (name: string): Variable | undefined => variables.find(variable => variable === renamed(name))

/** The policy that has the words of a name, of which there are two or more: GitLab's own programs use single ones. */
const policyInWords = (name: string): Variable | undefined =>
  renamed(name).split('_').length < 3 ? undefined : byAbbreviation(renamed(name), policies)

/** Whether a name of another server has only words of our variable: GitLab's own programs may have that, too. */
export const isOnlyInWords = (name: string, value: string): boolean =>
  othersBegin.test(asVariable(name)) && ofOthers(name, value) === undefined && ourForm(name) === undefined

/**
 * The variable that a name becomes with a prefix added, if the name has at least three words: other programs use
 * shorter ones, too.
 */
const beginningLeftOut = (name: string): Variable | undefined =>
  name.split('_').length < 3 || alsoElsewhere.test(name)
    ? undefined
    : variables.find(variable => variable === `FORGE_${name}` || variable === `MCP_${name}`)

/** Prefixes of names that other programs have with the same words. */
const alsoElsewhere = /^(?:CA|OAUTH|POOL)_/

const nearTo = (name: string, letters: number): Variable | undefined =>
  variables.find(
    variable => Math.abs(variable.length - name.length) <= letters && distance(name, variable) <= letters
  )
