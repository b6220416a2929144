import { randomBytes } from 'node:crypto'
import { type LiveSession, type Session, SessionCapacityError, type SessionStore } from './store.ts'

interface Entry {
  session: LiveSession
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
  readonly #shared = new Map<string, string>()
  readonly #limit: number
  readonly #idleMs: number
  readonly #now: () => number

  /**
   * @param limit most sessions at once (MAX_SESSIONS)
   * @param idleSeconds inactivity after which a session ends (SESSION_TIMEOUT_SECONDS)
   * @param now clock in milliseconds
   */
  constructor(limit: number, idleSeconds: number, now: () => number = Date.now) {
    this.#limit = limit
    this.#idleMs = idleSeconds * 1000
    this.#now = now
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
    if (this.#entries.size >= this.#limit) throw new SessionCapacityError(this.#limit)
    const begun = { ...session, key: randomBytes(32).toString('base64url') }
    this.#entries.set(begun.key, { session: begun, lastSeen: this.#now(), sharedKey })
    if (sharedKey !== undefined) this.#shared.set(sharedKey, begun.key)
    return begun
  }

  carry(session: LiveSession): string {
    const entry = this.#entries.get(session.key)
    // A session ended by a DELETE while its call ran stays ended.
    if (entry !== undefined) {
      entry.session = session
      this.#touch(entry)
      // Another credential has taken the session over: its first one gets a new session when it is next shared.
      if (entry.sharedKey !== undefined && entry.sharedKey !== sharedKeyOf(session)) this.#unshare(entry)
    }
    return session.key
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
    entry.lastSeen = this.#now()
    this.#entries.delete(key)
    this.#entries.set(key, entry)
  }

  #unshare(entry: Entry): void {
    if (entry.sharedKey !== undefined) this.#shared.delete(entry.sharedKey)
    entry.sharedKey = undefined
  }

  #drop(key: string): boolean {
    const entry = this.#entries.get(key)
    if (entry !== undefined) this.#unshare(entry)
    return this.#entries.delete(key)
  }

  #expire(): void {
    const oldest = this.#now() - this.#idleMs
    for (const [key, entry] of this.#entries) {
      if (entry.lastSeen >= oldest) return
      this.#drop(key)
    }
  }
}

const sharedKeyOf = ({ credential, apiUrl }: Session): string =>
  `${credential.kind} ${credential.token} ${apiUrl ?? ''}`
