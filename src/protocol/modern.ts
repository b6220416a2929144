import { EVERY_TOOLSET } from '../catalog/toolset-id.ts'
import { code, type JsonRpcRequest } from './jsonrpc.ts'
import { callTool } from './legacy.ts'
import { type Exchange, type Service, viewOf } from './service.ts'
import { timed } from './timed.ts'
import { allVersions, isModernVersion } from './versions.ts'

/*
 * Revision 2026-07-28: no handshake and no session. Every request names its revision and its sender's
 * capabilities in `_meta`, and repeats revision, method and name in headers, so that a proxy can route by
 * them; a request whose headers and body differ is refused.
 */

export const metaKey = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo'
} as const

const headerMismatch = -32020
const unsupportedVersion = -32022

/** A modern request that cannot be served, with its HTTP status. */
export class EnvelopeError extends Error {
  readonly status: number
  readonly code: number
  readonly data: unknown
  constructor(status: number, errorCode: number, message: string, data?: unknown) {
    super(message)
    this.name = 'EnvelopeError'
    this.status = status
    this.code = errorCode
    this.data = data
  }
}

const metaOf = (params: JsonRpcRequest['params']): Record<string, unknown> | undefined =>
  typeof params._meta === 'object' && params._meta !== null
    ? (params._meta as Record<string, unknown>)
    : undefined

/** The body decides the era: a request whose `_meta` names a revision is modern, whichever it names. */
export const hasEnvelope = (params: JsonRpcRequest['params']): boolean =>
  metaOf(params)?.[metaKey.version] !== undefined

/** The error for a request that names a modern revision in its header only. */
export function missingEnvelope(message: JsonRpcRequest): EnvelopeError {
  return message.method === 'initialize'
    ? new EnvelopeError(
        400,
        headerMismatch,
        'initialize is not part of the revision named in MCP-Protocol-Version.'
      )
    : new EnvelopeError(
        400,
        code.invalidParams,
        `params._meta must have ${metaKey.version} and ${metaKey.capabilities}.`
      )
}

type Method = (
  params: JsonRpcRequest['params'],
  exchange: Exchange,
  service: Service
) => string | Promise<string>

/** Lists rarely change while a replica runs, but differ by caller: private, a minute. */
const cacheHints = '"ttlMs":60000,"cacheScope":"private"'

const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ...timed({
    'server/discover': (_params, _exchange, { instructions }) =>
      `${JSON.stringify({ supportedVersions: allVersions, capabilities: { tools: {} }, instructions }).slice(1, -1)},${cacheHints}`,
    'tools/list': (_params, exchange, { catalog }) =>
      `"tools":${catalog.list(viewOf(exchange))},${cacheHints}`
  }),
  [
    'tools/call',
    async (params, exchange, service) =>
      JSON.stringify(await callTool(params, withEveryToolset(exchange), service)).slice(1, -1)
  ]
])

/**
 * Without a session there is nothing to activate a toolset in, and lists must not change by what was called:
 * discover_tools tells what there is, and all of it that policy allows can be called.
 */
const withEveryToolset = (exchange: Exchange): Exchange => ({
  ...exchange,
  view: { ...exchange.view, toolsets: EVERY_TOOLSET },
  notifications: []
})

/** Serves one modern request. @returns the result as JSON @throws EnvelopeError, ProtocolError */
export async function serveModern(
  message: JsonRpcRequest,
  exchange: Exchange,
  service: Service
): Promise<string> {
  checkEnvelope(message, exchange)
  const method = methods.get(message.method)
  if (method === undefined)
    throw new EnvelopeError(404, code.methodNotFound, `Unknown method: ${message.method.slice(0, 100)}`)
  const fields = await method(message.params, exchange, service)
  return `{"resultType":"complete","_meta":{"${metaKey.serverInfo}":${JSON.stringify(service.info)}},${fields}}`
}

function checkEnvelope({ method, params }: JsonRpcRequest, { headers }: Exchange): void {
  const meta = metaOf(params) ?? {}
  const version = meta[metaKey.version]
  const capabilities = meta[metaKey.capabilities]
  if (typeof version !== 'string') throw invalidMeta(metaKey.version, 'a string')
  if (typeof capabilities !== 'object' || capabilities === null)
    throw invalidMeta(metaKey.capabilities, 'an object')
  if (headers.version !== undefined && headers.version !== version)
    throw mismatch('MCP-Protocol-Version', version)
  if (!isModernVersion(version))
    throw new EnvelopeError(
      400,
      unsupportedVersion,
      `Unsupported protocol version: ${version.slice(0, 40)}`,
      {
        supported: allVersions,
        requested: version.slice(0, 40)
      }
    )
  if (headers.version === undefined) throw mismatch('MCP-Protocol-Version', version)
  if (headers.method !== method) throw mismatch('Mcp-Method', method)
  if (method === 'tools/call' && decodeHeader(headers.name) !== params.name)
    throw mismatch('Mcp-Name', 'params.name')
}

const invalidMeta = (key: string, wanted: string) =>
  new EnvelopeError(400, code.invalidParams, `params._meta["${key}"] must be ${wanted}.`)

const mismatch = (header: string, wanted: string) =>
  new EnvelopeError(
    400,
    headerMismatch,
    `The ${header} header must be sent and equal the body (${wanted.slice(0, 100)}).`
  )

/** Header values beyond plain ASCII come as `=?base64?…?=`. */
function decodeHeader(value: string | undefined): string | undefined {
  const encoded = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(value ?? '')?.[1]
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8')
}
