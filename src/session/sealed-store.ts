import { type Static, type TObject, Type } from 'typebox'
import { MAX_CALL_SECONDS } from '../base/longest-call.ts'
import { LEEWAY_MS, type Opened } from '../seal/content.ts'
import type { Random } from '../seal/random.ts'
import type { Remembered } from '../seal/remembered.ts'
import type { Sealer } from '../seal/sealer.ts'
import { logLevels } from './client.ts'
import { type CredentialKind, MAX_TOKEN_LENGTH, MIN_TOKEN_LENGTH, sameCredential } from './credential.ts'
import { SpentIds } from './spent-ids.ts'
import type { LiveSession, Session, SessionStore, SessionWatch } from './store.ts'

const MAX_SID_CHARS = 4096
const KEY_BYTES = 16

/** A credential kind is sealed as its index in this list, so new kinds must be added at the end. */
const kinds: readonly CredentialKind[] = ['private-token', 'job-token', 'bearer']

/** Content of a sid; names have one letter because it is sent in a header with every request and answer. */
const fields = {
  h: Type.Integer({ minimum: 0, maximum: kinds.length - 1, description: 'credential kind' }),
  t: Type.String({ minLength: MIN_TOKEN_LENGTH, maxLength: MAX_TOKEN_LENGTH, description: 'token' }),
  s: Type.String({ pattern: '^[\\w-]{22}$', description: 'key of the session, the same in all its sids' }),
  p: Type.String({ maxLength: 10, description: 'protocol revision' }),
  c: Type.Optional(Type.Integer({ minimum: 1, description: 'capabilities of the client' })),
  l: Type.Optional(Type.Integer({ minimum: 0, maximum: logLevels.length - 1, description: 'log level' })),
  a: Type.Optional(Type.Integer({ minimum: 1, description: 'activated toolsets' })),
  y: Type.Optional(Type.String({ maxLength: 43, description: 'what a person has said yes to' })),
  w: Type.Optional(Type.String({ maxLength: 43, description: 'digest of the id of the question' })),
  z: Type.Optional(Type.Integer({ minimum: 0, description: 'until when, in milliseconds' })),
  u: Type.Optional(Type.String({ maxLength: 512, description: 'upstream URL, when not FORGE_API_URL' }))
}

interface SealedStoreOptions {
  /** Seconds without use during which a sid is accepted (OAUTH_STATELESS_SESSION_TTL_SECONDS). */
  readonly ttlSeconds: number
  /** Age in seconds up to which a sid is returned unchanged (OAUTH_STATELESS_SID_REUSE_SECONDS); default 0, never. */
  readonly reuseSeconds?: number
  /** Whether an upstream URL may still be used: the operator may have forbidden it since the sid was sealed. */
  readonly acceptsUrl: (url: string) => boolean
  /** Clock in milliseconds. */
  readonly now: () => number
  readonly random: Random
  readonly watch?: SessionWatch
}

/**
 * Sessions that are sealed into their ids, so that every replica with the secret can open them. Each answer has an id
 * of its own, which contains the time; older ids stay valid until they expire. Within `reuseSeconds` an id is returned
 * unchanged, for clients that take a different id for a different server. Changes that a call made to the session are
 * then lost.
 */
export class SealedSessionStore implements SessionStore {
  readonly stateless = true
  readonly size = 0
  readonly #sids: Remembered<typeof fields, LiveSession>
  readonly #ended: SpentIds
  readonly #options: SealedStoreOptions

  constructor(sealer: Sealer, options: SealedStoreOptions) {
    const { now, ttlSeconds } = options
    const kind = { purpose: 'sid', fields, maxChars: MAX_SID_CHARS, ttlSeconds } as const
    this.#sids = sealer.remembered(kind, { read: sessionOf, write: contentOf })
    // A call that meanwhile runs on another replica, which has another clock, gets an id when it ends.
    this.#ended = new SpentIds((ttlSeconds + MAX_CALL_SECONDS) * 1000 + LEEWAY_MS, now)
    this.#options = options
  }

  open(sid: string, requestId?: string): LiveSession | undefined {
    const opened = this.#sids.open(sid, requestId)
    if (opened === undefined) return undefined
    const { made: session, iat } = opened
    if (this.#ended.has(session.key)) return this.#sids.refuse('ended', requestId)
    const { acceptsUrl, now, reuseSeconds = 0 } = this.#options
    if (session.apiUrl !== undefined && !acceptsUrl(session.apiUrl))
      return this.#sids.refuse('forge', requestId)
    return now() - iat < reuseSeconds * 1000
      ? { ...session, kept: { sid, credential: session.credential } }
      : session
  }

  begin(session: Session): LiveSession {
    this.#options.watch?.begun?.()
    return { ...session, key: this.#options.random(KEY_BYTES).toString('base64url') }
  }

  carry(session: LiveSession): string | undefined {
    if (this.#ended.has(session.key)) return undefined
    if (session.kept === undefined) return this.#sids.seal(session)
    const { kept, ...others } = session
    return sameCredential(kept.credential, session.credential) ? kept.sid : this.#sids.seal(others)
  }

  vouch(): void {}

  sweep(): void {}

  /** The log line of a refused sealed value has the reason. */
  endOf(): undefined {}

  end(key: string, from: string): boolean {
    return this.#ended.add(key, from)
  }
}

const sessionOf = ({ h, t: token, s: key, p, c, l, a, y, w, z, u }: Opened<typeof fields>): LiveSession => ({
  key,
  credential: { kind: kinds[h]!, token },
  apiUrl: u,
  activated: a ?? 0,
  version: p,
  ...(c !== undefined && { capabilities: c }),
  ...(l !== undefined && { logLevel: logLevels[l]! }),
  ...(y !== undefined && { agreed: { to: y, by: w ?? '', until: z ?? 0 } })
})

function contentOf(session: LiveSession): Static<TObject<typeof fields>> {
  const { key, credential, apiUrl, activated, agreed, version, capabilities, logLevel } = session
  const content: Static<TObject<typeof fields>> = {
    h: kinds.indexOf(credential.kind),
    t: credential.token,
    s: key,
    p: version
  }
  if (activated !== 0) content.a = activated
  if (capabilities !== undefined && capabilities !== 0) content.c = capabilities
  if (logLevel !== undefined) content.l = logLevels.indexOf(logLevel)
  if (agreed !== undefined) {
    content.y = agreed.to
    content.w = agreed.by
    content.z = agreed.until
  }
  if (apiUrl !== undefined) content.u = apiUrl
  return content
}
