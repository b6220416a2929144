import { randomBytes } from 'node:crypto'
import { type Session, SessionCapacityError, type SessionStore } from './store.ts'

interface Entry {
  session: Session
  lastSeen: number
  readonly sharedKey: string | undefined
}

/**
 * Sessions of one process. The map's insertion order is the order of last use, so expiry looks at the front
 * only and costs what it removes.
 */
export class MemorySessionStore implements SessionStore {
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

  open(sid: string): Session | undefined {
    this.#expire()
    const entry = this.#entries.get(sid)
    if (entry === undefined) return undefined
    this.#touch(sid, entry)
    return entry.session
  }

  begin(session: Session, shared: boolean): string {
    this.#expire()
    const sharedKey = shared ? sharedKeyOf(session) : undefined
    const existing = sharedKey === undefined ? undefined : this.#shared.get(sharedKey)
    if (existing !== undefined) return existing
    if (this.#entries.size >= this.#limit) throw new SessionCapacityError(this.#limit)
    const sid = randomBytes(32).toString('base64url')
    this.#entries.set(sid, { session, lastSeen: this.#now(), sharedKey })
    if (sharedKey !== undefined) this.#shared.set(sharedKey, sid)
    return sid
  }

  carry(session: Session, sid: string): string {
    const entry = this.#entries.get(sid)
    // A session ended by a DELETE while its call ran stays ended.
    if (entry !== undefined) {
      entry.session = session
      this.#touch(sid, entry)
    }
    return sid
  }

  end(sid: string): boolean {
    this.#expire()
    return this.#drop(sid)
  }

  get size(): number {
    this.#expire()
    return this.#entries.size
  }

  #touch(sid: string, entry: Entry): void {
    entry.lastSeen = this.#now()
    this.#entries.delete(sid)
    this.#entries.set(sid, entry)
  }

  #drop(sid: string): boolean {
    const sharedKey = this.#entries.get(sid)?.sharedKey
    if (sharedKey !== undefined) this.#shared.delete(sharedKey)
    return this.#entries.delete(sid)
  }

  #expire(): void {
    const oldest = this.#now() - this.#idleMs
    for (const [sid, entry] of this.#entries) {
      if (entry.lastSeen >= oldest) return
      this.#drop(sid)
    }
  }
}

const sharedKeyOf = ({ credential, apiUrl }: Session): string =>
  `${credential.kind} ${credential.token} ${apiUrl ?? ''}`
