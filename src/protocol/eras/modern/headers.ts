import { targetOf } from '../../../catalog/policy/surface.ts'
import { PROJECT_MIRROR } from '../../../engine/rows/listed-schema.ts'
import { fieldsOf, isRecord, textOf } from '../../../results/is-record.ts'
import { type Exchange, type MessageHeaders, viewOf } from '../../exchange/exchange.ts'
import type { Service } from '../../exchange/service.ts'
import type { JsonRpcRequest } from '../../messages/jsonrpc.ts'
import { type Envelope, headerBesideNothing, headerMismatch, headerWithoutArgument } from './envelope.ts'

/*
 * Over HTTP a modern request repeats revision, method and name in headers, so that a proxy can route and
 * police by them; one whose headers and body differ is refused.
 */

const PROJECT_HEADER = `Mcp-Param-${PROJECT_MIRROR}`

/** Checks the version header. @throws EnvelopeError if it names another revision than the body */
export function checkVersionHeader(headers: MessageHeaders, { version }: Envelope): void {
  if (headers.version !== undefined && headers.version !== version)
    throw headerMismatch('MCP-Protocol-Version', version)
}

/** What a header must equal, to libraries that encode it as they do URLs. */
const asItStands = (where: string): string => `${where} as it stands there, not URL-encoded`

/** Methods whose Mcp-Name repeats a part of their params. */
const named: ReadonlyMap<string, 'name' | 'uri'> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri']
])

/**
 * Checks that all headers are there and match the body. To be called once the revision is known to be served.
 * @throws EnvelopeError
 */
export function checkHeaders(
  headers: MessageHeaders,
  { method, params }: JsonRpcRequest,
  version: string
): void {
  if (headers.version === undefined) throw headerMismatch('MCP-Protocol-Version', version)
  if (headers.method !== method) throw headerMismatch('Mcp-Method', method)
  const part = named.get(method)
  if (part !== undefined && decodeHeader(headers.name) !== params[part])
    throw headerMismatch('Mcp-Name', asItStands(`params.${part}`))
}

/**
 * That the headers in which a tool's arguments are mirrored are what the arguments are. One that is missing is refused
 * where the operator has a gateway rely on them, as the revision wants it; else a client that does not mirror is served.
 * Of a tool that the server does not list nobody can know what it has mirrored: there a header counts when it is sent.
 * One that the tool does not declare is refused: it would carry the call past a gateway, and nothing stands behind it.
 * @throws EnvelopeError
 */
export function checkMirrors(
  { params }: JsonRpcRequest,
  exchange: Exchange,
  { catalog, requiresParamHeaders }: Service
): void {
  const { headers } = exchange
  if (headers === undefined) return
  // A tool that is called through a calling tool is checked as if it were called by its own name.
  const target = targetOf(String(params.name), params.arguments)
  const tool = catalog.find(target.name)
  if (tool === undefined) return
  const args = isRecord(target.args) ? target.args : {}
  // Not by the surface that the caller's header names: by that nobody gets around a gateway.
  const view = { ...viewOf(exchange), surface: catalog.policy.surface }
  if (headers.param(PROJECT_MIRROR) !== undefined && ![...tool.mirrored.values()].includes(PROJECT_MIRROR))
    throw headerWithoutArgument(PROJECT_HEADER, tool.name)
  const mayLack = !requiresParamHeaders || !catalog.policy.isListed(tool, view)
  for (const [argument, name] of tool.mirrored) {
    const sent = headers.param(name)
    if (sent === undefined && mayLack) continue
    checkMirror(`Mcp-Param-${name}`, sent, argument, args[argument], `params.arguments.${argument}`)
  }
}

/**
 * The same of a resource that is read: no client mirrors its project, but who sends one would get past a gateway with it.
 * @throws EnvelopeError
 */
export function checkReadProject(
  { params }: JsonRpcRequest,
  { headers }: Exchange,
  { resources }: Service
): void {
  const sent = headers?.param(PROJECT_MIRROR)
  if (sent === undefined) return
  const found = resources!.find(textOf(params.uri))
  // Of what there is not, nothing is read.
  if (found !== undefined)
    checkMirror(PROJECT_HEADER, sent, 'project_id', found.args.project_id, 'the project of params.uri')
}

/** The same of an argument that is completed. @throws EnvelopeError */
export function checkCompletedProject({ params }: JsonRpcRequest, { headers }: Exchange): void {
  const sent = headers?.param(PROJECT_MIRROR)
  if (sent === undefined) return
  const { project_id: project } = fieldsOf(fieldsOf(params.context).arguments)
  checkMirror(PROJECT_HEADER, sent, 'project_id', project, 'params.context.arguments.project_id')
}

function checkMirror(
  header: string,
  sent: string | undefined,
  argument: string,
  value: unknown,
  where: string
): void {
  if (value === undefined || value === null) {
    if (sent !== undefined) throw headerBesideNothing(header, argument)
  } else if (!mirrors(sent, value)) throw headerMismatch(header, asItStands(where))
}

/** An object is not converted to text: it could supply any text by its own conversion. */
const mirrors = (sent: string | undefined, value: unknown): boolean =>
  typeof value !== 'object' && decodeHeader(sent) === String(value)

/**
 * Decodes a header value: anything but plain ASCII is sent as `=?base64?…?=`.
 * @returns undefined if there is none, or if its content is not base64
 */
function decodeHeader(value: string | undefined): string | undefined {
  if (value === undefined || !value.startsWith('=?base64?') || !value.endsWith('?=')) return value
  const encoded = value.slice('=?base64?'.length, -'?='.length)
  const bytes = Buffer.from(encoded, 'base64')
  return bytes.toString('base64') === encoded ? bytes.toString('utf8') : undefined
}
