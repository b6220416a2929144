import { isRecord } from '../../../results/is-record.ts'
import { isLogLevel, type LogLevel, logLevels, readCapabilities } from '../../../session/client.ts'
import {
  type CapabilityError,
  code,
  type ErrorMore,
  type JsonRpcRequest,
  ProtocolError
} from '../../messages/jsonrpc.ts'
import {
  allVersions,
  isLegacyVersion,
  isModernVersion,
  latestLegacy,
  shownVersion
} from '../../messages/versions.ts'

/*
 * Revision 2026-07-28: no handshake and no session. Every request names its revision and its sender's
 * capabilities in `_meta`.
 */

export const metaKey = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscription: 'io.modelcontextprotocol/subscriptionId'
} as const

export const modernCode = {
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022
} as const

/** A modern request that cannot be served, with its HTTP status. */
export class EnvelopeError extends ProtocolError {
  readonly status: number
  constructor(status: number, errorCode: number, message: string, more?: ErrorMore) {
    super(errorCode, message, more)
    this.name = 'EnvelopeError'
    this.status = status
  }
}

/** An error whose message repeats nothing that the caller sent, so that it can be logged as the hint as well. */
const plainEnvelopeError = (errorCode: number, message: string) =>
  new EnvelopeError(400, errorCode, message, { hint: message })

type Params = JsonRpcRequest['params']

const metaOf = ({ _meta }: Params): Readonly<Record<string, unknown>> | undefined =>
  isRecord(_meta) ? _meta : undefined

/** The body decides the era: a request whose `_meta` names a revision is modern, whichever it names. */
export const hasEnvelope = (params: Params): boolean => metaOf(params)?.[metaKey.version] !== undefined

/** The error for a request that names a modern revision in its header only. */
export const missingEnvelope = ({ method }: JsonRpcRequest): EnvelopeError =>
  method === 'initialize'
    ? plainEnvelopeError(
        modernCode.headerMismatch,
        'initialize is not part of the revision named in MCP-Protocol-Version: leave that header out, or begin with server/discover.'
      )
    : plainEnvelopeError(
        code.invalidParams,
        `params._meta must have ${metaKey.version} and ${metaKey.capabilities} in the revision that MCP-Protocol-Version names. Those up to ${latestLegacy} need neither.`
      )

/** The revision that a request names, and its sender's capabilities and log level. */
export interface Envelope {
  readonly version: string
  /** As bits defined in session/client.ts. */
  readonly capabilities: number
  /** The lowest severity of log messages that the sender wants for this request; none if undefined. */
  readonly logLevel: LogLevel | undefined
}

/**
 * Reads the fields of `_meta`, whether or not the revision is served.
 * @throws EnvelopeError if a required field is missing, or a field is invalid
 */
export function readEnvelope({ params }: JsonRpcRequest): Envelope {
  const meta = metaOf(params) ?? {}
  const version = meta[metaKey.version]
  const capabilities = meta[metaKey.capabilities]
  if (typeof version !== 'string') throw invalidMeta(metaKey.version, 'a string')
  if (!isRecord(capabilities)) throw invalidMeta(metaKey.capabilities, 'an object')
  const logLevel = meta[metaKey.logLevel]
  if (logLevel !== undefined && !isLogLevel(logLevel))
    throw invalidMeta(metaKey.logLevel, `one of ${logLevels.join(', ')}`)
  return { version, capabilities: readCapabilities(capabilities), logLevel }
}

/** @throws EnvelopeError for a revision whose requests are not served with this envelope */
export function checkVersion({ version }: Envelope): void {
  if (isModernVersion(version)) return
  const requested = version.slice(0, 40)
  const way = isLegacyVersion(version)
    ? `. It begins with initialize, and its requests do not name it in _meta.`
    : ` (supported: ${allVersions.join(', ')})`
  throw new EnvelopeError(
    400,
    modernCode.unsupportedVersion,
    `Unsupported protocol version: ${shownVersion(version)}${way}`,
    { data: { supported: allVersions, requested } }
  )
}

const invalidMeta = (key: string, wanted: string) =>
  plainEnvelopeError(code.invalidParams, `params._meta["${key}"] must be ${wanted}.`)

/** The error for a request that needs a capability which its client does not declare. */
export const missingCapability = ({ message, capability }: CapabilityError) =>
  new EnvelopeError(400, modernCode.missingCapability, message, {
    data: { requiredCapabilities: { [capability]: {} } },
    hint: message
  })

/** @param wanted the value that the header must equal, or the place of that value in the body */
export const headerMismatch = (header: string, wanted: string) =>
  new EnvelopeError(
    400,
    modernCode.headerMismatch,
    `The ${header} header must be sent once and equal the body (${wanted.slice(0, 100)}).`,
    { hint: `The ${header} header must be sent once and equal the body.` }
  )

/** @param argument the argument that the header mirrors */
export const headerBesideNothing = (header: string, argument: string) =>
  plainEnvelopeError(
    modernCode.headerMismatch,
    `The body has no ${argument}: leave the ${header} header out.`
  )

/** @param tool the tool's own name */
export const headerWithoutArgument = (header: string, tool: string) =>
  plainEnvelopeError(
    modernCode.headerMismatch,
    `${tool} declares no argument for the ${header} header: leave it out.`
  )
