import { cutReasons } from '../edge/connections/connection-limits.ts'
import { consents } from '../engine/consent/question.ts'
import { loginFailures, type OAuthCode } from '../oauth/rules/error.ts'
import { purposes } from '../seal/keyring.ts'
import type { SessionsOf } from '../upstream/connections/network.ts'
import { Counter, gauge, Histogram, type Source } from './series.ts'

/** Why a caller was not authenticated. */
const authFailures = ['missing', 'format', 'rejected'] as const
export type AuthFailure = (typeof authFailures)[number]

/** Why an otherwise valid request was rejected, or why its X-Forge-API-URL was (`url_…`). */
const rejections = [
  'session',
  'rate_limit',
  'write_limit',
  'scrape_limit',
  'failed_credentials',
  'unchecked',
  'capacity',
  'overload',
  'slow',
  'headers',
  'expect',
  'no_http',
  'tls',
  'host',
  'origin',
  'url_missing',
  'url_invalid',
  'url_forbidden'
] as const
export type Rejection = (typeof rejections)[number]

/**
 * Why a request was refused, for the log only: the client made the request wrongly, or OAuth has a code for the reason.
 */
export type UncountedReason =
  | 'path'
  | 'method'
  | 'accept'
  | 'header'
  | 'json'
  | 'malformed'
  | 'params'
  | 'capability'
  | 'version'
  | OAuthCode

/** Why a request was refused. */
export type RefusalReason = AuthFailure | Rejection | UncountedReason

/** Buckets of the OpenTelemetry convention for MCP, in seconds. */
const operationBounds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]
const upstreamBounds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120]
const httpBounds = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120]

const tag = 'forge_mcp_'
const isOneOf = <Label extends string>(labels: readonly Label[], word: string | undefined): word is Label =>
  (labels as readonly (string | undefined)[]).includes(word)

const pairs = (labels: readonly string[]): string[][] => labels.map(label => [label])

/**
 * All metrics, in one place. The JSON record and the text formats read the same numbers. Labels are from fixed sets:
 * tool names of the catalog, route templates, classes of status; never text from a caller.
 */
