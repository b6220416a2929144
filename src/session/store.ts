import type { LogLevel } from './client.ts'
import { type Credential, sameCredential } from './credential.ts'

/** What the service remembers between two calls of one client. */
export interface Session {
  readonly credential: Credential
  /** Upstream REST base; undefined means FORGE_API_URL. All calls of the session use it. */
  readonly apiUrl: string | undefined
  /** Toolsets activated by discover_tools, one bit each in registry order. */
  readonly activated: number
  /** Protocol revision agreed on by initialize; empty without one. */
  readonly version: string
  /** What its client has said that it can do, as bits of client.ts; absent for nothing. */
  readonly capabilities?: number
  /** From which severity on its client wants log messages; absent for none. */
  readonly logLevel?: LogLevel
  /** A person's yes that came when the call that asked did not wait for it any more, or never had here. */
  readonly agreed?: Agreement | undefined
}

/** What a person has agreed to, for when it is called again. */
export interface Agreement {
  /** A digest of the call and the question. */
  readonly to: string
  /** On the clock, in milliseconds. */
  readonly until: number
}

/** A session that has begun, with the name it keeps while its id may change. */
export interface LiveSession extends Session {
  readonly key: string
  /** The id it was opened with, where that is to go back as it came. */
  readonly kept?: KeptId
}

export interface KeptId {
  readonly sid: string
  /** Whose session it names: it does not go back to another credential. */
  readonly credential: Credential
}

/**
 * Whether an answer says nothing of ids: its client keeps one that is not of this credential. Another id would end its
 * connection, as each renewed token of a login would.
 */
export const isSilentOfIds = ({ kept, credential }: LiveSession): boolean =>
  kept !== undefined && !sameCredential(kept.credential, credential)

/** How a session begins. */
export interface Beginning {
  /**
   * The client did not initialize: one such session serves all its calls, so that a client that never sends its id
   * back cannot fill the store.
   */
  readonly shared: boolean
  /** Whom the client's address stands for; see holderOf. */
  readonly address: string
  /** The operator's own forge has answered for the credential already. */
  readonly proven: boolean
}

/**
 * Where sessions live: in memory on one replica, or sealed into the session id itself. A request opens the
 * id it came with, or begins a session; its answer carries the id that `carry` gives.
 */
export interface SessionStore {
  /**
   * The id is the session, so that any replica opens it. Then nothing is held that could run out: every
   * answer to a live credential carries an id, and a credential starts afresh where its id is dead.
   */
  readonly stateless: boolean
  /** The live session behind an id, its inactivity clock restarted. */
  open(sid: string): LiveSession | undefined
  /**
   * Makes room for a new session before anything is done for it.
   * @throws SessionCapacityError when no further session fits
   */
  begin(session: Session, how: Beginning): LiveSession
  /** Writes the session back and gives the id to answer with. */
  carry(session: LiveSession): string
  /**
   * The operator's own forge has served a call of the session, so its credential is a real one. Sessions of which
   * that is not known are the ones to go when there is no room.
   * @param principal whose call that was: a digest of the token
   */
  vouch(key: string, principal: string): void
  /**
   * Ends a session by its key; false when it was not live.
   * @param from whom the address that ends it stands for; see holderOf
   */
  end(key: string, from: string): boolean
  /** Sessions alive now; 0 where they live in their ids. */
  readonly size: number
}

/** Told of what becomes of sessions, to count it. */
export interface SessionWatch {
  begun?(): void
  /** By inactivity. */
  expired?(): void
  /** To make room for others. */
  displaced?(): void
}

/** MAX_SESSIONS are alive, all of them of callers that the forge knows. */
export class SessionCapacityError extends Error {
  constructor(limit: number) {
    super(`Server capacity reached: ${limit} sessions are open. Try again later.`)
    this.name = 'SessionCapacityError'
  }
}
