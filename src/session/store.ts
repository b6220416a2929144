import type { LogLevel } from './client.ts'
import { type Credential, sameCredential } from './credential.ts'

/** Why a session in memory has ended: it was unused for too long, made room for others, or its client ended it. */
export type SessionEnd = 'idle' | 'displaced' | 'deleted'

/** What the service stores between two calls of one client. */
export interface Session {
  readonly credential: Credential
  /** Upstream REST base; undefined means FORGE_API_URL. All calls of the session use it. */
  readonly apiUrl: string | undefined
  /** Toolsets activated by discover_tools, one bit each in registry order. */
  readonly activated: number
  /** Protocol revision negotiated by initialize; empty without one. */
  readonly version: string
  /** Capabilities that the client has declared, as bits of client.ts; absent if none. */
  readonly capabilities?: number
  /** Lowest severity of log messages that the client wants; absent if it wants none. */
  readonly logLevel?: LogLevel
  /** The forge's id of the credential's user, where the forge is asked about every credential and names one. */
  readonly user?: string | undefined
  /** A person's consent that came when the call that asked no longer waited for it, or never waited here. */
  readonly agreed?: Agreement | undefined
}

/** What a person has agreed to, for a repetition of the call. */
export interface Agreement {
  /** A digest of the call and the question. */
  readonly to: string
  /** A digest of the id that the question was asked with: the same question asked again is another. */
  readonly by: string
  /** When it expires, on the clock, in milliseconds. */
  readonly until: number
}

/** A live session, with a name that stays the same while its id may change. */
export interface LiveSession extends Session {
  readonly key: string
  /** The id with which it was opened, if that is to be returned unchanged. */
  readonly kept?: KeptId
  /** The session as the request last read or stored it, by which its changes are told from those of others. */
  readonly seen?: { session: LiveSession; readonly arrived: number }
  /** The number of the request that its credential came with, if that is not the first one. */
  readonly renewed?: number
  /** The principal of the last call in it that its forge has served: a digest of the token. */
  readonly servedTo?: string
  /** The request's credential is a guest's (standing.ts): what it changes is not stored. */
  readonly isGuests?: boolean
}

export interface KeptId {
  readonly sid: string
  /** The credential of the session that the id names: the id is not returned to another credential. */
  readonly credential: Credential
}

/**
 * Whether the answer has no session id, because the client uses an id of another credential. Another id would end the
 * client's connection, and each renewed token of a login is another credential.
 */
export const isSilentOfIds = ({ kept, credential }: LiveSession): boolean =>
  kept !== undefined && !sameCredential(kept.credential, credential)

/** How a session begins. */
export interface Beginning {
  /**
   * The client did not initialize: all its calls share one such session, so that a client that never returns its id
   * cannot fill the store.
   */
  readonly shared: boolean
  /** Whom the client's address stands for; see holderOf. */
  readonly address: string
  /** Whether the operator's own forge has already vouched for the credential. */
  readonly proven: boolean
}

/**
 * Where sessions are stored: in memory on one replica, or sealed into the session id. A request opens the id that it
 * came with, or begins a session; its answer has the id that `carry` returns.
 */
export interface SessionStore {
  /**
   * Whether the id contains the session, so that any replica can open it. Then nothing is stored that could run out:
   * every answer to a live credential has an id, and a credential begins anew if its id has expired.
   */
  readonly stateless: boolean
  /**
   * The live session of an id; restarts its inactivity timeout. Undefined if there is none.
   * @param requestId of the request that brings it, for the log
   */
  open(sid: string, requestId?: string): LiveSession | undefined
  /**
   * Begins a session. Room is made for it before anything else is done.
   * @throws SessionCapacityError if no further session fits
   */
  begin(session: Session, how: Beginning): LiveSession
  /**
   * Stores what the request has changed in its copy of the session, and returns the id to answer with, if any: the
   * session may have been ended meanwhile.
   */
  carry(session: LiveSession): string | undefined
  /**
   * Records that the session's forge has served a call of it, so the credential is real there.
   * @param principal whose call it was: a digest of the token
   * @param isProof whether it is the operator's own forge: sessions without that are removed first if there is no room
   */
  vouch(key: string, principal: string, isProof: boolean): void
  /**
   * Ends a session by its key; returns false if it was not live.
   * @param from whom the address that ends it stands for; see holderOf
   */
  end(key: string, from: string): boolean
  /** Why the session of an id has ended, where that is known; for the log. */
  endOf(sid: string): SessionEnd | undefined
  /** Ends the sessions that were unused for too long; every other use of the store does the same first. */
  sweep(): void
  /** Number of live sessions; 0 if they are stored in their ids. */
  readonly size: number
}

/** Called when sessions end, to count them. */
export interface SessionWatch {
  /**
   * @param address where it was begun, as from holderOf; unknown to a store that keeps no sessions
   * @param principal of its credential; as the address
   */
  begun?(address?: string, principal?: string): void
  /** Because of inactivity. @param address where it was begun @param principal of its credential */
  expired?(address: string, principal: string): void
  /**
   * To make room for others.
   * @param address where it was begun, as from holderOf
   * @param principal of its credential
   */
  displaced?(address: string | undefined, principal: string | undefined): void
}

/** MAX_SESSIONS are live, all of callers that the forge has vouched for. */
export class SessionCapacityError extends Error {
  constructor(limit: number) {
    super(`Server capacity reached: ${limit} sessions are open. Try again later.`)
    this.name = 'SessionCapacityError'
  }
}
