import type { Random } from '../../seal/random.ts'
import type { Browser } from '../rules/login-caller.ts'

/*
 * The cookie that binds a login to the browser it began in: a random nonce, whose digest is inside the states. It
 * grants nothing by itself. One nonce serves all logins of a browser that has it, so that two at once work. Of two that
 * begin before it has any, each gets its own, and the cookie that comes last is kept. So a new nonce comes in a second
 * cookie, too, whose name ends with its first character: 63 of 64 times the other login has another, and both go on.
 */

const nonceShape = /^[\w-]{43}$/

/** Cookies of a header that are read. Browsers keep fewer for a domain, and thousands would cost more than a call. */
const MAX_COOKIES = 200

/** `__Host-` keeps other hosts of the domain from setting it; browsers want https for that. */
const nameFor = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Host-forge-oauth' : 'forge-oauth'

/** The name of a new nonce's second cookie, of which a browser keeps 64 at most. */
const ownName = (name: string, nonce: string): string => `${name}-${nonce[0]}`

/**
 * The nonces of a Cookie header, and that of a login that begins now: the browser's, or a new one where it has none. Of a
 * name that comes twice, another host may have set one: none of them counts.
 */
export function readNonces(
  header: string | undefined,
  publicUrl: string,
  random: Random
): Pick<Browser, 'nonce' | 'sent'> {
  const name = nameFor(publicUrl)
  const values = new Map<string, string>()
  for (const pair of (header ?? '').split(';', MAX_COOKIES)) {
    // Only the blanks that browsers drop: after any other, a name does not begin with __Host- to them, and any host
    // may set it.
    const [key, value] = pair.replace(/^[ \t]+/, '').split('=')
    if (key?.startsWith(name)) values.set(key, values.has(key) ? '' : (value ?? ''))
  }
  const named = [...values].filter(
    ([key, value]) => nonceShape.test(value) && (key === name || key === ownName(name, value))
  )
  return {
    nonce: named.find(([key]) => key === name)?.[1] ?? random(32).toString('base64url'),
    sent: [...new Set(named.map(([, value]) => value))]
  }
}

/** Set-Cookie for a browser's nonce. Lax: it has to come along when the forge sends the browser back. */
export function browserCookies(
  { nonce, sent }: Pick<Browser, 'nonce' | 'sent'>,
  publicUrl: string,
  maxAgeSeconds: number
): string[] {
  const name = nameFor(publicUrl)
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  const names = sent.includes(nonce) ? [name] : [name, ownName(name, nonce)]
  return names.map(
    each => `${each}=${nonce}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`
  )
}
