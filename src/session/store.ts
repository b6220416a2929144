import type { LogLevel } from './client.ts'
import { type Credential, sameCredential } from './credential.ts'

/**
 * Why a session in memory has ended: it was unused for too long, another session needed its room, or its client ended
 * it.
 */
export type SessionEnd = 'idle' | 'displaced' | 'deleted'

/** What the service stores between two calls of one client. */
export interface Session {
  readonly credential: Credential
  /** Base URL of the forge's REST API; undefined means FORGE_API_URL. All calls of the session use it. */
  readonly apiUrl: string | undefined
  /** Toolsets activated by discover_tools, one bit each in registry order. */
  readonly activated: number
  /** Protocol revision negotiated by initialize; empty if there was no initialize. */
  readonly version: string
  /** Capabilities that the client has declared, as bits of client.ts; absent if none. */
  readonly capabilities?: number
  /** Lowest severity of log messages that the client wants; absent if it wants none. */
  readonly logLevel?: LogLevel
  /** The forge's id of the credential's user, if the forge is asked about every credential and names a user. */
  readonly user?: string | undefined
  /** A person's consent that arrived when the asking call no longer waited for it, or waited on another replica. */
  readonly agreed?: Agreement | undefined
}

/** A person's consent, for a repetition of the call. */
export interface Agreement {
  /** A digest of the call and the question. */
  readonly to: string
  /** A digest of the id of the question: the same question has another id when it is asked again. */
  readonly by: string
  /** When the agreement expires, on the clock, in milliseconds. */
  readonly until: number
}

/** A live session, with a name that stays the same while its id may change. */
export interface LiveSession extends Session {
  readonly key: string
  /** The id with which the session was opened, if that id is to be returned unchanged. */
  readonly kept?: KeptId
  /**
   * The session as the request last read or stored it. By this, the request's changes are told from those of others.
   */
  readonly seen?: { session: LiveSession; readonly arrived: number }
  /** The number of the request that its credential came with, if that is not the first request. */
  readonly renewed?: number
  /** The principal (a digest of the token) of the last call in the session that its forge has served. */
  readonly servedTo?: string
  /** Whether the request's credential is a guest's (standing.ts), whose changes are not stored. */
  readonly isGuests?: boolean
}

interface KeptId {
  readonly sid: string
  /** The credential of the session that the id names. The id is not returned to another credential. */
  readonly credential: Credential
}

/**
 * Whether the answer has no session id, because the client uses an id of another credential. A different id would end
 * the client's connection, and each renewed token of a login is another credential.
 */
export const isSilentOfIds = ({ kept, credential }: LiveSession): boolean =>
  kept !== undefined && !sameCredential(kept.credential, credential)

/** How a session begins. */
export interface Beginning {
  /**
   * Whether the client did not initialize. All calls of such a client share one session, so that a client that never
   * returns its id cannot fill the store.
   */
  readonly shared: boolean
  /** The holder of the client's address; see holderOf. */
  readonly address: string
  /** Whether the operator's own forge has already vouched for the credential. */
  readonly proven: boolean
}

/**
 * Where sessions are stored: in memory on one replica, or sealed into the session id. A request opens the id that it
 * carries, or begins a session. Its answer has the id that `carry` returns.
 */
export interface SessionStore {
  /**
   * Whether the id contains the session, so that any replica can open it. Then no store can run out of room: every
   * answer to a valid credential has an id, and a caller with a credential begins a new session if its id has expired.
   */
  readonly stateless: boolean
  /**
   * Opens the live session of an id, and restarts its inactivity timeout. Undefined if there is none.
   * @param requestId of the request that carries the id, for the log
   */
  open(sid: string, requestId?: string): LiveSession | undefined
  /**
   * Begins a session. Room is made for it before anything else is done.
   * @throws SessionCapacityError if no further session fits
   */
  begin(session: Session, how: Beginning): LiveSession
  /**
   * Stores the changes that the request has made in its copy of the session, and returns the id to answer with;
   * undefined if the session has been ended meanwhile.
   */
  carry(session: LiveSession): string | undefined
  /**
   * Records that the session's forge has served a call of the session, so that the credential is known to be real
   * there.
   * @param principal of that call: a digest of the token
   * @param isProof whether it is the operator's own forge: sessions without such a proof are removed first if room is
   * needed
   */
  vouch(key: string, principal: string, isProof: boolean): void
  /**
   * Ends a session by its key.
   * @param from the holder of the address that ends it; see holderOf
   * @returns false if it was not live
   */
  end(key: string, from: string): boolean
  /** Why the session of an id has ended, if that is known; for the log. */
  endOf(sid: string): SessionEnd | undefined
  /** Ends the sessions that were unused for too long. Every other use of the store does the same first. */
  sweep(): void
  /** Number of live sessions; 0 if they are stored in their ids. */
  readonly size: number
}

/** Called when sessions begin and end, to count them. */
export interface SessionWatch {
  /**
   * @param address where the session began, as from holderOf; undefined from a store that keeps no sessions
   * @param principal of its credential; undefined in the same case
   */
  begun?(address?: string, principal?: string): void
  /**
   * Called when a session ends because of inactivity.
   * @param address where it began
   * @param principal of its credential
   */
  expired?(address: string, principal: string): void
  /**
   * Called when a session is removed to make room for others.
   * @param address where it began, as from holderOf
   * @param principal of its credential
   */
  displaced?(address: string | undefined, principal: string | undefined): void
}

/** MAX_SESSIONS are live, and the forge has vouched for the callers of all of them. */
export class SessionCapacityError extends Error {
  constructor(limit: number) {
    super(`Server capacity reached: ${limit} sessions are open. Try again later.`)
    this.name = 'SessionCapacityError'
  }
}
