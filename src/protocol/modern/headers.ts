import type { JsonRpcRequest } from '../jsonrpc.ts'
import type { MessageHeaders } from '../service.ts'
import { type Envelope, headerMismatch } from './envelope.ts'

/*
 * Over HTTP a modern request repeats revision, method and name in headers, so that a proxy can route and
 * police by them; one whose headers and body differ is refused.
 */

/** @throws EnvelopeError where the header names another revision than the body */
export function checkVersionHeader(headers: MessageHeaders, { version }: Envelope): void {
  if (headers.version !== undefined && headers.version !== version)
    throw headerMismatch('MCP-Protocol-Version', version)
}

/** Once the revision is known to be served: that all headers are there and agree. @throws EnvelopeError */
export function checkHeaders(
  headers: MessageHeaders,
  { method, params }: JsonRpcRequest,
  version: string
): void {
  if (headers.version === undefined) throw headerMismatch('MCP-Protocol-Version', version)
  if (headers.method !== method) throw headerMismatch('Mcp-Method', method)
  if (method === 'tools/call' && decodeHeader(headers.name) !== params.name)
    throw headerMismatch('Mcp-Name', 'params.name')
}

/** Header values beyond plain ASCII come as `=?base64?…?=`. */
function decodeHeader(value: string | undefined): string | undefined {
  const encoded = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(value ?? '')?.[1]
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8')
}
