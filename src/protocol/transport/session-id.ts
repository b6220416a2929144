import type { IncomingHttpHeaders } from 'node:http'
import { isModernVersion } from '../messages/versions.ts'

/**
 * The session id that a request comes with. The session-less revisions neither use nor get one; an empty header, which
 * some clients send before they have an id, counts as none.
 */
export function sessionIdOf({
  'mcp-session-id': id,
  'mcp-protocol-version': version
}: IncomingHttpHeaders): string | undefined {
  return typeof id === 'string' && id !== '' && !isModernVersion(version) ? id : undefined
}
