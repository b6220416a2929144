import { parsedUrl } from '../../base/parsed-url.ts'

/* The documents that tell a client how to log in: RFC 8414, RFC 9728, and MCP's use of them. */

export interface MetadataFacts {
  /** MCP_SERVER_URL without a trailing slash. This is the issuer, which must be identical byte for byte everywhere. */
  readonly publicUrl: string
  readonly scopes: readonly string[]
  /** Whether authorization answers come from this service, and so carry `iss`. */
  readonly callbackProxy: boolean
  readonly clientDocuments: boolean
}

/** The resource that the tokens are for (RFC 9728): the MCP endpoint. */
export const resourceOf = (publicUrl: string): string => `${publicUrl}/mcp`

/** The metadata of the authorization server (RFC 8414 section 2). */
export const serverMetadata = ({ publicUrl, scopes, callbackProxy, clientDocuments }: MetadataFacts) => ({
  issuer: publicUrl,
  authorization_endpoint: `${publicUrl}/authorize`,
  token_endpoint: `${publicUrl}/token`,
  registration_endpoint: `${publicUrl}/register`,
  revocation_endpoint: `${publicUrl}/revoke`,
  scopes_supported: scopes,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  // Without the callback proxy, the forge answers the client, and its answer has no iss. Clients would refuse that if
  // iss were announced (RFC 9207).
  authorization_response_iss_parameter_supported: callbackProxy,
  ...(clientDocuments && { client_id_metadata_document_supported: true })
})

/** The metadata of the protected resource (RFC 9728 section 2). */
export const resourceMetadata = ({ publicUrl, scopes }: MetadataFacts) => ({
  resource: resourceOf(publicUrl),
  authorization_servers: [publicUrl],
  scopes_supported: scopes,
  bearer_methods_supported: ['header'],
  resource_name: 'Forge Tool Server'
})

/**
 * Whether the `resource` of a request (RFC 8707) names this service: its endpoint, or its base URL, which older clients
 * send. The spelling of the origin does not matter; the path is compared literally.
 */
export function isOwnResource(resource: string, publicUrl: string): boolean {
  const named = withPlainOrigin(resource)
  return [resourceOf(publicUrl), publicUrl]
    .map(withPlainOrigin)
    .some(own => named === own || named === `${own}/`)
}

/**
 * The same URL with its origin in the form that a parser writes: lower case, Punycode, without the scheme's default
 * port.
 */
const withPlainOrigin = (url: string): string =>
  url.replace(/^https?:\/\/[^/?#@\\\s]+/i, origin => parsedUrl(origin)?.origin ?? origin)

interface MetadataPaths {
  readonly server: readonly string[]
  readonly resource: readonly string[]
}

/**
 * The paths of the documents: at the root, with the issuer's path after the well-known part (RFC 8414 section 3.1, RFC
 * 9728 section 3.1), and under the OpenID names that clients also try. If an ingress removes the path, the issuer's own
 * well-known paths are those of the root.
 * @param base URL of the service without a trailing slash; undefined if nothing precedes its paths
 */
export function metadataPaths(base: string | undefined): MetadataPaths {
  const path = base === undefined ? '' : base.slice(new URL(base).origin.length)
  const wellKnown = '/.well-known'
  const server = [`${wellKnown}/oauth-authorization-server`, `${wellKnown}/openid-configuration`]
  const resource = `${wellKnown}/oauth-protected-resource`
  const unique = (paths: string[]) => [...new Set(paths)]
  return {
    server: unique([
      ...server,
      ...server.map(document => `${document}${path}`),
      // For clients that mistake the endpoint for the issuer.
      ...server.map(document => `${document}${path}/mcp`),
      `${path}${wellKnown}/openid-configuration`
    ]),
    resource: unique([resource, `${resource}/mcp`, `${resource}${path}`, `${resource}${path}/mcp`])
  }
}

/** The URL that a 401 names (RFC 9728 section 5.1). */
export function resourceMetadataUrl(publicUrl: string): string {
  const { origin } = new URL(publicUrl)
  return `${origin}/.well-known/oauth-protected-resource${publicUrl.slice(origin.length)}/mcp`
}

/**
 * The WWW-Authenticate header of a 401 or 403 (RFC 6750 section 3): where to log in and which scopes to ask for.
 * @param problem what was wrong with the token; undefined if none was sent
 */
export function challenge(
  facts: Pick<MetadataFacts, 'publicUrl' | 'scopes'>,
  problem?: { readonly error: string; readonly says: string }
): string {
  const parts = [
    ...(problem === undefined ? [] : [`error="${problem.error}"`, `error_description="${problem.says}"`]),
    `resource_metadata="${resourceMetadataUrl(facts.publicUrl)}"`,
    `scope="${facts.scopes.join(' ')}"`
  ]
  return `Bearer ${parts.join(', ')}`
}