export class Metrics {
  readonly httpDuration = new Histogram(
    `${tag}http_request_duration_seconds`,
    'Time from a request to the end of its answer.',
    ['method', 'route', 'status'],
    httpBounds
  )
  readonly operations = new Histogram(
    `${tag}operation_duration_seconds`,
    'Time of MCP requests by method and outcome, of tools/call by tool too.',
    ['mcp_method', 'tool', 'outcome'],
    operationBounds
  )
  readonly consents = new Counter(
    `${tag}confirmations_total`,
    'Calls that had to be confirmed (FORGE_CONFIRM), by what became of it.',
    ['outcome'],
    pairs(consents)
  )
  readonly unmatchedAnswers = new Counter(
    `${tag}unmatched_answers_total`,
    'Answers to questions for which no call waits here: it has ended, or waits at another replica.'
  )
  readonly upstreamDuration = new Histogram(
    `${tag}upstream_request_duration_seconds`,
    'Time of requests to FORGE_API_URL (home) and to forges that callers name (callers), by class of status or kind of failure.',
    ['forge', 'outcome'],
    upstreamBounds
  )
  readonly upstreamRetries = new Counter(
    `${tag}upstream_retries_total`,
    'Reads that were sent to a forge again.',
    ['reason']
  )
  readonly upstreamRefused = new Counter(
    `${tag}upstream_refused_total`,
    'Calls that were not sent because the forge, of FORGE_API_URL (home) or one that a caller names (callers), is busy or down.',
    ['forge', 'reason'],
    [
      ['home', 'busy'],
      ['home', 'down'],
      ['callers', 'busy'],
      ['callers', 'down']
    ]
  )
  readonly circuitOpened = new Counter(
    `${tag}upstream_circuit_opened_total`,
    'Times the circuit breaker opened.'
  )
  readonly poolEvictions = new Counter(
    `${tag}pool_evictions_total`,
    'Forge clients evicted from the pool.',
    ['reason'],
    pairs(['idle', 'lru'])
  )
  readonly sessionsCreated = new Counter(`${tag}sessions_created_total`, 'Sessions begun.')
  readonly sessionsExpired = new Counter(`${tag}sessions_expired_total`, 'Sessions ended by inactivity.')
  readonly sessionsDisplaced = new Counter(
    `${tag}sessions_displaced_total`,
    'Sessions ended to make room for others.'
  )
  readonly authFailures = new Counter(
    `${tag}auth_failures_total`,
    'Requests without a usable credential.',
    ['reason'],
    pairs(authFailures)
  )
  readonly loginFailures = new Counter(
    `${tag}login_failures_total`,
    'Logins and their renewals that failed by no fault of the client.',
    ['reason'],
    pairs(loginFailures)
  )
  readonly previousSecretUses = new Counter(
    `${tag}previous_secret_uses_total`,
    'Uses of values that were made with OAUTH_STATELESS_SECRET_PREVIOUS, by what they are for.',
    ['purpose'],
    pairs(purposes)
  )
  readonly sealedRefused = new Counter(
    `${tag}sealed_values_refused_total`,
    'Sealed and signed values that were not accepted, by what they are for and why.',
    ['purpose', 'reason'],
    purposes.map(purpose => [purpose, 'key'])
  )
  readonly rejected = new Counter(
    `${tag}requests_rejected_total`,
    'Requests turned away before they were looked at, and X-Forge-API-URL headers that were.',
    ['reason'],
    pairs(rejections)
  )
  readonly connectionsCut = new Counter(
    `${tag}connections_cut_total`,
    'Connections that were cut because their callers, or callers’ forges, held too much.',
    ['reason'],
    pairs(cutReasons)
  )
  readonly archivesNotSaved = new Counter(
    `${tag}archives_not_saved_total`,
    'Archives that could not be saved because of the disk or the download folder.'
  )
  readonly faults = new Counter(`${tag}faults_total`, 'Requests that failed by a defect of this service.')
  readonly processed = new Counter(
    `${tag}messages_total`,
    'Requests on /mcp that were let in; a batch is one.'
  )
  /** Counts the events that the upstream reports (src/upstream/forges.ts). */
  readonly upstream = {
    /** @param outcome status or kind of failure */
    onExchange: (outcome: number | string, seconds: number, forge: SessionsOf) =>
      this.upstreamDuration.observe(
        seconds,
        forge,
        typeof outcome === 'number' ? `${Math.floor(outcome / 100)}xx` : outcome
      ),
    onRetry: (reason: number | string) => this.upstreamRetries.count(String(reason)),
    onRefused: (reason: 'busy' | 'down', forge: SessionsOf) => this.upstreamRefused.count(forge, reason),
    onCircuit: (open: boolean) => open && this.circuitOpened.count(),
    onEvicted: (reason: string) => this.poolEvictions.count(reason)
  }
  httpInFlight = 0

  readonly #gauges: Source[] = [
    gauge(`${tag}http_requests_in_flight`, 'Requests being answered.', () => this.httpInFlight)
  ]

  /**
   * Counts a refused request.
   * @param reason an UncountedReason is not counted
   */
  refused(reason: RefusalReason | undefined): void {
    if (isOneOf(rejections, reason)) this.rejected.count(reason)
    else if (isOneOf(authFailures, reason)) this.authFailures.count(reason)
  }

  /**
   * Adds a gauge that is read whenever the metrics are.
   * @param name without the prefix
   */
  watch(name: string, help: string, now: () => number, labels?: Readonly<Record<string, string>>): void {
    this.#gauges.push(gauge(`${tag}${name}`, help, now, labels))
  }

  /** Every field that is a metric, and the gauges. */
  get sources(): readonly Source[] {
    return [...Object.values(this).filter(isMetric), ...this.#gauges]
  }
}

const isMetric = (field: unknown): field is Counter | Histogram =>
  field instanceof Counter || field instanceof Histogram
