import { distance } from 'fastest-levenshtein'
import { hasHomeForge } from './home-forge.ts'
import type { Settings } from './load.ts'
import { ofForge } from './meant.ts'
import { allMisspelt } from './misspelt.ts'
import { factsOf } from './schema.ts'

/**
 * Names of this service's kind (FORGE_…) that are set where FORGE_API_URL was meant, and is not: tokens for that forge
 * would go to the default one. Names of other kinds belong to other programs, too.
 */
export const strayNames = (env: NodeJS.ProcessEnv, settings: Settings): string[] =>
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
