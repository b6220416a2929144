import { ownText } from '../../collections/own-text.ts'
import { invalidRequest, invalidTarget } from './error.ts'
import { isOwnResource, resourceOf } from './metadata.ts'

/**
 * Most parameters, and most blanks written as `+`. No legitimate request has as many, and parsing such a body would
 * delay all others.
 */
const limits = { parameters: 100, blanks: 1000 }

export type Parameters = ReadonlyMap<string, string>

/**
 * Reads a query or form body. An empty value counts as not sent. A name that is sent twice is refused (RFC 6749 section
 * 3.1): otherwise it would be ambiguous which of two redirect_uri counts. The values may be kept in memory.
 * @throws OAuthError invalid_request
 */
export function readParameters(text: string): Parameters {
  mustBeFew(text, '&', limits.parameters, 'parameters')
  mustBeFew(text, '+', limits.blanks, 'blanks')
  mustDecode(text)
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

function mustBeFew(text: string, mark: string, most: number, what: string): void {
  if (text.split(mark, most + 1).length > most) throw invalidRequest(`More than ${most} ${what} were sent.`)
}

/** Refuses text that does not decode: each name or value that fails would cost as much as a thousand valid ones. */
function mustDecode(text: string): void {
  try {
    decodeURIComponent(text)
  } catch {
    throw invalidRequest('The parameters are not UTF-8 that is percent-encoded.')
  }
}

/**
 * Returns a required parameter.
 * @throws OAuthError invalid_request if it was not sent
 */
export function required(parameters: Parameters, name: string): string {
  const value = parameters.get(name)
  if (value === undefined) throw invalidRequest(`${name} is missing.`)
  return value
}

/**
 * Checks `resource`.
 * @throws OAuthError invalid_target if the request is for a token for another service (RFC 8707)
 */
export function refuseOtherResource(parameters: Parameters, publicUrl: string): void {
  const resource = parameters.get('resource')
  if (resource !== undefined && !isOwnResource(resource, publicUrl))
    throw invalidTarget(`resource names another service: this one is ${resourceOf(publicUrl)}.`)
}

/** Adds parameters to a redirect URI and leaves the rest of it unchanged. Undefined parameters are left out. */
export function withParameters(
  uri: string,
  parameters: Readonly<Record<string, string | undefined>>
): string {
  const added = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) added.set(name, value)
  return `${uri}${uri.includes('?') ? '&' : '?'}${added}`
}
