import { createHash, randomBytes } from 'node:crypto'
import type { Forge } from '../forge/index.ts'

/** The PKCE values that a client creates for one login. */
export function pkce() {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export const CLIENT_REDIRECT = 'http://127.0.0.1:4711/callback'

/** Settings for OAuth mode with the callback proxy, against a sandbox forge. */
export const oauthSettings = (forge: Forge, extra: Record<string, string> = {}): Record<string, string> => ({
  FORGE_MCP_OAUTH: 'true',
  FORGE_API_URL: forge.apiUrl,
  FORGE_OAUTH_APP_ID: forge.state.oauth.appId,
  FORGE_OAUTH_APP_SECRET: forge.state.oauth.appSecret,
  FORGE_OAUTH_CALLBACK_PROXY: 'true',
  ...extra
})

/** A browser that goes one hop at a time: it keeps all cookies, and follows no redirect by itself. */
export class TestBrowser {
  readonly #cookies = new Map<string, string>()
  readonly visited: string[] = []

  async open(url: string, form?: Record<string, string>) {
    this.visited.push(url)
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { accept: 'text/html', ...(cookie !== '' && { cookie }) },
      ...(form !== undefined && { method: 'POST', body: new URLSearchParams(form) })
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
      this.#cookies.set(name!, value!)
    }
    return {
      status: response.status,
      headers: response.headers,
      location: response.headers.get('location'),
      body: await response.text()
    }
  }

  /** Goes from the login's first URL until a redirect leads to `end`. On a consent page it presses Allow. */
  async logIn(url: string, end = CLIENT_REDIRECT): Promise<URLSearchParams> {
    for (let next = url; ; ) {
      if (next.startsWith(end)) return new URL(next).searchParams
      const { status, location, body } = await this.open(next)
      if (location !== null) next = location
      else if (body.includes('name="ticket"'))
        next = onward(
          (await this.open(new URL('consent', next).href, { ticket: ticketOf(body), decision: 'allow' })).body
        )
      else throw new Error(`${status} at ${next.split('?')[0]}: ${body}`)
    }
  }
}

/** The ticket in a consent page. */
export const ticketOf = (html: string): string => /name="ticket" value="([^"]+)"/.exec(html)![1]!

/** The URL to which the page after the consent form leads. */
export const onward = (html: string): string =>
  /content="0;url=([^"]+)"/.exec(html)![1]!.replaceAll('&amp;', '&')

/** The URL a client opens to log in. */
export const authorizeUrl = (base: string, parameters: Record<string, string>): string =>
  `${base}/authorize?${new URLSearchParams({
    response_type: 'code',
    redirect_uri: CLIENT_REDIRECT,
    code_challenge_method: 'S256',
    ...parameters
  })}`
