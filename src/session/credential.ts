import { hash } from 'node:crypto'
import { placesOfHeader } from '../base/sent-headers.ts'

/*
 * A caller's credential: the token, and the kind of header that carried it. Exactly one header, of the same kind, is
 * sent to the forge.
 */

export type CredentialKind = 'private-token' | 'job-token' | 'bearer'

export interface Credential {
  readonly kind: CredentialKind
  readonly token: string
  /** The result of `principalOf`, once it has been called. */
  principal?: string
}

type CredentialReading =
  | { readonly found: 'one'; readonly credential: Credential }
  | { readonly found: 'none' }
  | { readonly found: 'bad'; readonly why: string }

/** Inbound header names in order of precedence. */
const headers: readonly { name: string; kind: CredentialKind }[] = [
  { name: 'private-token', kind: 'private-token' },
  { name: 'job-token', kind: 'job-token' },
  { name: 'authorization', kind: 'bearer' }
]

export const MIN_TOKEN_LENGTH = 20
export const MAX_TOKEN_LENGTH = 2048

/** token68 of RFC 9110 section 11.2: the characters of a token. */
const token68 = /^[A-Za-z0-9\-._~+/]+=*$/

/** Placeholders left in a configuration: `${FORGE_TOKEN}`, `$FORGE_TOKEN`, `{env:…}`, `%FORGE_TOKEN%`. */
const unfilled = /^\$?\{|^\$\w|^%\w+%$/

/** A byte order mark, as text and as the bytes of UTF-8 that Node reads from a header. */
const byteOrderMark = /^(?:\uFEFF|\u00EF\u00BB\u00BF)/

const none: CredentialReading = { found: 'none' }

/**
 * Finds the credential of a request: Private-Token, else JOB-TOKEN, else Authorization: Bearer.
 * @param raw name and value alternating, as in `IncomingMessage.rawHeaders`
 */
export function readCredential(raw: readonly string[]): CredentialReading {
  for (const { name, kind } of headers) {
    // An empty header comes from a setting that was left empty in the client.
    const [value, ...more] = placesOfHeader(raw, name).flatMap(at => raw[at + 1] || [])
    if (value === undefined) continue
    if (more.length > 0) return bad(`The ${name} header was sent more than once.`)
    const token = kind === 'bearer' ? bearerToken(value) : value
    if (token === undefined) return bad('The Authorization header must be "Bearer <token>".')
    const fault = tokenFault(token)
    if (fault !== undefined) return bad(fault)
    return { found: 'one', credential: { kind, token } }
  }
  return none
}

/** Whether a value may be sent in a header as a token. */
export const isToken = (value: unknown): value is string =>
  typeof value === 'string' && tokenFault(value) === undefined

/**
 * Says why a token may not be used, as text; undefined if it may.
 * @param variable its environment variable, if the token is not from a header
 */
export function tokenFault(token: string, variable?: string): string | undefined {
  const [place, filler] =
    variable === undefined ? ['The header', 'the client'] : [variable, 'what starts this program']
  if (unfilled.test(token))
    return `${place} has the name of a variable where its value belongs: ${filler} did not put it in.`
  if (byteOrderMark.test(token)) return 'The token begins with a byte order mark: save its file without one.'
  if (/^<.*>$/.test(token)) return `${place} has a placeholder in angle brackets: put the token in its place.`
  if (token.length < MIN_TOKEN_LENGTH || token.length > MAX_TOKEN_LENGTH)
    return `A token has ${MIN_TOKEN_LENGTH} to ${MAX_TOKEN_LENGTH} characters, and this one ${token.length}.`
  if (token68.test(token)) return undefined
  if (/^(?:bearer|token) /i.test(token)) return `${place} takes the token alone, with no word before it.`
  return characterFault(token)
}

/** What is wrong with a text that has characters which no token has. */
function characterFault(token: string): string {
  if (/^(["']).*\1$/.test(token)) return 'The token is in quotation marks: leave them out.'
  if (/^\w+_session=/.test(token))
    return 'That is the cookie of a browser: make an access token at the forge.'
  if (/^[\w.-]+:./.test(token))
    return 'The token has a name and a colon before it: give the part behind the colon alone.'
  if (/^[\w.-]+=./.test(token))
    return 'The token has a name and a = before it: give the part behind the = alone.'
  return 'The token has characters that no token has, such as blanks.'
}

const bad = (why: string): CredentialReading => ({ found: 'bad', why })

/**
 * The token in a bearer header. Only a few blanks are allowed, because a stored token keeps the whole header in memory.
 */
const bearerToken = (value: string): string | undefined => /^bearer {1,8}(\S+)$/i.exec(value)?.[1]

/** The header with the credential for an upstream request. */
export function credentialHeader({ kind, token }: Credential): [name: string, value: string] {
  return kind === 'bearer' ? ['authorization', `Bearer ${token}`] : [kind, token]
}

/** Whether two credentials have the same kind and token. */
export const sameCredential = (a: Credential, b: Credential): boolean =>
  a.kind === b.kind && a.token === b.token

/**
 * Identifies a principal without revealing its token: the same token gives the same text on every replica. The text is
 * 64 bits of SHA-256; tokens are random, so they cannot be found by guessing. A session's credential is the same object
 * in each call, and caches its digest.
 */
export function principalOf(credential: Credential): string {
  credential.principal ??= digestOf(credential.token)
  return credential.principal
}

/**
 * Identifies a principal at one forge: a forge's answer to a token says nothing about the token at another forge.
 * @param apiUrl of the forge; undefined for FORGE_API_URL
 */
export const principalAt = ({
  credential,
  apiUrl
}: {
  readonly credential: Credential
  readonly apiUrl: string | undefined
}): string => (apiUrl === undefined ? principalOf(credential) : `${principalOf(credential)} ${apiUrl}`)

const digestOf = (token: string): string =>
  hash('sha256', `forge-tool-server principal\n${token}`, 'hex').slice(0, 16)
