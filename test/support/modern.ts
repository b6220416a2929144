import { request } from './server.ts'

/* Requests of the protocol version 2026-07-28. */

const modernVersion = '2026-07-28'

export const envelope = (more: object = {}) => ({
  'io.modelcontextprotocol/protocolVersion': modernVersion,
  'io.modelcontextprotocol/clientCapabilities': {},
  ...more
})

export const modernRequest = (
  method: string,
  params: object = {},
  meta: object = {},
  id: string | number = 1
) => request(method, { ...params, _meta: envelope(meta) }, id)

/** The headers that have to accompany a body. */
export const modernHeaders = (method: string, name?: string): Record<string, string> => ({
  'mcp-protocol-version': modernVersion,
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name })
})
