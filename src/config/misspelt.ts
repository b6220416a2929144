import { distance } from 'fastest-levenshtein'
import { hasHomeForge } from './home-forge.ts'
import { inShort } from './in-short.ts'
import type { Settings } from './load.ts'
import { unchecked } from './network-rules.ts'
import { factsOf, type Variable, variables } from './schema.ts'
import { readSmallFile } from './small-file.ts'
import { protocolNotes } from './tracing-rules.ts'

/** Most letters by which a name may differ from a variable of ours to be taken for it. */
const NEAR = 2

/**
 * The same for names that may also belong to other programs: in a short name, two different letters mean another one.
 */
const nearFor = (name: string): number => (name.length >= 12 ? NEAR : name.length >= 8 ? 1 : 0)

/** Prefixes of names that hardly any other program uses. */
const ours = /^(?:FORGE|MCP|OAUTH_STATELESS|SESSION_TIMEOUT|MAX_SESSIONS|REMOTE_AUTH|STREAMABLE)/

/**
 * Variables that Kubernetes sets in each pod for services of such names, that GitLab sets in each CI job, and that
 * clients and the command doctor read.
 */
const notForUs = /^(?!OTEL_).*_SERVICE_|_PORT(?:_|$)|^FORGE_(?:OAUTH_|DOCTOR_)?TOKEN$|^(?:GITLAB_)?CI_/

/** The prefix of other servers of this kind, where ours is FORGE_. */
const othersBegin = /^GITLAB_/

/** A name that looks like a variable of this service but is none: a setting that nobody reads. */
interface Misspelt {
  readonly name: string
  /** The variable that may be meant, if one is like it. */
  readonly meant: string | undefined
}

function allMisspelt(env: NodeJS.ProcessEnv): Misspelt[] {
  const known = new Set<string>(variables)
  return Object.keys(env)
    .map(name => ({ name, large: name.toUpperCase() }))
    .filter(({ name, large }) => !known.has(name) && !(notForUs.test(large) && !isPortNumber(name, env)))
    .flatMap(({ name, large }): Misspelt[] => {
      const meant = elsewhere[name] ?? (known.has(large) ? inSmallLetters(large) : meantBy(large))
      if (meant === undefined) return large.startsWith('FORGE_') || large in noneHere ? [{ name, meant }] : []
      // If the variable meant is set, too, the other name was meant for another program; on Windows both are the same.
      const others =
        known.has(large) ||
        othersBegin.test(large) ||
        name in elsewhere ||
        large in elsewhere ||
        meant.endsWith(`_${large}`)
      return others && env[meant] !== undefined ? [] : [{ name, meant }]
    })
}

/** Whether it is MCP_PORT with a number: for a service named mcp, Kubernetes sets it to a URL. */
const isPortNumber = (name: string, env: NodeJS.ProcessEnv): boolean =>
  name === 'MCP_PORT' && /^\d+$/.test(env[name]?.trim() ?? '')

/**
 * Finds names in an environment that look like variables of this service but are not: settings that nobody reads.
 * @returns a sentence for each, without its value
 */
export const misspelt = (env: NodeJS.ProcessEnv): string[] => allMisspelt(env).map(sentenceOf)

const sentenceOf = ({ name, meant }: Misspelt): string =>
  notRead(
    name,
    meant === undefined
      ? (noneHere[name.toUpperCase()] ?? '--help lists those that are.')
      : `${meant} may be meant.`
  )

/**
 * Names of this service's kind (FORGE_…) that are set where FORGE_API_URL was meant, and is not: tokens for that forge
 * would go to the default one. Names of other kinds belong to other programs, too.
 */
const strayNames = (env: NodeJS.ProcessEnv, settings: Settings): string[] =>
  settings.FORGE_API_URL !== undefined || !hasHomeForge(settings)
    ? []
    : allMisspelt(env)
        .filter(({ name, meant }) => meant === URL_NAME && /^FORGE_/i.test(name))
        .map(({ name }) => name)
        .filter(name => isSure(name.toUpperCase()) && likeHost.test(env[name]?.trim() ?? ''))

/** Whether a name can hardly mean anything but FORGE_API_URL. FORGE_APP_URL is as near, and another program's. */
const isSure = (name: string): boolean =>
  name === URL_NAME ||
  ofForge.test(name) ||
  (name.length !== URL_NAME.length && distance(name, URL_NAME) === 1)

const URL_NAME = 'FORGE_API_URL'

/** The beginning of a value that is an address: other programs have names of FORGE_, too. */
const likeHost = /^(?:https?:\/\/|[\w-]+(?:\.[\w-]+)+(?:[:/]|$))/i

/**
 * Refuses to serve the default forge where another is named by a name that nobody reads.
 * @param settings what is set
 * @returns a sentence for each such name, without its value
 */
