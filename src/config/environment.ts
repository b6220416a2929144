import { envFileUnread, unreadOfEnvFiles } from './env-files/env-files.ts'
import { hasHomeForge } from './home-forge.ts'
import { decidedBy, gatherSettings, type Settings } from './load.ts'
import { allMisspelt, firstOfEach, type InLine, notRead, sentenceOf } from './misspelt.ts'
import { refusedNames } from './refused-names.ts'
import { unchecked } from './rules/network-rules.ts'
import { protocolNotes } from './rules/tracing-rules.ts'
import { factsOf } from './schema.ts'
import { readSettingsFile } from './settings-file.ts'

/** The settings from an environment and a command line, with sentences about both. */
interface Environment {
  readonly given: Settings
  /** Sentences on problems that keep the service from starting. */
  readonly problems: readonly string[]
  /** Sentences on names and files that nobody reads. */
  readonly unread: readonly string[]
  /** Other notes for the operator. */
  readonly notes: readonly string[]
}

/**
 * Reads the settings of a process, without those in files.
 * @param flags variables from the command line
 * @param nodeFlags flags of Node.js, which may name files of variables
 * @returns the settings, with sentences about names and files that nobody reads; no sentence contains a value
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
  const files = await unreadOfEnvFiles(nodeFlags, env, decided)
  const refused = refusedNames(env, decided, files.dropped, files.others)
  const told = refused.map(({ name }) => name)
  return {
    given,
    problems: [...refused.map(({ says }) => says), ...files.faults],
    unread: [
      ...(await unread(env, decided, told, files.others)),
      ...files.notes.filter(({ name }) => !told.includes(name)).map(({ says }) => says)
    ],
    notes: environmentNotes(env, given)
  }
}

/**
 * Lists settings that nobody reads, because they have a wrong name or are in a file.
 * @param settings the settings from all sources
 * @param told names that are reported elsewhere in more detail
 * @param lines settings in lines of files that Node.js does not read
 */
export const unread = async (
  env: NodeJS.ProcessEnv,
  settings: Settings,
  told: readonly string[] = [],
  lines: readonly InLine[] = []
): Promise<string[]> => [
  ...firstOfEach(allMisspelt(env, settings, lines))
    .filter(({ name }) => !told.includes(name))
    .map(sentenceOf),
  ...clientsToken([...Object.keys(env), ...lines.map(({ written }) => written)], settings),
  ...(await envFileUnread('.env', settings))
]

/** Names for the token of a client: the one in these docs, and those of the forge's own programs. */
const tokensOfClients = ['FORGE_TOKEN', 'GITLAB_TOKEN', 'GITLAB_PRIVATE_TOKEN', 'GITLAB_ACCESS_TOKEN']

/**
 * Reports names for the token of a client, if this service cannot start without a token of its own. In other modes, a
 * person who runs a client on the same machine may have set them on purpose.
 */
function clientsToken(names: readonly string[], settings: Settings): string[] {
  const needsToken =
    settings.STREAMABLE_HTTP === 'false' ||
    (settings.REMOTE_AUTHORIZATION === 'false' && settings.FORGE_MCP_OAUTH !== 'true')
  const has = settings.FORGE_PERSONAL_ACCESS_TOKEN ?? settings.FORGE_PERSONAL_ACCESS_TOKEN_FILE
  return needsToken && has === undefined
    ? tokensOfClients
        .filter(name => names.includes(name))
        .map(name => notRead(name, 'FORGE_PERSONAL_ACCESS_TOKEN may be meant.'))
    : []
}

/**
 * Notes on the environment for the operator: FORGE_API_URL is set but empty, which counts as not set, so tokens would
 * go to the default forge; Node.js was told not to check certificates, or can be slowed down by chosen texts; or traces
 * are to be sent over gRPC.
 * @param settings the given settings
 * @param node the version of Node.js
 */
export function environmentNotes(
  env: NodeJS.ProcessEnv,
  settings: Settings,
  node = process.versions.node
): string[] {
  const notes: string[] = []
  if (env.FORGE_API_URL !== undefined && settings.FORGE_API_URL === undefined && hasHomeForge(settings))
    notes.push(
      `FORGE_API_URL is there and empty: calls, and their tokens, go to ${factsOf('FORGE_API_URL').default}.`
    )
  if (env[NODE_VERIFIES] === '0') notes.push(unchecked(NODE_VERIFIES))
  // The client of stdio has the process for itself.
  if (settings.STREAMABLE_HTTP !== 'false' && !isSeeded(node))
    notes.push(
      `Node.js ${node} can be held up by texts of chosen digits (CVE-2026-21717), so that one caller or forge makes all callers wait: take at least ${seeded.join(', ')} or 26.`
    )
  return [...notes, ...protocolNotes(env, settings)]
}

const NODE_VERIFIES = 'NODE_TLS_REJECT_UNAUTHORIZED'

/**
 * The first version of each line whose engine hashes digits with a seed, so that nobody can choose texts that collide.
 * Node.js makes such hashes already of the short texts in what JSON.parse reads, before this service sees them.
 */
const seeded = ['22.22.2', '24.14.1', '25.8.2']

const isSeeded = (node: string): boolean => {
  const compared = (other: string) => node.localeCompare(other, 'en', { numeric: true })
  return (
    compared('26') >= 0 ||
    seeded.some(first => parseInt(first, 10) === parseInt(node, 10) && compared(first) >= 0)
  )
}
