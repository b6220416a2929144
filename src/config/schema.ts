import { type Static, Type } from 'typebox'
import { DAY_MS } from '../base/units.ts'

/*
 * Every variable of the service, once. The type of `fastify.config`, the command-line flags (argv.ts), the checks at
 * start, and docs/configuration.md are made from this object. `writeOnly` marks a secret: its value is never printed,
 * and `<NAME>_FILE` may name a file with it (secret-files.ts).
 */

const flag = (value: boolean, description: string) => Type.Boolean({ default: value, description })
const text = (description: string, value = '') => Type.String({ default: value, description })
const secret = (description: string) => Type.String({ default: '', writeOnly: true, description })
/** A file that contains a secret. @param reread whether it is read again when it changes */
const secretFile = (variable: string, reread = false) =>
  Type.String({
    default: '',
    description: `File with ${variable}, in place of the variable. ${reread ? 'A change is taken over while the service runs.' : 'Read at start.'}`
  })
const choice = <const V extends readonly string[]>(values: V, value: V[number], description: string) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: values, default: value, description })
const count = (value: number, minimum: number, maximum: number, description: string) =>
  Type.Integer({ default: value, minimum, maximum, description })
/** A number whose default is the value of another variable. */
const inherited = (from: string, minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum, description: `${description} Inherits ${from}.` }))