export const strayForges = (env: NodeJS.ProcessEnv, settings: Settings): string[] =>
  strayNames(env, settings).map(
    name =>
      `${name} is no variable of this service, and FORGE_API_URL, which may be meant, is not set: tokens would go to ${factsOf('FORGE_API_URL').default}. Set FORGE_API_URL, also if that is the forge, or unset ${name}.`
  )

const notRead = (name: string, advice: string): string =>
  `${name} is no variable of this service and is not read: ${advice}`

/** The name, unless it is short: other programs use short names in small letters, too. */
const inSmallLetters = (name: string): string | undefined => (nearFor(name) > 0 ? name : undefined)

/** Names that other programs, above all servers of this kind, use for what has another name here. */
const elsewhere: Readonly<Record<string, string>> = {
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
  FORGE_OAUTH_CLIENT_ID: 'FORGE_OAUTH_APP_ID',
  FORGE_OAUTH_CLIENT_SECRET: 'FORGE_OAUTH_APP_SECRET',
  TOOLSETS: 'FORGE_TOOLSETS',
  TOOL_SURFACE: 'FORGE_TOOL_SURFACE',
  GITLAB_OAUTH_CLIENT_ID: 'FORGE_OAUTH_APP_ID',
  GITLAB_OAUTH_CLIENT_SECRET: 'FORGE_OAUTH_APP_SECRET',
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
const ofForge =
  /^(?:FORGE|GITLAB)_(?:API_)?(?:ADDRESS|BASE|DOMAIN|ENDPOINT|HOST|HOSTNAME|(?:BASE_|INSTANCE_|SERVER_)?UR[IL]|INSTANCE|SERVER)$/

/** Names for what does not exist here, with what does. */
const noneHere: Readonly<Record<string, string>> = Object.fromEntries(
  ['MCP_AUTH_TOKEN', 'MCP_API_KEY', 'MCP_BEARER_TOKEN', 'MCP_TOKEN'].map(name => [
    name,
    'this service has no token of its own that guards the port.'
  ])
)

function meantBy(name: string): string | undefined {
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

/** Lists settings that nobody reads, because they have a wrong name or are in a file. @param settings what is set */
export const unread = async (env: NodeJS.ProcessEnv, settings: Settings): Promise<string[]> => [
  ...allMisspelt(env)
    .filter(({ name }) => !strayNames(env, settings).includes(name))
    .map(sentenceOf),
  ...clientsToken(env, settings),
  ...(await envFileUnread('.env', settings))
]

/** The name that these docs have for the token of a client, and those of the forge's own programs. */
const tokensOfClients = ['FORGE_TOKEN', 'GITLAB_TOKEN', 'GITLAB_PRIVATE_TOKEN', 'GITLAB_ACCESS_TOKEN']

/**
 * Reports names for the token of a client where this service cannot start without a token of its own. Elsewhere whoever
 * runs a client beside it may well have set them.
 */
function clientsToken(env: NodeJS.ProcessEnv, settings: Settings): string[] {
  const needsToken =
    settings.STREAMABLE_HTTP === 'false' ||
    (settings.REMOTE_AUTHORIZATION === 'false' && settings.FORGE_MCP_OAUTH !== 'true')
  const has = settings.FORGE_PERSONAL_ACCESS_TOKEN ?? settings.FORGE_PERSONAL_ACCESS_TOKEN_FILE
  return needsToken && has === undefined
    ? tokensOfClients
        .filter(name => env[name] !== undefined)
        .map(name => notRead(name, 'FORGE_PERSONAL_ACCESS_TOKEN may be meant.'))
    : []
}

/**
 * Reports a file .env with variables of this service, because some programs read such files by themselves. It is only
 * looked for if no forge is set, when tokens would go to the default one.
 */
export async function envFileUnread(path: string, settings: Settings): Promise<string[]> {
  if (settings.FORGE_API_URL !== undefined) return []
  const text = await readSmallFile(path).catch(() => '')
  return /^[^\S\n]*(?:export[^\S\n]+)?FORGE_\w+[^\S\n]*=/m.test(text)
    ? [
        `The file ${path} is there, and is not read by itself: give it to Node.js, as in node --env-file=${path}.`
      ]
    : []
}

/**
 * Notes on the environment for the operator: a forge variable is set but empty, which counts as not set, so tokens
 * would go to the default forge; Node.js itself was told not to check certificates; or traces are to go by gRPC.
 * @param settings what is set
 */
export function environmentNotes(env: NodeJS.ProcessEnv, settings: Settings): string[] {
  const notes: string[] = []
  if (env.FORGE_API_URL !== undefined && settings.FORGE_API_URL === undefined && hasHomeForge(settings))
    notes.push(
      `FORGE_API_URL is there and empty: calls, and their tokens, go to ${factsOf('FORGE_API_URL').default}.`
    )
  if (env[NODE_VERIFIES] === '0') notes.push(unchecked(NODE_VERIFIES))
  return [...notes, ...protocolNotes(env, settings)]
}

const NODE_VERIFIES = 'NODE_TLS_REJECT_UNAUTHORIZED'
