import type { Random } from '../../seal/random.ts'
import type { Browser } from '../rules/login-caller.ts'

/*
 * The cookie that binds a login to the browser in which it began. It is a random nonce, whose digest is inside the
 * states, and grants nothing by itself. A browser that has a nonce uses it for all its logins, so that two at once
 * work. If two logins begin before the browser has a nonce, each gets its own, and the browser keeps the cookie that
 * comes last. So a new nonce also comes in a second cookie, whose name ends with the nonce's first character. In 63 of
 * 64 cases the other login's second cookie has another name, and both logins go on.
 */

const nonceShape = /^[\w-]{43}$/

/**
 * Most cookies of a header that are read. Browsers keep fewer for a domain, and reading thousands would cost more than
 * a call.
 */
const MAX_COOKIES = 200

/**
 * The name of the cookie. `__Host-` keeps other hosts of the domain from setting it; browsers require https for that.
 */
const nameFor = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Host-forge-oauth' : 'forge-oauth'

/** The name of a new nonce's second cookie. A browser keeps at most 64 of these. */
const ownName = (name: string, nonce: string): string => `${name}-${nonce[0]}`

/**
 * Reads the nonces of a Cookie header, and chooses the nonce of a login that begins now: the browser's, or a new one if
 * it has none. If a name occurs twice, another host may have set one of the cookies, so neither counts.
 */
export function readNonces(
  header: string | undefined,
  publicUrl: string,
  random: Random
): Pick<Browser, 'nonce' | 'sent'> {
  const name = nameFor(publicUrl)
  const values = new Map<string, string>()
  for (const pair of (header ?? '').split(';', MAX_COOKIES)) {
    // Only the blanks that browsers ignore are removed. After any other blank, browsers do not see the prefix __Host-,
    // and any host may set the cookie.
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

/**
 * The Set-Cookie headers for a browser's nonce. SameSite is Lax, because the browser must send the cookie when the
 * forge sends it back.
 */
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
