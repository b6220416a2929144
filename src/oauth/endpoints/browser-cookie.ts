import type { Random } from '../../seal/random.ts'
import type { Browser } from '../rules/login-caller.ts'

/*
 * The cookie that binds a login to the browser it began in: a random nonce, whose digest is inside the states. It
 * grants nothing by itself. One nonce serves all logins of a browser that has it, so that two at once work. Of two that
 * begin before it has any, each gets its own, and the one whose cookie comes last counts: the other has to begin again.
 */

const nonceShape = /^[\w-]{43}$/

/** Cookies of a header that are read. Browsers keep fewer for a domain, and thousands would cost more than a call. */
const MAX_COOKIES = 200

/** `__Host-` keeps other hosts of the domain from setting it; browsers want https for that. */
const nameFor = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Host-forge-oauth' : 'forge-oauth'

/** The nonce of a Cookie header; a browser without the cookie, or with two, gets a new one. */
export function readNonce(
  header: string | undefined,
  publicUrl: string,
  random: Random
): Pick<Browser, 'nonce' | 'hasCookie'> {
  const name = nameFor(publicUrl)
  const values = (header ?? '')
    .split(';', MAX_COOKIES)
    // Only the blanks that browsers drop: after any other, a name does not begin with __Host- to them, and any host
    // may set it.
    .map(pair => pair.replace(/^[ \t]+/, '').split('='))
    .filter(([key]) => key === name)
    .map(([, value]) => value ?? '')
  const [nonce] = values
  if (values.length === 1 && nonce !== undefined && nonceShape.test(nonce)) return { nonce, hasCookie: true }
  return { nonce: random(32).toString('base64url'), hasCookie: false }
}

/** Set-Cookie for a browser's nonce. Lax: it has to come along when the forge sends the browser back. */
export function browserCookie(nonce: string, publicUrl: string, maxAgeSeconds: number): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  return `${nameFor(publicUrl)}=${nonce}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`
}
