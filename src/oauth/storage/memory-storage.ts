import { randomBytes } from 'node:crypto'
import { HOUR_MS } from '../../base/units.ts'
import { SharedCache } from '../../collections/shared-cache.ts'
import { textBytes } from '../../collections/text-bytes.ts'
import { digest } from '../rules/pkce.ts'
import type { Client, ClientDetails } from '../rules/registration.ts'
import {
  type Grant,
  type Lifetimes,
  type OAuthStorage,
  type Pending,
  REFRESH_SECONDS,
  type RefreshToken,
  type TakenGrant
} from './storage.ts'

/**
 * Most entries of each kind at once. They take some MB, and 20 MB at the very most. Beyond that, the address that has
 * the most entries loses the one that it has not used for the longest time. A login whose user the forge has named
 * counts for that user instead.
 */
const MAX_ENTRIES = 10_000

/** An entry counts once for each so many bytes that it takes as a text; usual entries take fewer. */
const PART_BYTES = 1024

const partsOf = (entry: object): number => Math.ceil(textBytes(JSON.stringify(entry)) / PART_BYTES)

/**
 * Refresh tokens that are kept for a login: the last one, and earlier ones that the client may still use if it did not
 * get the answer with the last one.
 */
const KEPT_OF_LOGIN = 3

/**
 * How long after its last tokens the user of a login is still learnt, in milliseconds: forges issue tokens that are
 * valid for two hours.
 */
const UNNAMED_MS = 2 * HOUR_MS

type Login = Omit<RefreshToken, 'token'>

const newId = (): string => randomBytes(32).toString('base64url')

/** Keeps logins in the memory of one process; each state and each code works once. */
export class MemoryOAuthStorage implements OAuthStorage {
  readonly #clients: SharedCache<Client>
  readonly #pending: SharedCache<Pending>
  readonly #grants: SharedCache<Grant & { at: number }>
  /** The owner of each refresh token, by the digest of the token, which is the forge's own. */
  readonly #refresh: SharedCache<Login>
  /** For each login, the digests of its last refresh tokens. */
  readonly #lastOf: SharedCache<readonly string[]>
  /** For logins whose user is not known: the login's name, by the digest of an access token. */
  readonly #unnamed: SharedCache<string>
  readonly #now: () => number

  /** @param now clock in milliseconds */
  constructor(lifetimes: Lifetimes, now: () => number = () => performance.now(), max = MAX_ENTRIES) {
    this.#clients = new SharedCache(max, lifetimes.client * 1000, now)
    this.#pending = new SharedCache(max, lifetimes.pending * 1000, now)
    this.#grants = new SharedCache(max, lifetimes.grant * 1000, now)
    this.#refresh = new SharedCache(max, REFRESH_SECONDS * 1000, now)
    this.#lastOf = new SharedCache(max, REFRESH_SECONDS * 1000, now)
    this.#unnamed = new SharedCache(max, UNNAMED_MS, now)
    this.#now = now
  }

  addClient(details: ClientDetails, from: string): Client {
    const client = { ...details, id: newId() }
    this.#clients.set(client.id, client, from, undefined, partsOf(client))
    return client
  }

  client(id: string): Client | undefined {
    return this.#clients.get(id)
  }

  countClient(): void {}

  // A random id does not show which process made it.
  knowsForm(): boolean {
    return false
  }

  addPending(pending: Pending, from: string): string {
    const state = newId()
    this.#pending.set(state, pending, from, undefined, partsOf(pending))
    return state
  }

  pending(state: string): Pending | undefined {
    return this.#pending.get(state)
  }

  takePending(state: string, fits: (pending: Pending) => boolean): Pending | undefined {
    const found = this.pending(state)
    if (found === undefined || !fits(found)) return undefined
    this.#pending.delete(state)
    return found
  }

  addGrant(grant: Grant, from: string): string {
    const code = newId()
    this.#grants.set(code, { ...grant, at: this.#now() }, from, undefined, partsOf(grant))
    return code
  }

  takeGrant(code: string, fits: (grant: Grant) => boolean): TakenGrant | undefined {
    const found = this.#grants.get(code)
    if (found === undefined || !fits(found)) return undefined
    this.#grants.delete(code)
    const { at, ...grant } = found
    return { ...grant, ageMs: this.#now() - at }
  }

  addRefresh({ token, ...of }: RefreshToken, from: string, access: string): string {
    const name = digest(token)
    this.#refresh.set(name, of, holderOfLogin(of, from))
    // Each refresh may return a new token, and a client may refresh its login any number of times.
    const last = [...(this.#lastOf.get(of.login) ?? []).filter(other => other !== name), name]
    for (const used of last.splice(0, last.length - KEPT_OF_LOGIN)) this.#refresh.delete(used)
    this.#lastOf.set(of.login, last, holderOfLogin(of, from))
    if (of.user === undefined) this.#unnamed.set(digest(access), of.login, from)
    return token
  }

  nameUser(access: string, user: string): void {
    const key = digest(access)
    const login = this.#unnamed.get(key)
    if (login === undefined) return
    this.#unnamed.delete(key)
    const last = this.#lastOf.get(login) ?? []
    for (const name of last) {
      const of = this.#refresh.get(name)
      if (of !== undefined) this.#refresh.set(name, { ...of, user }, holderOfUser(user))
    }
    this.#lastOf.set(login, last, holderOfUser(user))
  }

  peekRefresh(value: string): RefreshToken | undefined {
    const of = this.#refresh.get(digest(value))
    return of && { ...of, token: value }
  }

  openRefresh(value: string): RefreshToken | undefined {
    return this.peekRefresh(value)
  }

  sealsRefresh(): boolean {
    return false
  }
}

/** The holder of a user's logins. A user with many addresses is one holder. */
const holderOfUser = (user: string): string => `user ${user}`

const holderOfLogin = ({ user }: Login, from: string): string =>
  user === undefined ? from : holderOfUser(user)
