import { envFileUnread, unreadOfEnvFiles } from './env-files/env-files.ts'
import { hasHomeForge } from './home-forge.ts'
import { decidedBy, gatherSettings, type Settings } from './load.ts'
import { allMisspelt, notRead, sentenceOf } from './misspelt.ts'
import { refusedNames } from './refused-names.ts'
import { unchecked } from './rules/network-rules.ts'
import { protocolNotes } from './rules/tracing-rules.ts'
import { factsOf } from './schema.ts'
import { readSettingsFile } from './settings-file.ts'

/** What an environment and a command line set, and what is to be said of both. */
export interface Environment {
  readonly given: Settings
  /** What keeps the service from starting: a sentence for each. */
  readonly problems: readonly string[]
  /** Names and files that nobody reads. */
  readonly unread: readonly string[]
  /** What else an operator should look at. */
  readonly notes: readonly string[]
}

/**
 * Reads the settings of a process, without those in files.
 * @param flags variables of the command line
 * @param nodeFlags flags of Node.js, which may name files of variables
 * @returns them, with sentences about names and files that nobody reads, none of which has a value
 */
export async function readEnvironment(
  env: NodeJS.ProcessEnv,
  flags: Settings,
  nodeFlags: readonly string[] = process.execArgv
): Promise<Environment> {
  const given = gatherSettings(env, flags)
  const path = given.FORGE_SETTINGS_PATH
  const inFile = path === undefined ? {} : (await readSettingsFile(path, given, undefined)).settings
  const decided = decidedBy(given, inFile)
  const files = await unreadOfEnvFiles(nodeFlags, decided)
  const named = { ...files.others, ...env }
  const refused = refusedNames(named, decided, files.dropped)
  const told = refused.map(({ name }) => name)
  return {
    given,
    problems: [...refused.map(({ says }) => says), ...files.faults],
    unread: [
      ...(await unread(named, decided, told)),
      ...files.notes.filter(({ name }) => !told.includes(name)).map(({ says }) => says)
    ],
    notes: environmentNotes(env, given)
  }
}

/**
 * Lists settings that nobody reads, because they have a wrong name or are in a file.
 * @param settings what is set, from wherever it is
 * @param told names of which more is said elsewhere
 */
export const unread = async (
  env: NodeJS.ProcessEnv,
  settings: Settings,
  told: readonly string[] = []
): Promise<string[]> => [
  ...allMisspelt(env, settings)
    .filter(({ name }) => !told.includes(name))
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
