import { targetOf } from '../../../catalog/policy/surface.ts'
import { PROJECT_MIRROR } from '../../../engine/rows/listed-schema.ts'
import { fieldsOf, isRecord, textOf } from '../../../results/is-record.ts'
import { type Exchange, type MessageHeaders, viewOf } from '../../exchange/exchange.ts'
import type { Service } from '../../exchange/service.ts'
import type { JsonRpcRequest } from '../../messages/jsonrpc.ts'
import { type Envelope, headerBesideNothing, headerMismatch, headerWithoutArgument } from './envelope.ts'

/*
 * Over HTTP, a modern request repeats its revision, method and name in headers, so that a proxy can route and restrict
 * requests by them. A request whose headers differ from its body is refused.
 */

const PROJECT_HEADER = `Mcp-Param-${PROJECT_MIRROR}`

/**
 * Checks the version header.
 * @throws EnvelopeError if the header names another revision than the body
 */
export function checkVersionHeader(headers: MessageHeaders, { version }: Envelope): void {
  if (headers.version !== undefined && headers.version !== version)
    throw headerMismatch('MCP-Protocol-Version', version)
}

/** Says which part of the body a header must equal, with a hint for libraries that URL-encode headers. */
const asItStands = (where: string): string => `${where} as it stands there, not URL-encoded`

/** Methods whose Mcp-Name header repeats a field of their params. */
const named: ReadonlyMap<string, 'name' | 'uri'> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri']
])

/**
 * Checks that all headers are present and match the body. To be called once the revision is known to be served.
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
 * Checks that the Mcp-Param headers match the arguments that they mirror. A missing header is refused if the operator's
 * gateway relies on these headers, as the revision requires. Otherwise clients that do not mirror arguments are served
 * as well. No client can know which arguments of an unlisted tool are mirrored, so for such a tool a header is only
 * checked if it is sent. A header that the tool does not declare is refused: it would get the call past a gateway,
 * although no argument corresponds to it.
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
  // The caller's header does not choose the surface here: otherwise a caller could use that header to avoid the check.
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
 * Makes the same check for a resource that is read. No client mirrors the resource's project, but a caller who sends
 * the header could get past a gateway with it.
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
  // If there is no such resource, nothing is read.
  if (found !== undefined)
    checkMirror(PROJECT_HEADER, sent, 'project_id', found.args.project_id, 'the project of params.uri')
}

/**
 * Makes the same check for an argument that is completed.
 * @throws EnvelopeError
 */
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

/**
 * Whether a header equals an argument. An object is not converted to text, because its own conversion could return any
 * text.
 */
const mirrors = (sent: string | undefined, value: unknown): boolean =>
  typeof value !== 'object' && decodeHeader(sent) === String(value)

/**
 * Decodes a header value. Anything but plain ASCII is sent as `=?base64?…?=`.
 * @returns undefined if there is no value, or if its content is not base64
 */
function decodeHeader(value: string | undefined): string | undefined {
  if (value === undefined || !value.startsWith('=?base64?') || !value.endsWith('?=')) return value
  const encoded = value.slice('=?base64?'.length, -'?='.length)
  const bytes = Buffer.from(encoded, 'base64')
  return bytes.toString('base64') === encoded ? bytes.toString('utf8') : undefined
}
