import type { Config } from '../config/schema.ts'
import type { Metrics, Rejection } from './metrics.ts'

/** The JSON record of GET /metrics, field by field. */
interface MetricsRecord {
  readonly activeSessions: number
  readonly totalSessions: number
  readonly expiredSessions: number
  readonly authFailures: number
  readonly requestsProcessed: number
  readonly rejectedByRateLimit: number
  readonly rejectedByCapacity: number
  readonly authenticatedSessions: number
  /** Seconds since start, with fraction. */
  readonly uptime: number
  /** Bytes. */
  readonly memoryUsage: { rss: number; heapTotal: number; heapUsed: number; external: number }
  readonly config: {
    readonly maxSessions: number
    readonly maxRequestsPerMinute: number
    readonly sessionTimeoutSeconds: number
    readonly remoteAuthEnabled: boolean
  }
}

interface Surroundings {
  readonly activeSessions: number
  readonly uptime: number
  readonly memory: NodeJS.MemoryUsage
  readonly config: Pick<
    Config,
    | 'MAX_SESSIONS'
    | 'MAX_REQUESTS_PER_MINUTE'
    | 'MAX_CALLER_REQUESTS_PER_MINUTE'
    | 'OAUTH_STATELESS_MODE'
    | 'OAUTH_STATELESS_SESSION_TTL_SECONDS'
    | 'SESSION_TIMEOUT_SECONDS'
    | 'REMOTE_AUTHORIZATION'
    | 'FORGE_MCP_OAUTH'
  >
}

/** Makes the record from the state of the service. */
export function metricsRecord(
  metrics: Metrics,
  { activeSessions, uptime, memory, config }: Surroundings
): MetricsRecord {
  const rejected = (...reasons: Rejection[]) =>
    metrics.rejected.total(([reason]) => reasons.some(one => one === reason))
  return {
    activeSessions,
    totalSessions: metrics.sessionsCreated.total(),
    expiredSessions: metrics.sessionsExpired.total(),
    authFailures: metrics.authFailures.total(),
    requestsProcessed: metrics.processed.total(),
    rejectedByRateLimit: rejected('rate_limit', 'write_limit', 'failed_credentials'),
    rejectedByCapacity: rejected('capacity', 'overload'),
    // With a fixed token, no session has its caller's token.
    authenticatedSessions: config.REMOTE_AUTHORIZATION || config.FORGE_MCP_OAUTH ? activeSessions : 0,
    uptime,
    memoryUsage: {
      rss: memory.rss,
      heapTotal: memory.heapTotal,
      heapUsed: memory.heapUsed,
      external: memory.external
    },
    config: {
      ...limitsOf(config),
      remoteAuthEnabled: config.REMOTE_AUTHORIZATION
    }
  }
}

/**
 * The limits in force. Sealed sessions are not counted, and the limit applies to each caller instead of each session. 0
 * means no limit.
 */
function limitsOf(config: Surroundings['config']) {
  const { MAX_REQUESTS_PER_MINUTE, MAX_SESSIONS, SESSION_TIMEOUT_SECONDS } = config
  return config.OAUTH_STATELESS_MODE
    ? {
        maxSessions: 0,
        maxRequestsPerMinute: config.MAX_CALLER_REQUESTS_PER_MINUTE,
        sessionTimeoutSeconds: config.OAUTH_STATELESS_SESSION_TTL_SECONDS ?? SESSION_TIMEOUT_SECONDS
      }
    : {
        maxSessions: MAX_SESSIONS,
        maxRequestsPerMinute: MAX_REQUESTS_PER_MINUTE,
        sessionTimeoutSeconds: SESSION_TIMEOUT_SECONDS
      }
}
