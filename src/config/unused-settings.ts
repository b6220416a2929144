import { type Config, factsOf, type Variable } from './schema.ts'

/** Settings that are only read in one mode. */
interface OfMode {
  readonly isOn: (config: Config) => boolean
  /** The start of the sentence about them when they have no effect. */
  readonly says: string
  readonly variables: readonly Variable[]
}

const savesArchives = (config: Config): boolean => config.STREAMABLE_HTTP && config.FORGE_DOWNLOAD_DIR !== ''

/**
 * The settings of each mode. HOST and PORT are left out, because they are often set for other reasons; so are the
 * defaults that the chart sets even without their mode.
 */
const modes: readonly OfMode[] = [
  {
    isOn: config => config.FORGE_MCP_OAUTH,
    says: 'without FORGE_MCP_OAUTH=true, by which people log in at the forge',
    variables: [
      'FORGE_OAUTH_APP_ID',
      'FORGE_OAUTH_APP_SECRET',
      'FORGE_OAUTH_SCOPES',
      'FORGE_OAUTH_CLIENT_DOCUMENTS',
      'OAUTH_REGISTER_RATE_LIMIT_PER_HOUR',
      'OAUTH_STATELESS_CLIENT_TTL_SECONDS',
      'OAUTH_STATELESS_PENDING_TTL_SECONDS',
      'OAUTH_STATELESS_STORED_TTL_SECONDS'
    ]
  },
  {
    isOn: config => config.OAUTH_STATELESS_MODE,
    says: 'without OAUTH_STATELESS_MODE=true',
    variables: [
      'OAUTH_STATELESS_SESSION_TTL_SECONDS',
      'OAUTH_STATELESS_SID_REUSE_SECONDS',
      'MAX_CALLER_REQUESTS_PER_MINUTE',
      'MAX_CALLER_WRITES_PER_MINUTE'
    ]
  },
  {
    isOn: config => !config.OAUTH_STATELESS_MODE,
    says: 'with OAUTH_STATELESS_MODE=true, where MAX_CALLER_REQUESTS_PER_MINUTE limits',
    variables: ['MAX_REQUESTS_PER_MINUTE']
  },
  {
    isOn: config => !config.OAUTH_STATELESS_MODE,
    says: 'with OAUTH_STATELESS_MODE=true, in which no session is held',
    variables: ['MAX_SESSIONS']
  },
  {
    isOn: config => config.ENABLE_DYNAMIC_API_URL,
    says: 'without ENABLE_DYNAMIC_API_URL=true, by which callers name their forge',
    variables: ['FORGE_POOL_MAX_SIZE', 'FORGE_POOL_IDLE_TIMEOUT', 'FORGE_POOL_CLEANUP_INTERVAL']
  },
  {
    isOn: config => config.STREAMABLE_HTTP,
    says: 'with STREAMABLE_HTTP=false, which serves over stdio',
    variables: [
      'MCP_SERVER_URL',
      'MCP_ALLOWED_HOSTS',
      'MCP_ALLOWED_ORIGINS',
      'MCP_TRUST_PROXY',
      'MCP_REQUIRE_PARAM_HEADERS',
      'METRICS_PORT'
    ]
  },
  {
    isOn: savesArchives,
    says: 'except over HTTP with FORGE_DOWNLOAD_DIR set',
    variables: ['FORGE_DOWNLOAD_QUOTA_MB', 'FORGE_DOWNLOAD_TOTAL_MB', 'FORGE_DOWNLOAD_KEEP_HOURS']
  },
  {
    isOn: config =>
      !savesArchives(config) || config.FORGE_DOWNLOAD_QUOTA_MB <= config.FORGE_DOWNLOAD_TOTAL_MB,
    says: 'above FORGE_DOWNLOAD_TOTAL_MB, which limits all callers together',
    variables: ['FORGE_DOWNLOAD_QUOTA_MB']
  }
]

/**
 * Whether a secret is set without the mode. It is easily taken for the mode, and with several replicas, each call may
 * then reach one without its session.
 */
const secretAlone = (config: Config): boolean =>
  config.STREAMABLE_HTTP &&
  !config.OAUTH_STATELESS_MODE &&
  config.OAUTH_STATELESS_SECRET !== '' &&
  config.FORGE_CONFIRM === 'off'

/** Names the settings that have no effect in the chosen mode, in a sentence for each mode. */
export function unusedNotes(config: Config): string[] {
  const notes = modes
    .filter(({ isOn }) => !isOn(config))
    .map(({ says, variables }) => ({ says, idle: variables.filter(name => isMade(name, config)) }))
    .filter(({ idle }) => idle.length > 0)
    .map(({ says, idle }) => `${idle.join(', ')} ${idle.length === 1 ? 'has' : 'have'} no effect ${says}.`)
  if (secretAlone(config))
    notes.push(
      'OAUTH_STATELESS_SECRET is set without OAUTH_STATELESS_MODE=true: sessions stay in this process’s memory, and the secret seals only the state of calls that ask a person something.'
    )
  return notes
}

const isMade = (name: Variable, config: Config): boolean => config[name] !== factsOf(name).default
