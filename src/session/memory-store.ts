import { LRUCache } from 'lru-cache'
import { atMost } from '../collections/at-most.ts'
import { type RoomPlace, SharedRoom } from '../collections/shared-room.ts'
import { pooledRandom, type Random } from '../seal/random.ts'
import { copyOf, withChanges } from './copy.ts'
import { principalOf } from './credential.ts'
import {
  type Beginning,
  type LiveSession,
  type Session,
  SessionCapacityError,
  type SessionEnd,
  type SessionStore,
  type SessionWatch
} from './store.ts'

/** Smaller stores are not divided: the first callers get the places, and the next caller is refused. */
const MIN_DIVIDED = 8

/**
 * Divisors of the number of places. An address may have half of all places with sessions that the forge has not vouched
 * for, and a principal or a user a tenth. Another tenth is reserved for callers whose calls the forge has not served
 * yet.
 */
const ADDRESS_PART = 2
const PRINCIPAL_PART = 10
const NEW_PART = 10

/** Random bytes of a session id, so that nobody can guess one. */
const KEY_BYTES = 32

/** Most ended sessions for which the reason of their end is kept: about 2 MB. */
const MAX_ENDED = 10_000

interface Entry {
  session: LiveSession
  lastSeen: number
  sharedKey: string | undefined
  /** The principal for whom the forge has served a call in this session; undefined before that. */
  provenBy: string | undefined
  /** The address where the session began, as from holderOf. */
  readonly address: string
  /** Its place in the share of its address. */
  ofAddress: RoomPlace | undefined
  /** Its place in the share of its user or principal. */
  ofCaller: RoomPlace | undefined
}

/**
 * Sessions of one process, with the id as key. The map's insertion order is the order of last use, so the check for
 * expired sessions looks only at the front, and costs no more than the removals.
 *
 * Made-up tokens begin sessions just as real ones do. So sessions that the operator's forge has not vouched for are
 * removed at once when room is needed: the oldest of the address that has the most. Using them does not keep them,
 * because a ping needs no forge. Nothing that they do ends a session that the forge has vouched for. Those sessions are
 * limited per user of the forge, or per principal if the user is unknown; over the limit, the session that was unused
 * longest is removed. They are also limited per address: each login gives another token, and without its user nobody
 * could tell that these principals are one caller.
 */
export class MemorySessionStore implements SessionStore {
  readonly stateless = false
  readonly #entries = new Map<string, Entry>()
  /** Sessions that the forge has not vouched for, by address and by principal. */
  readonly #newByAddress: SharedRoom
  readonly #newByPrincipal: SharedRoom
  /** Sessions that the forge has vouched for. */
  readonly #provenByAddress: SharedRoom
  readonly #provenByCaller: SharedRoom
  readonly #shared = new Map<string, string>()
  /**
   * Why sessions have ended whose ids may still be sent, for the log. No decision depends on it, so it does no harm
   * that somebody who ends many sessions displaces the entries of others.
   */
  readonly #ended = new LRUCache<string, SessionEnd>(atMost(MAX_ENDED))
  /** Number of requests so far. */
  #arrived = 0
  /**
   * By the clock: no session expires before this. Until then the front of the map is not examined, because a map keeps
   * thousands of moved entries in front of it.
   */
  #noneEndsBefore = Number.NEGATIVE_INFINITY
  readonly #limit: number
  readonly #idleMs: number
  readonly #now: () => number
  readonly #watch: SessionWatch
  readonly #random: Random

  /**
   * @param limit most sessions at once (MAX_SESSIONS)
   * @param idleSeconds inactivity after which a session ends (SESSION_TIMEOUT_SECONDS)
   * @param now clock in milliseconds
   */
  constructor(
    limit: number,
    idleSeconds: number,
    now: () => number = () => performance.now(),
    watch: SessionWatch = {},
    random: Random = pooledRandom()
  ) {
    this.#limit = limit
    const part = (divisor: number) => Math.max(MIN_DIVIDED, Math.ceil(limit / divisor))
    this.#newByAddress = new SharedRoom({ each: part(ADDRESS_PART) })
    this.#newByPrincipal = new SharedRoom({ each: part(PRINCIPAL_PART) })
    this.#provenByAddress = new SharedRoom({ all: limit - Math.floor(limit / NEW_PART) })
    this.#provenByCaller = new SharedRoom({ each: part(PRINCIPAL_PART) })
    this.#idleMs = idleSeconds * 1000
    this.#now = now
    this.#watch = watch
    this.#random = random
  }

