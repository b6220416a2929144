import { randomBytes } from 'node:crypto'
import {
  type LiveSession,
  type Session,
  SessionCapacityError,
  type SessionStore,
  type SessionWatch
} from './store.ts'

/** From its begin, how long a session that no forge has served yet is safe, once there is no room for others. */
const UNPROVEN_MS = 60_000

interface Entry {
  session: LiveSession
  readonly began: number
  lastSeen: number
  sharedKey: string | undefined
}

/**
 * Sessions of one process, the id being the key. The map's insertion order is the order of last use, so
 * expiry looks at the front only and costs what it removes.
 */
export class MemorySessionStore implements SessionStore {
  readonly stateless = false
  readonly #entries = new Map<string, Entry>()
  /** Those no forge has served a call of, in order of begin: made-up tokens begin sessions as real ones do. */
  readonly #unproven = new Map<string, Entry>()
  readonly #shared = new Map<string, string>()
  readonly #limit: number
  readonly #idleMs: number
  readonly #now: () => number
  readonly #watch: SessionWatch

  /**
   * @param limit most sessions at once (MAX_SESSIONS)
   * @param idleSeconds inactivity after which a session ends (SESSION_TIMEOUT_SECONDS)
   * @param now clock in milliseconds
   */
  constructor(limit: number, idleSeconds: number, now: () => number = Date.now, watch: SessionWatch = {}) {
    this.#limit = limit
    this.#idleMs = idleSeconds * 1000
    this.#now = now
    this.#watch = watch
  }

  open(sid: string): LiveSession | undefined {
    this.#expire()
    const entry = this.#entries.get(sid)
    if (entry === undefined) return undefined
    this.#touch(entry)
    return entry.session
  }

  begin(session: Session, shared: boolean): LiveSession {
    this.#expire()
    const sharedKey = shared ? sharedKeyOf(session) : undefined
    const existing =
      sharedKey === undefined ? undefined : this.#entries.get(this.#shared.get(sharedKey) ?? '')
    if (existing !== undefined)
      return { ...session, activated: existing.session.activated, key: existing.session.key }
    if (this.#entries.size >= this.#limit && !this.#makeRoom()) throw new SessionCapacityError(this.#limit)
    const begun = { ...session, key: randomBytes(32).toString('base64url') }
    this.#watch.begun?.()
    const now = this.#now()
    const entry = { session: begun, began: now, lastSeen: now, sharedKey }
    this.#entries.set(begun.key, entry)
    this.#unproven.set(begun.key, entry)
    if (sharedKey !== undefined) this.#shared.set(sharedKey, begun.key)
    return begun
  }

  carry(session: LiveSession): string {
    const entry = this.#entries.get(session.key)
    // A session ended by a DELETE while its call ran stays ended.
    if (entry !== undefined) {
      // A call beside this one may have activated a toolset meanwhile; nothing takes one away.
      const activated = session.activated | entry.session.activated
      entry.session = activated === session.activated ? session : { ...session, activated }
      this.#touch(entry)
      // Another credential has taken the session over: its first one gets a new session when it is next shared.
      if (entry.sharedKey !== undefined && entry.sharedKey !== sharedKeyOf(session)) this.#unshare(entry)
    }
    return session.key
  }

  vouch(key: string): void {
    this.#unproven.delete(key)
  }

  end(key: string): boolean {
    this.#expire()
    return this.#drop(key)
  }

  get size(): number {
    this.#expire()
    return this.#entries.size
  }

  #touch(entry: Entry): void {
    const { key } = entry.session
    const now = this.#now()
    // Moving an entry costs more than the rest of a look-up; a thousandth of the time-out is no inactivity.
    if (now - entry.lastSeen < this.#idleMs / 1000) return
    entry.lastSeen = now
    this.#entries.delete(key)
    this.#entries.set(key, entry)
  }

  /**
   * Drops the session that began first of those no forge has served, unless that was a moment ago. Its use does
   * not count: a ping needs no forge, so made-up tokens would keep every place with it.
   */
  #makeRoom(): boolean {
    for (const [key, entry] of this.#unproven)
      return this.#now() - entry.began >= UNPROVEN_MS && this.#drop(key)
    return false
  }

  #unshare(entry: Entry): void {
    if (entry.sharedKey !== undefined) this.#shared.delete(entry.sharedKey)
    entry.sharedKey = undefined
  }

  #drop(key: string): boolean {
    const entry = this.#entries.get(key)
    if (entry !== undefined) this.#unshare(entry)
    this.#unproven.delete(key)
    return this.#entries.delete(key)
  }

  #expire(): void {
    const oldest = this.#now() - this.#idleMs
    for (const [key, entry] of this.#entries) {
      if (entry.lastSeen >= oldest) return
      this.#drop(key)
      this.#watch.expired?.()
    }
  }
}

const sharedKeyOf = ({ credential, apiUrl }: Session): string =>
  `${credential.kind} ${credential.token} ${apiUrl ?? ''}`
