import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { CLIENT_REDIRECT } from './oauth.ts'

/**
 * What a host application stores for the SDK's OAuth code. The URL that the browser would open first is left in
 * `opened`.
 */
export class TestProvider implements OAuthClientProvider {
  readonly redirectUrl = CLIENT_REDIRECT
  readonly clientMetadata = {
    client_name: 'flow client',
    redirect_uris: [CLIENT_REDIRECT],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none'
  }
  opened: string | undefined
  client: OAuthClientInformationMixed | undefined
  held: OAuthTokens | undefined
  #verifier = ''
  #discovery: unknown

  state() {
    return 'state-of-the-client'
  }
  clientInformation() {
    return this.client
  }
  saveClientInformation(client: OAuthClientInformationMixed) {
    this.client = client
  }
  tokens() {
    return this.held
  }
  saveTokens(tokens: OAuthTokens) {
    this.held = tokens
  }
  redirectToAuthorization(url: URL) {
    this.opened = url.href
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier
  }
  codeVerifier() {
    return this.#verifier
  }
  // The v2 client uses these to check `iss`.
  saveDiscoveryState(state: unknown) {
    this.#discovery = state
  }
  discoveryState() {
    return this.#discovery as undefined
  }
}
