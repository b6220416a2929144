import { elsewhere, inSmallLetters, meantBy, noneHere, othersBegin } from './meant.ts'
import { variables } from './schema.ts'

/**
 * Variables that Kubernetes sets in each pod for services of such names, that GitLab sets in each CI job, and that
 * clients and the command doctor read.
 */
const notForUs = /^(?!OTEL_).*_SERVICE_|_PORT(?:_|$)|^FORGE_(?:OAUTH_|DOCTOR_)?TOKEN$|^(?:GITLAB_)?CI_/

/** A name that looks like a variable of this service but is none: a setting that nobody reads. */
export interface Misspelt {
  readonly name: string
  /** The variable that may be meant, if one is like it. */
  readonly meant: string | undefined
}

/** Finds such names in an environment. */
export function allMisspelt(env: NodeJS.ProcessEnv): Misspelt[] {
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

/** Says of such a name that it is not read, and what may be meant. */
export const sentenceOf = ({ name, meant }: Misspelt): string =>
  notRead(
    name,
    meant === undefined
      ? (noneHere[name.toUpperCase()] ?? '--help lists those that are.')
      : `${meant} may be meant.`
  )

/** Says that nobody reads a name. @param advice what to do, as a sentence without its capital */
export const notRead = (name: string, advice: string): string =>
  `${name} is no variable of this service and is not read: ${advice}`