/** The JSON Schema of the configuration, in the order of the documentation. */
export const ConfigSchema = Type.Object({
  FORGE_API_URL: text(
    'The forge. A base URL gets /api/v4 added; a path prefix is kept. Not set, it is https://gitlab.com, and with ENABLE_DYNAMIC_API_URL none.',
    'https://gitlab.com/api/v4'
  ),
  FORGE_PROJECT_ID: text(
    'Project used by tools whose project_id is optional, when the caller names none; what deletes or removes has to be told one, unless it is the only one of FORGE_ALLOWED_PROJECT_IDS, and events, runners and snippets without one are the caller’s own.'
  ),

  REMOTE_AUTHORIZATION: flag(true, 'Each caller brings its own forge token in a request header.'),
  FORGE_PERSONAL_ACCESS_TOKEN: secret(
    'One token for every call: for stdio, or for HTTP on a loopback HOST with REMOTE_AUTHORIZATION=false. That of a person, project or group: a CI job’s is taken over HTTP alone, as JOB-TOKEN.'
  ),
  FORGE_PERSONAL_ACCESS_TOKEN_FILE: secretFile('FORGE_PERSONAL_ACCESS_TOKEN', true),

  STREAMABLE_HTTP: flag(
    true,
    'Serve MCP over streamable HTTP. false serves the same tools over stdio with FORGE_PERSONAL_ACCESS_TOKEN.'
  ),
  HOST: text('Address to listen on. Anything but a loopback address is reachable from outside.', '127.0.0.1'),
  PORT: count(3000, 0, 65_535, 'Port to listen on; 0 takes a free one.'),
  MCP_SERVER_URL: text(
    'Public base URL of the service, as clients see it. https unless it is a loopback address.'
  ),
  MCP_ALLOWED_HOSTS: text(
    'Host names accepted in the Host header besides loopback and the host of MCP_SERVER_URL; comma-separated.'
  ),
  MCP_ALLOWED_ORIGINS: text(
    'Browser origins that may call /mcp, such as https://app.example or chrome-extension://id; comma-separated. Pages on loopback may too, unless calls go out with FORGE_PERSONAL_ACCESS_TOKEN.'
  ),
  MCP_REQUIRE_PARAM_HEADERS: flag(
    false,
    'Refuse calls of 2026-07-28 that name a project without sending Mcp-Param-Project-Id, as the revision requires of tools that are listed. For gateways that enforce rules by this header: by default a client that leaves it out is served; a header that differs from the body is always refused.'
  ),
  MCP_TRUST_PROXY: text(
    'Proxies whose X-Forwarded-For counts, as addresses or networks; comma-separated. Limits per client address need it behind a proxy. Whoever is in these networks can choose its own address: name no network that callers are in.'
  ),

  FORGE_TOOLSETS: text(
    'Toolsets or presets (docs/presets.md) to list instead of merge_requests and issues; comma-separated, or all. They shorten the list and forbid nothing: tools of others can be called all the same. FORGE_DENIED_TOOLS_REGEX and FORGE_READ_ONLY_MODE forbid.'
  ),
  USE_PIPELINE: flag(false, 'Older way to add the toolset pipelines to the list.'),
  FORGE_TOOLS: text('Single tools to list besides the toolsets; comma-separated.'),
  FORGE_DENIED_TOOLS_REGEX: text(
    'Tools whose name matches are neither listed nor callable; an ECMAScript pattern, such as ^delete_ (docs/configuration.md has one for all tools that are there to delete or take away); commit_files and update_snippet still delete files, and unapprove_merge_request takes back an approval.'
  ),
  FORGE_READ_ONLY_MODE: flag(false, 'Offer only tools that read.'),
  FORGE_CONFIRM: choice(
    ['off', 'destructive', 'writes'],
    'off',
    'Which tools have to be confirmed before they do anything: by a person, if the client can ask one (elicitation), else by the argument confirm. Texts with lines that a forge would carry out (quick actions) are refused then.'
  ),
  FORGE_ALLOWED_PROJECT_IDS: text(
    'Projects that may be named, by id or path as callers write them; comma-separated. Tools that name no project are off then. A single one stands in where a call names none.'
  ),
  FORGE_DENY_SECRET_VALUES: flag(
    false,
    'Take away the arguments that ask for secret values, such as include_values for those of CI variables. Addresses of webhooks are shown with their path all the same, where some chats have their secret.'
  ),
  FORGE_TOOL_SURFACE: choice(
    ['full', 'search'],
    'full',
    'full lists the tools that are switched on; search lists find_tools and three tools that call what it finds, for clients that cannot handle many tools. X-Forge-Tool-Surface chooses for one request.'
  ),
  FORGE_PROMPTS: flag(
    true,
    'Offer prompts, which people start: to review a merge request, to fix a pipeline and the like (docs/prompts.md).'
  ),
  FORGE_RESOURCES: flag(
    true,
    'Offer resources, which clients read by URI: files, merge requests, issues, pipelines, job logs, wiki pages (docs/prompts.md).'
  ),
  FORGE_OUTPUT: choice(
    ['compact', 'full'],
    'compact',
    'compact leaves out nulls, links and avatars and shortens people to id, username and name; full leaves records as the forge sent them.'
  ),
  FORGE_MAX_RESULT_CHARS: count(
    200_000,
    1_000,
    10_000_000,
    'Longest result of one tool call, in characters. Beyond 300,000, answers may be longer than the 1 MiB that some clients read as one event of a stream (docs/protocol.md).'
  ),

  FORGE_MCP_OAUTH: flag(
    false,
    'OAuth mode: MCP clients log in at the forge through this service, and every credential is checked with the forge.'
  ),
  FORGE_OAUTH_APP_ID: text('Id of the OAuth application on the forge.'),
  FORGE_OAUTH_APP_SECRET: secret('Secret of that application, if it is confidential.'),
  FORGE_OAUTH_APP_SECRET_FILE: secretFile('FORGE_OAUTH_APP_SECRET', true),
  FORGE_OAUTH_SCOPES: text('Scopes that clients may ask for.', 'api'),
  FORGE_OAUTH_CALLBACK_PROXY: flag(
    false,
    'The forge redirects to /callback of this service, so that clients need not be registered there. With false it redirects straight to the client.'
  ),
  FORGE_OAUTH_CONSENT: flag(
    false,
    'Ask the person on a page of this service before going to the forge, and finish only in that browser.'
  ),
  FORGE_OAUTH_CLIENT_DOCUMENTS: flag(
    false,
    'Accept client ids that are https URLs of a metadata document, which is fetched from public addresses.'
  ),
  OAUTH_REGISTER_RATE_LIMIT_PER_HOUR: count(
    20,
    1,
    1_000_000,
    'Client registrations an hour from one address.'
  ),

  ENABLE_DYNAMIC_API_URL: flag(
    false,
    'Callers name their forge with the X-Forge-API-URL header on the request that starts a session; they have to where FORGE_API_URL is not set. Otherwise that header is ignored.'
  ),
  FORGE_ALLOWED_HOSTS: text(
    'Hosts that callers may name and redirects may lead to, such as forge.example, *.example.com or 10.0.0.5:8443; comma-separated, empty for any. An entry without a port means https on 443; any other port has to be given, also 80 for plain http. The host of FORGE_API_URL needs no entry; an object store that artifacts redirect to does.'
  ),
  FORGE_DENY_PRIVATE_ADDRESSES: flag(
    false,
    'Refuse forges on loopback and private addresses, other than FORGE_API_URL. Link-local and metadata addresses are always refused.'
  ),
  HTTP_PROXY: secret(
    'Proxy through which forges are reached, such as http://proxy.example:3128 or http://user:password@proxy.example:3128; also for https if HTTPS_PROXY is not set.'
  ),
  HTTP_PROXY_FILE: secretFile('HTTP_PROXY'),
  HTTPS_PROXY: secret('Proxy for https forges.'),
  HTTPS_PROXY_FILE: secretFile('HTTPS_PROXY'),
  NO_PROXY: text(
    'Hosts reached without a proxy, such as localhost, forge.example or .internal, and no networks; comma-separated, * for all.'
  ),
  FORGE_CA_CERT_PATH: text(
    'PEM file of certificates to trust besides those of Node.js, which has its own and not those of the system: NODE_USE_SYSTEM_CA=1 adds these. Read at the start.'
  ),
  RUNTIME_TLS_REJECT_UNAUTHORIZED: choice(
    ['1', '0'],
    '1',
    '0 switches the verification of certificates off: anybody on the way can then read tokens.'
  ),
  FORGE_MAX_CONCURRENCY: count(
    512,
    1,
    10_000,
    'Most requests of one replica under way at one forge; the others wait their turn, in fair shares. One caller may have an eighth of them, or 16 if that is more, and fewer the more are under way (alone, fewer than 16 only if this is below 40, or 54 until the forge has answered it); all callers whom the forge has not answered lately get three quarters. One client address has a quarter of them, 128 at least, at all forges that callers name.'
  ),
  FORGE_POOL_MAX_SIZE: count(
    100,
    1,
    10_000,
    'Most forges with connections at once, besides FORGE_API_URL; the least recently used idle one makes room.'
  ),
  FORGE_POOL_IDLE_TIMEOUT: count(
    300_000,
    1,
    DAY_MS,
    'Milliseconds after which the connections to an unused forge are closed.'
  ),
  FORGE_POOL_CLEANUP_INTERVAL: count(60_000, 1, DAY_MS, 'Milliseconds between two checks for unused forges.'),

  LOG_LEVEL: choice(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    'info',
    'Least severe level that is logged. Above info, calls leave no audit lines.'
  ),
  FORGE_SETTINGS_PATH: text(
    'File of NAME=value lines with LOG_LEVEL, what is listed (FORGE_TOOLSETS, USE_PIPELINE, FORGE_TOOLS) and what may be done (FORGE_DENIED_TOOLS_REGEX, FORGE_READ_ONLY_MODE, FORGE_CONFIRM, FORGE_ALLOWED_PROJECT_IDS, FORGE_DENY_SECRET_VALUES). It wins over variables and flags, and a change is taken over while the service runs.'
  ),
  FORGE_AUDIT_USERS: flag(
    false,
    'Name the user in the audit line of each call. The forge of FORGE_API_URL, and with FORGE_ALLOWED_HOSTS also one that a caller names, is asked for the name once per token, after a call that it has served or forbidden.'
  ),
  METRICS_PORT: count(
    0,
    0,
    65_535,
    'Another port that serves /metrics as Prometheus text and nothing else; 0 for none.'
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: text(
    'Collector that receives a span for each tool call and each request to a forge, by OTLP over HTTP, such as http://collector.example:4318; /v1/traces is added. Empty for no traces.'
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: text('The same for traces alone, as a whole URL; it wins.'),
  OTEL_SERVICE_NAME: text(
    'Name of the service in traces; forge-tool-server if OTEL_RESOURCE_ATTRIBUTES has none either.'
  ),
  OTEL_TRACES_SAMPLER: text(
    'Which calls are traced: always_on, always_off or traceidratio, or by the caller’s traceparent first: parentbased_always_on, parentbased_always_off or parentbased_traceidratio.',
    'parentbased_always_on'
  ),
  OTEL_TRACES_SAMPLER_ARG: text('Share that the traceidratio samplers take, from 0 to 1; empty for all.'),
  // Texts, because platforms also set them for other SDKs, in spellings of their own.
  OTEL_TRACES_EXPORTER: text('none for no traces; any other exporter counts as otlp.'),
  OTEL_SDK_DISABLED: text('true for no traces, whatever the other OTEL variables say.'),
  DRAIN_SECONDS: count(
    5,
    0,
    600,
    'Seconds of normal service after SIGTERM, while /readyz already answers 503, before the listener closes.'
  ),

  KEEP_ALIVE_SECONDS: count(
    72,
    5,
    3600,
    'Idle seconds after which a connection of PORT is closed; longer than the proxy before it keeps its own: one that the service closes while the proxy sends a request over it loses that request.'
  ),

  SESSION_TIMEOUT_SECONDS: count(3600, 1, 31_536_000, 'Idle seconds after which a session ends.'),
  MAX_REQUESTS_PER_MINUTE: count(
    600,
    0,
    1_000_000,
    'Most requests of one session in a minute, and as many of one caller without a session; 0 for no limit. Off in stateless mode.'
  ),
  MAX_CALLER_REQUESTS_PER_MINUTE: count(
    0,
    0,
    1_000_000,
    'Most requests of one caller at one replica in a minute, in stateless mode; 0 for no limit.'
  ),
  MAX_CALLER_WRITES_PER_MINUTE: count(
    0,
    0,
    1_000_000,
    'Most calls of one caller at one replica in a minute that change things, in stateless mode; 0 for no limit.'
  ),
  MAX_EVENT_LOOP_DELAY_MS: count(
    1000,
    0,
    60_000,
    'Mean delay of the event loop over a second, in milliseconds, above which calls and logins get 503; 0 for no limit.'
  ),
  MAX_SESSIONS: count(
    10_000,
    1,
    1_000_000,
    'Most sessions held in memory at once. Sessions whose token the forge has not yet accepted make room for others; of the rest one caller may have a tenth.'
  ),

  OAUTH_STATELESS_MODE: flag(
    false,
    'Keep sessions in sealed ids instead of memory, so that any replica with the same secret serves any caller.'
  ),
  OAUTH_STATELESS_SECRET: secret(
    'Seals and opens: base64url of at least 32 random bytes, the same on all replicas. Outside stateless mode it seals what clients bring back with a person’s answer (FORGE_CONFIRM).'
  ),
  OAUTH_STATELESS_SECRET_FILE: secretFile('OAUTH_STATELESS_SECRET', true),
  OAUTH_STATELESS_SECRET_PREVIOUS: secret('Only opens: the other secret during a rotation.'),
  OAUTH_STATELESS_SECRET_PREVIOUS_FILE: secretFile('OAUTH_STATELESS_SECRET_PREVIOUS', true),
  OAUTH_STATELESS_SESSION_TTL_SECONDS: inherited(
    'SESSION_TIMEOUT_SECONDS',
    1,
    31_536_000,
    'Idle seconds after which a sealed session id is refused.'
  ),
  OAUTH_STATELESS_SID_REUSE_SECONDS: count(
    0,
    0,
    31_536_000,
    'Age up to which a session id is returned unchanged; 0 for a new one with every answer. For clients that compare ids (docs/stateless.md).'
  ),
  OAUTH_STATELESS_CLIENT_TTL_SECONDS: count(
    86_400,
    1,
    31_536_000,
    'Age at which a client registration ends.'
  ),
  OAUTH_STATELESS_PENDING_TTL_SECONDS: count(600, 1, 86_400, 'Age at which an unfinished login ends.'),
  OAUTH_STATELESS_STORED_TTL_SECONDS: count(
    600,
    1,
    86_400,
    'Age at which a code that was not redeemed ends.'
  ),

  FORGE_DOWNLOAD_DIR: text(
    'Folder below which download_job_artifacts saves archives; give the service one of its own. Over HTTP each caller has its own folder in it, and without it the tool is off; over stdio empty means the working directory.'
  ),
  FORGE_DOWNLOAD_QUOTA_MB: count(
    1024,
    1,
    100_000,
    'Most MiB of archives kept for one caller over HTTP; its oldest make room.'
  ),
  FORGE_DOWNLOAD_TOTAL_MB: count(
    4096,
    1,
    100_000,
    'Most MiB of archives kept for all callers over HTTP; the oldest of the address with the most make room.'
  ),
  FORGE_DOWNLOAD_KEEP_HOURS: count(24, 1, 8760, 'Hours that an archive is kept over HTTP.')
})

export type Config = Static<typeof ConfigSchema>
export type Variable = keyof Config

/** The names of all variables. */
export const variables = Object.keys(ConfigSchema.properties) as Variable[]

/**
 * Headings for the documentation, each with the first variable of its section in the schema; the most used come first.
 */
const headings: readonly (readonly [string, Variable])[] = [
  ['The forge', 'FORGE_API_URL'],
  ['Who calls', 'REMOTE_AUTHORIZATION'],
  ['Where it listens', 'STREAMABLE_HTTP'],
  ['What is offered', 'FORGE_TOOLSETS'],
  ['Login by OAuth', 'FORGE_MCP_OAUTH'],
  ['The way to forges', 'ENABLE_DYNAMIC_API_URL'],
  ['Watching and stopping it', 'LOG_LEVEL'],
  ['Sessions and limits', 'SESSION_TIMEOUT_SECONDS'],
  ['Several replicas', 'OAUTH_STATELESS_MODE'],
  ['Downloads', 'FORGE_DOWNLOAD_DIR']
]

/** The variables by section, each section with its heading. */
export const sections = headings.map(([title, first]) => {
  const from = variables.indexOf(first)
  const next = variables.findIndex(
    (name, at) => at > from && headings.some(([, beginning]) => beginning === name)
  )
  return { title, variables: variables.slice(from, next < 0 ? undefined : next) }
})

/** The JSON Schema of one variable, for messages and for the printed documentation. */
interface VariableFacts {
  type: string
  /** Missing if the description says which value it is inherited from. */
  default?: string | number | boolean
  description: string
  enum?: string[]
  minimum?: number
  maximum?: number
  writeOnly?: boolean
}

/** The JSON Schema of a variable. */
export const factsOf = (variable: Variable): VariableFacts =>
  ConfigSchema.properties[variable] as unknown as VariableFacts

/** Splits a comma-separated value into its trimmed, non-empty entries. */
export const entries = (value: string): string[] =>
  value
    .split(',')
    .map(entry => entry.trim())
    .filter(entry => entry !== '')

/** Reads ids and full paths of projects, some of which may be percent-encoded, as in a request URL. */
export const projectsIn = (value: string): string[] =>
  entries(value).map(project => project.replaceAll(/%2f/gi, '/'))
