import type { IncomingHttpHeaders } from 'node:http'
import { isModernVersion } from '../messages/versions.ts'

/**
 * The session id of a request. Revisions without sessions neither use nor get one. An empty header, which some clients
 * send before they have an id, counts as none.
 */
export function sessionIdOf({
  'mcp-session-id': id,
  'mcp-protocol-version': version
}: IncomingHttpHeaders): string | undefined {
  return typeof id === 'string' && id !== '' && !isModernVersion(version) ? id : undefined
}
