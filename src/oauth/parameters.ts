import { ownText } from '../own-text.ts'
import { invalidRequest, invalidTarget } from './error.ts'
import { isOwnResource, resourceOf } from './metadata.ts'

/** No request has as many; taking a body of them apart would hold up all others. */
const MOST = 100

export type Parameters = ReadonlyMap<string, string>

/**
 * Reads a query or form body. An empty value counts as not sent, and a name sent twice is refused (RFC 6749
 * section 3.1): which of two redirect_uri counts must not be a matter of taste. The values may be kept.
 * @throws OAuthError invalid_request
 */
export function readParameters(text: string): Parameters {
  if (text.split('&', MOST + 1).length > MOST) throw invalidRequest(`More than ${MOST} parameters were sent.`)
  const parameters = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (parameters.has(name)) throw invalidRequest('A parameter was sent more than once.')
    parameters.set(name, value)
  }
  for (const [name, value] of parameters) {
    if (value === '') parameters.delete(name)
    else parameters.set(name, ownText(value))
  }
  return parameters
}

/** @throws OAuthError invalid_request when it was not sent */
export function required(parameters: Parameters, name: string): string {
  const value = parameters.get(name)
  if (value === undefined) throw invalidRequest(`${name} is missing.`)
  return value
}

/** @throws OAuthError invalid_target when a token is asked for that is of another service (RFC 8707) */
export function refuseOtherResource(parameters: Parameters, publicUrl: string): void {
  const resource = parameters.get('resource')
  if (resource !== undefined && !isOwnResource(resource, publicUrl))
    throw invalidTarget(`resource names another service: this one is ${resourceOf(publicUrl)}.`)
}

/** Adds parameters to a redirect URI, leaving what it has as it is. Undefined ones are left out. */
export function withParameters(
  uri: string,
  parameters: Readonly<Record<string, string | undefined>>
): string {
  const added = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) added.set(name, value)
  return `${uri}${uri.includes('?') ? '&' : '?'}${added}`
}
