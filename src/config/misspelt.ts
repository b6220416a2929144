import { distance } from 'fastest-levenshtein'
import { inShort } from './in-short.ts'
import type { Settings } from './load.ts'
import { factsOf, variables } from './schema.ts'

/** Letters by which a name may differ from a variable of ours to be taken for it. */
const NEAR = 2

/** How the names begin that hardly anybody else uses. */
const ours = /^(?:FORGE|MCP|OAUTH_STATELESS|SESSION_TIMEOUT|MAX_SESSIONS|REMOTE_AUTH|STREAMABLE)/

/** What Kubernetes sets in each pod for services of such names, and what clients and the command doctor read. */
const notForUs = /_SERVICE_|_PORT(?:_|$)|^FORGE_(?:OAUTH_|DOCTOR_)?TOKEN$/

/** How other servers of this kind begin the names that here begin with FORGE_. */
const others = /^GITLAB_/

/**
 * Names in an environment that look like variables of this service and are none: a setting that somebody made and
 * nobody reads. @returns a sentence for each, without its value
 */
export function misspelt(env: NodeJS.ProcessEnv): string[] {
  const known = new Set<string>(variables)
  return Object.keys(env)
    .filter(name => !known.has(name) && !notForUs.test(name))
    .flatMap(name => {
      const meant = meantBy(name)
      const unread = `${name} is no variable of this service and is not read:`
      if (meant === undefined)
        return name.startsWith('FORGE_') ? [`${unread} --help lists those that are.`] : []
      // What is set besides under its own name was meant for somebody else.
      return (others.test(name) || name in elsewhere) && env[meant] !== undefined
        ? []
        : [`${unread} ${meant} may be meant.`]
    })
}

/** What other servers of this kind have for what here has another name. */
const elsewhere: Readonly<Record<string, string>> = { MCP_TRANSPORT: 'STREAMABLE_HTTP', MCP_HOST: 'HOST' }

function meantBy(name: string): string | undefined {
  if (name in elsewhere) return elsewhere[name]
  if (ours.test(name)) return variables.find(variable => distance(name, variable) <= NEAR) ?? inShort(name)
  return others.test(name)
    ? variables.find(variable => variable === name.replace(others, 'FORGE_'))
    : undefined
}

/**
 * A forge that was to be set and is not: an empty variable counts as none, and tokens would go to the default.
 * @param settings what is set
 */
export function forgeUnset(env: NodeJS.ProcessEnv, settings: Settings): string[] {
  return env.FORGE_API_URL === undefined || settings.FORGE_API_URL !== undefined
    ? []
    : [
        `FORGE_API_URL is there and empty: calls, and their tokens, go to ${factsOf('FORGE_API_URL').default}.`
      ]
}
