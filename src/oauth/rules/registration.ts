import { invalidMetadata, invalidRedirect } from './error.ts'
import { whyUnusable } from './redirect-uri.ts'

/** The registered details of a client. */
export interface ClientDetails {
  readonly redirectUris: readonly string[]
  /** The name that the client gives itself; it may be any text. */
  readonly name?: string
}

export interface Client extends ClientDetails {
  readonly id: string
}

const MAX_URIS = 10
const MAX_NAME = 100

/**
 * Control characters, characters that reverse or hide text, and the blank Braille pattern, which does not count as
 * white space.
 */
const unprintable = /[\u2800\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu
/** Dozens of combining marks would cover the lines around them. */
const piledMarks = /(\p{M}{2})\p{M}+/gu

/**
 * Reads client metadata: the body of a registration (RFC 7591 section 2) or a client's own document. All clients are
 * public here. A client that asks for another authentication method is not refused, but told `none`.
 * @throws OAuthError invalid_redirect_uri or invalid_client_metadata
 */
export function readClientMetadata(body: unknown): ClientDetails {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidMetadata('The client metadata must be a JSON object.')
  const { redirect_uris: uris, client_name: name, ...rest } = body as Record<string, unknown>
  mustHold(rest.grant_types, 'grant_types', 'authorization_code')
  mustHold(rest.response_types, 'response_types', 'code')
  if (name !== undefined && typeof name !== 'string') throw invalidMetadata('client_name must be text.')
  const shown = name === undefined ? '' : printable(name)
  return { redirectUris: readUris(uris), ...(shown !== '' && { name: shown }) }
}

const printable = (name: string): string =>
  [...name.replace(unprintable, ' ').replace(piledMarks, '$1').replace(/\s+/g, ' ').trim()]
    .slice(0, MAX_NAME)
    .join('')

function readUris(uris: unknown): string[] {
  if (!Array.isArray(uris) || uris.length < 1 || uris.length > MAX_URIS)
    throw invalidRedirect(`redirect_uris must list 1 to ${MAX_URIS} URIs.`)
  for (const uri of uris) {
    const why = typeof uri === 'string' ? whyUnusable(uri) : 'it is not text'
    if (why !== undefined)
      throw invalidRedirect(`A redirect URI cannot be registered: ${why}.`, `${why}${schemeIn(uri)}`)
  }
  return [...new Set(uris as string[])]
}

/** The scheme of a refused URI, for the log. Strangers choose the rest of the URI, so it is left out. */
function schemeIn(uri: unknown): string {
  const scheme = /^[a-z][a-z\d+.-]{0,39}(?=:)/i.exec(String(uri))?.[0]
  return scheme === undefined ? '' : ` (${scheme}:)`
}

function mustHold(list: unknown, name: string, value: string): void {
  if (list !== undefined && !(Array.isArray(list) && list.includes(value)))
    throw invalidMetadata(`${name} must hold ${value}.`)
}

/**
 * The answer to a registration (RFC 7591 section 3.2.1).
 * @param now clock in milliseconds
 */
export const registrationAnswer = (
  { id, name, redirectUris }: Client,
  scopes: readonly string[],
  now: number
) => ({
  client_id: id,
  client_id_issued_at: Math.floor(now / 1000),
  ...(name !== undefined && { client_name: name }),
  redirect_uris: redirectUris,
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  scope: scopes.join(' ')
})
