import type { Credential } from './credential.ts'

/** What the service remembers between two calls of one client. */
export interface Session {
  readonly credential: Credential
  /** Upstream REST base; undefined means FORGE_API_URL. All calls of the session use it (spec 1). */
  readonly apiUrl: string | undefined
  /** Toolsets activated by discover_tools, one bit each in registry order. */
  readonly activated: number
  /** Protocol revision agreed on by initialize. */
  readonly version: string
}

/**
 * Where sessions live: in memory on one replica, or sealed into the session id itself. A request opens the
 * id it came with, or begins a session; its answer carries the id that `carry` gives.
 */
export interface SessionStore {
  /** The live session behind an id, its inactivity clock restarted. */
  open(sid: string): Session | undefined
  /**
   * Makes room for a new session before anything is done for it.
   * @param shared the client did not initialize: one such session serves all its calls, so that a client
   *   that never sends its id back cannot fill the store
   * @returns the new id, or undefined when it is only known once the answer is written
   * @throws SessionCapacityError when no further session fits
   */
  begin(session: Session, shared: boolean): string | undefined
  /** Writes the session back and gives the id to answer with. */
  carry(session: Session, sid: string | undefined): string
  /** Ends a session; false when the id was not live. */
  end(sid: string): boolean
  /** Sessions alive now. */
  readonly size: number
}

/** MAX_SESSIONS are alive. */
export class SessionCapacityError extends Error {
  constructor(limit: number) {
    super(`Server capacity reached: ${limit} sessions are open. Try again later.`)
    this.name = 'SessionCapacityError'
  }
}
