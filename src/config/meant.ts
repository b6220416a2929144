import { distance } from 'fastest-levenshtein'
import { inShort } from './in-short.ts'
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

/** Names that other programs, above all servers of this kind, use for what has another name here. */
export const elsewhere: Readonly<Record<string, string>> = {
  MCP_TRANSPORT: 'STREAMABLE_HTTP',
  MCP_HOST: 'HOST',
  MCP_PORT: 'PORT',
  MCP_BASE_URL: 'MCP_SERVER_URL',
  MCP_PUBLIC_URL: 'MCP_SERVER_URL',
  MCP_TRUST_PROXIES: 'MCP_TRUST_PROXY',
  MCP_TRUSTED_PROXIES: 'MCP_TRUST_PROXY',
  FORGE_READONLY: 'FORGE_READ_ONLY_MODE',
  FORGE_DENY_TOOLS: 'FORGE_DENIED_TOOLS_REGEX',
  FORGE_DISABLED_TOOLS: 'FORGE_DENIED_TOOLS_REGEX',
  FORGE_EXCLUDED_TOOLS: 'FORGE_DENIED_TOOLS_REGEX',
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
  GITLAB_OAUTH_CLIENT_ID: 'FORGE_OAUTH_APP_ID',
  GITLAB_OAUTH_CLIENT_SECRET: 'FORGE_OAUTH_APP_SECRET',
  GITLAB_READ_ONLY: 'FORGE_READ_ONLY_MODE',
  GITLAB_READONLY: 'FORGE_READ_ONLY_MODE',
  GITLAB_TOOL_POLICY_HIDDEN: 'FORGE_DENIED_TOOLS_REGEX',
  GITLAB_TOOL_POLICY_APPROVE: 'FORGE_CONFIRM',
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

/** Names by which people give the address of a forge. */
export const ofForge =
  /^(?:FORGE|GITLAB)_(?:API_)?(?:ADDRESS|BASE|DOMAIN|ENDPOINT|HOST|HOSTNAME|(?:BASE_|INSTANCE_|SERVER_)?UR[IL]|INSTANCE|SERVER)$/

const ownToken = 'this service has no token of its own that guards the port.'
const ofGroups =
  'no setting limits who may call to the members of groups; whose token the forge takes may, and FORGE_ALLOWED_PROJECT_IDS limits the projects.'

/** Names for what does not exist here, with what does. */
export const noneHere: Readonly<Record<string, string>> = {
  MCP_AUTH_TOKEN: ownToken,
  MCP_API_KEY: ownToken,
  MCP_BEARER_TOKEN: ownToken,
  MCP_TOKEN: ownToken,
  STREAMABLE_HTTP_AUTH_TOKEN: ownToken,
  SSE_AUTH_TOKEN: ownToken,
  GITLAB_ALLOWED_GROUPS: ofGroups,
  GITLAB_OAUTH_ALLOWED_GROUPS: ofGroups,
  GITLAB_MASKING_ENABLED:
    'no setting masks texts in answers; FORGE_DENY_SECRET_VALUES takes away the arguments that ask for secret values.'
}

/** The variable that is meant by a name of another server, by its value: those without one restrict nothing. */
export const byValue: Readonly<Record<string, Readonly<Record<string, Variable>>>> = {
  GITLAB_PERMISSION_MODE: { readonly: 'FORGE_READ_ONLY_MODE', modify: 'FORGE_DENIED_TOOLS_REGEX' }
}

/** The name, unless it is short: other programs use short names in small letters, too. */
export const unlessShort = (name: string): string | undefined => (nearFor(name) > 0 ? name : undefined)

/** The variable that may be meant by a name. @param name in capitals */
export function meantBy(name: string): string | undefined {
  if (name in noneHere) return undefined
  if (name in elsewhere) return elsewhere[name]
  if (ofForge.test(name)) return 'FORGE_API_URL'
  if (ours.test(name)) return nearTo(name, NEAR) ?? inShort(name)
  return othersBegin.test(name)
    ? variables.find(variable => variable === name.replace(othersBegin, 'FORGE_'))
    : (nearTo(name, nearFor(name)) ?? beginningLeftOut(name))
}

/** The variable that a name is without its beginning, if it has three words: shorter ones are other programs', too. */
const beginningLeftOut = (name: string): Variable | undefined =>
  name.split('_').length < 3 || ofOthers.test(name)
    ? undefined
    : variables.find(variable => variable === `FORGE_${name}` || variable === `MCP_${name}`)

/** How such names begin that other programs have in the same words. */
const ofOthers = /^(?:CA|OAUTH|POOL)_/

const nearTo = (name: string, letters: number): Variable | undefined =>
  variables.find(
    variable => Math.abs(variable.length - name.length) <= letters && distance(name, variable) <= letters
  )
