import { distance } from 'fastest-levenshtein'
import { inShort } from './in-short.ts'
import type { Settings } from './load.ts'
import { unchecked } from './network-rules.ts'
import { factsOf, type Variable, variables } from './schema.ts'
import { readSmallFile } from './small-file.ts'

/** Letters by which a name may differ from a variable of ours to be taken for it. */
const NEAR = 2

/** The same for names that begin as those of others do, too: in a short one two letters are another program's. */
const nearFor = (name: string): number => (name.length >= 12 ? NEAR : name.length >= 8 ? 1 : 0)

/** How the names begin that hardly anybody else uses. */
const ours = /^(?:FORGE|MCP|OAUTH_STATELESS|SESSION_TIMEOUT|MAX_SESSIONS|REMOTE_AUTH|STREAMABLE)/

/** What Kubernetes sets in each pod for services of such names, and what clients and the command doctor read. */
const notForUs = /_SERVICE_|_PORT(?:_|$)|^FORGE_(?:OAUTH_|DOCTOR_)?TOKEN$/

/** How other servers of this kind begin the names that here begin with FORGE_. */
const othersBegin = /^GITLAB_/

/**
 * Names in an environment that look like variables of this service and are none: a setting that somebody made and
 * nobody reads. @returns a sentence for each, without its value
 */
export function misspelt(env: NodeJS.ProcessEnv): string[] {
  const known = new Set<string>(variables)
  return Object.keys(env)
    .map(name => ({ name, large: name.toUpperCase() }))
    .filter(({ name, large }) => !known.has(name) && !notForUs.test(large))
    .flatMap(({ name, large }) => {
      const meant = elsewhere[name] ?? (known.has(large) ? inSmallLetters(large) : meantBy(large))
      const unread = `${name} is no variable of this service and is not read:`
      if (meant === undefined)
        return large.startsWith('FORGE_') ? [`${unread} --help lists those that are.`] : []
      // What is set besides under its own name was meant for somebody else; on Windows it is the same.
      const others = known.has(large) || othersBegin.test(large) || name in elsewhere || large in elsewhere
      return others && env[meant] !== undefined ? [] : [`${unread} ${meant} may be meant.`]
    })
}

/** Short ones are those of other programs, too. */
const inSmallLetters = (name: string): string | undefined => (nearFor(name) > 0 ? name : undefined)

/** What other programs, above all servers of this kind, have for what here has another name. */
const elsewhere: Readonly<Record<string, string>> = {
  MCP_TRANSPORT: 'STREAMABLE_HTTP',
  MCP_HOST: 'HOST',
  MCP_TRUST_PROXIES: 'MCP_TRUST_PROXY',
  MCP_TRUSTED_PROXIES: 'MCP_TRUST_PROXY',
  FORGE_READONLY: 'FORGE_READ_ONLY_MODE',
  FORGE_PAT: 'FORGE_PERSONAL_ACCESS_TOKEN',
  FORGE_API_TOKEN: 'FORGE_PERSONAL_ACCESS_TOKEN',
  FORGE_OAUTH_CLIENT_ID: 'FORGE_OAUTH_APP_ID',
  FORGE_OAUTH_CLIENT_SECRET: 'FORGE_OAUTH_APP_SECRET',
  GITLAB_URL: 'FORGE_API_URL',
  GITLAB_HOST: 'FORGE_API_URL',
  GITLAB_OAUTH_CLIENT_ID: 'FORGE_OAUTH_APP_ID',
  GITLAB_OAUTH_CLIENT_SECRET: 'FORGE_OAUTH_APP_SECRET',
  USE_GITLAB_WIKI: 'FORGE_TOOLSETS',
  USE_MILESTONE: 'FORGE_TOOLSETS',
  // Elsewhere these count in small letters too, or alone.
  http_proxy: 'HTTP_PROXY',
  https_proxy: 'HTTPS_PROXY',
  no_proxy: 'NO_PROXY',
  all_proxy: 'HTTPS_PROXY',
  ALL_PROXY: 'HTTPS_PROXY'
}

function meantBy(name: string): string | undefined {
  if (name in elsewhere) return elsewhere[name]
  if (ours.test(name)) return nearTo(name, NEAR) ?? inShort(name)
  return othersBegin.test(name)
    ? variables.find(variable => variable === name.replace(othersBegin, 'FORGE_'))
    : nearTo(name, nearFor(name))
}

const nearTo = (name: string, letters: number): Variable | undefined =>
  variables.find(
    variable => Math.abs(variable.length - name.length) <= letters && distance(name, variable) <= letters
  )

/** What is set where nobody reads it: under a wrong name, or in a file. @param settings what is set */
export const unread = async (env: NodeJS.ProcessEnv, settings: Settings): Promise<string[]> => [
  ...misspelt(env),
  ...(await envFileUnread('.env', settings))
]

/**
 * A file .env that has variables of this service: some programs read theirs by themselves. Looked for where no forge is
 * set, as tokens would go to the default one.
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
 * What else an operator should know about an environment: that a forge was to be set and is not, as an empty variable
 * counts as none and tokens would go to the default; and that Node.js itself was told to check no certificate.
 * @param settings what is set
 */
export function environmentNotes(env: NodeJS.ProcessEnv, settings: Settings): string[] {
  const notes: string[] = []
  if (env.FORGE_API_URL !== undefined && settings.FORGE_API_URL === undefined)
    notes.push(
      `FORGE_API_URL is there and empty: calls, and their tokens, go to ${factsOf('FORGE_API_URL').default}.`
    )
  if (env[NODE_VERIFIES] === '0') notes.push(unchecked(NODE_VERIFIES))
  return notes
}

const NODE_VERIFIES = 'NODE_TLS_REJECT_UNAUTHORIZED'