  open(sid: string): LiveSession | undefined {
    this.sweep()
    const entry = this.#entries.get(sid)
    if (entry === undefined) return undefined
    this.#touch(entry)
    return copyOf(entry.session, ++this.#arrived)
  }

  begin(session: Session, { shared, address, proven }: Beginning): LiveSession {
    this.sweep()
    const sharedKey = shared ? sharedKeyOf(session) : undefined
    const existing =
      sharedKey === undefined ? undefined : this.#entries.get(this.#shared.get(sharedKey) ?? '')
    if (existing !== undefined) {
      const { activated, key } = existing.session
      return { ...copyOf(existing.session, ++this.#arrived), ...session, activated, key }
    }
    if (this.#entries.size >= this.#limit && (this.#limit < MIN_DIVIDED || !this.#newByAddress.dropOne()))
      throw new SessionCapacityError(this.#limit)
    const key = this.#random(KEY_BYTES).toString('base64url')
    const begun = { ...session, key }
    const principal = principalOf(session.credential)
    this.#watch.begun?.(address, principal)
    const entry: Entry = {
      session: begun,
      lastSeen: this.#now(),
      sharedKey,
      provenBy: undefined,
      address,
      ofAddress: undefined,
      ofCaller: undefined
    }
    this.#entries.set(key, entry)
    if (sharedKey !== undefined) this.#shared.set(sharedKey, key)
    if (proven) this.#prove(entry, principal)
    else {
      const displace = () => this.#displace(key)
      entry.ofAddress = this.#newByAddress.take(address, 1, displace)
      entry.ofCaller = this.#newByPrincipal.take(principal, 1, displace)
    }
    return copyOf(begun, ++this.#arrived)
  }

  carry(session: LiveSession): string {
    const entry = this.#entries.get(session.key)
    // A session that a DELETE ended while its call ran stays ended.
    if (entry !== undefined) {
      entry.session = withChanges(entry.session, session)
      this.#touch(entry)
      // Another credential has taken over the session. The first credential gets a new shared session next time.
      if (entry.sharedKey !== undefined && entry.sharedKey !== sharedKeyOf(entry.session))
        this.#unshare(entry)
    }
    return session.key
  }

  vouch(key: string, principal: string, isProof: boolean): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    if (entry.session.servedTo !== principal) entry.session = { ...entry.session, servedTo: principal }
    // It counts for the principal that the forge served: otherwise sessions that begin with made-up tokens would count
    // for nobody.
    if (isProof && entry.provenBy !== principal) this.#prove(entry, principal)
  }

  end(key: string): boolean {
    this.sweep()
    return this.#drop(key, 'deleted')
  }

  endOf(sid: string): SessionEnd | undefined {
    return this.#ended.peek(sid)
  }

  sweep(): void {
    const now = this.#now()
    if (now <= this.#noneEndsBefore) return
    this.#noneEndsBefore = now + this.#idleMs
    for (const [key, entry] of this.#entries) {
      const end = entry.lastSeen + this.#idleMs
      if (end >= now) {
        this.#noneEndsBefore = end
        return
      }
      this.#drop(key, 'idle')
      this.#watch.expired?.(entry.address, principalOf(entry.session.credential))
    }
  }

  get size(): number {
    this.sweep()
    return this.#entries.size
  }

  #touch(entry: Entry): void {
    const { key } = entry.session
    const now = this.#now()
    // Moving an entry costs more than the rest of a lookup, so a use within a thousandth of the timeout after the last
    // one is not recorded.
    if (now - entry.lastSeen < this.#idleMs / 1000) return
    entry.lastSeen = now
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    if (entry.provenBy === undefined) return
    entry.ofAddress?.touch()
    entry.ofCaller?.touch()
  }

  #prove(entry: Entry, principal: string): void {
    leaveRooms(entry)
    const displace = () => this.#displace(entry.session.key)
    entry.provenBy = principal
    entry.ofCaller = this.#provenByCaller.take(callerOf(entry.session, principal), 1, displace)
    entry.ofAddress = this.#provenByAddress.take(entry.address, 1, displace)
  }

  #displace(key: string): void {
    const { address, session } = this.#entries.get(key) ?? {}
    this.#drop(key, 'displaced')
    this.#watch.displaced?.(address, session && principalOf(session.credential))
  }

  #unshare(entry: Entry): void {
    if (entry.sharedKey !== undefined) this.#shared.delete(entry.sharedKey)
    entry.sharedKey = undefined
  }

  #drop(key: string, why: SessionEnd): boolean {
    const entry = this.#entries.get(key)
    if (entry === undefined) return false
    this.#unshare(entry)
    leaveRooms(entry)
    this.#ended.set(key, why)
    return this.#entries.delete(key)
  }
}

/**
 * The caller that a session counts for after the forge has vouched for it.
 * @param principal for whom the forge has vouched
 */
const callerOf = ({ user }: Session, principal: string): string =>
  user === undefined ? principal : `user ${user}`

function leaveRooms(entry: Entry): void {
  entry.ofAddress?.leave()
  entry.ofAddress = undefined
  entry.ofCaller?.leave()
}

const sharedKeyOf = ({ credential, apiUrl }: Session): string =>
  `${credential.kind} ${principalOf(credential)} ${apiUrl ?? ''}`
