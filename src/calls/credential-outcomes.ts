import type { TriedTokens } from '../edge/callers/tried-tokens.ts'
import type { Exchange } from '../protocol/exchange/exchange.ts'
import { type Credential, principalAt } from '../session/credential.ts'
import type { Session, SessionStore } from '../session/store.ts'
import type { Forges } from '../upstream/forges.ts'
import type { AuditLine } from './audit.ts'
import { askUser, type CallerNames } from './caller-names.ts'
import type { ToolCallParts } from './tool-calls.ts'

interface CredentialOutcomesParts {
  /** FORGE_API_URL, normalized. */
  readonly home: string
  /**
   * Whether the operator lists the forges that callers may name. Otherwise anybody can run a forge that accepts any
   * token.
   */
  readonly areOperators: boolean
  readonly forges: Pick<Forges, 'lease'>
  readonly sessions: Pick<SessionStore, 'vouch'>
  /** Undefined if names are not wanted. */
  readonly names: CallerNames | undefined
  /** Undefined if credentials are checked before calls, or are the operator's. */
  readonly tried: TriedTokens | undefined
  /** Called once a caller's name is known. */
  readonly onNamed: (named: { principal: string; user: string; upstream: string }) => void
  /** Called when a forge itself has refused a credential, even one that it accepted before. */
  readonly onRefused: (credential: Credential) => void
}

/**
 * Applies what the end of a call says about its credential: which forge vouches for it, whose it is, and whether it is
 * refused.
 */
export class CredentialOutcomes implements Pick<ToolCallParts, 'onServed' | 'onForbidden' | 'onDenied'> {
  readonly #parts: CredentialOutcomesParts

  constructor(parts: CredentialOutcomesParts) {
    this.#parts = parts
  }

  /** @param caller the principal of the call's credential */
  onServed(caller: string, exchange: Exchange): void {
    const { session, storedAs } = exchange
    const vouches = this.#vouches(session)
    if (storedAs !== undefined) this.#parts.sessions.vouch(storedAs, caller, vouches)
    if (!vouches) return
    this.#parts.tried?.taken(principalAt(session))
    this.#learnName(caller, exchange)
  }

  /** A 403 proves too little to vouch for a token: a forge may also send it because of an address. */
  onForbidden(caller: string, exchange: Exchange): void {
    if (this.#vouches(exchange.session)) this.#learnName(caller, exchange)
  }

  /**
   * Applies to any forge: the operator's forge has more than one spelling, and a caller whose tokens other forges
   * refuse is no better.
   * @param byPage whether a proxy in front of the forge refused the token
   */
  onDenied({ from, session }: Exchange, byPage: boolean): void {
    // Also for a token that was accepted before: most refused tokens have expired or were revoked.
    if (!byPage) this.#parts.onRefused(session.credential)
    if (from !== undefined) this.#parts.tried?.failed(principalAt(session), from, byPage)
  }

  /** The name of a session's caller at its forge, once it is known. */
  userOf(session: Session): string | undefined {
    return this.#parts.names?.nameOf(principalAt(session))
  }

  #vouches({ apiUrl }: Session): boolean {
    return apiUrl === undefined || this.#parts.areOperators
  }

  #learnName(caller: string, { from, holder, session }: Exchange): void {
    const { forges, home, names, onNamed } = this.#parts
    names?.learn(
      principalAt(session),
      holder,
      () => askUser(forges, session, { caller, from }),
      user => onNamed({ principal: caller, user, upstream: new URL(session.apiUrl ?? home).host })
    )
  }
}

/**
 * Writes the audit lines of calls. Anybody can make up tokens, and make calls with them that never reach a forge. The
 * lines of such calls must not displace the lines of others.
 * @param tried as in CredentialOutcomesParts
 * @param write writes a line
 * @param addOfStranger takes a line that may be left out
 * @returns a function (line, sent, session) that passes each line to one of these
 */
export const lineOfCall =
  (
    tried: Pick<TriedTokens, 'wasTaken'> | undefined,
    write: (line: AuditLine) => void,
    addOfStranger: (line: AuditLine) => void
  ): ToolCallParts['onLine'] =>
  (line, sent, session) =>
    sent || tried === undefined || tried.wasTaken(principalAt(session)) ? write(line) : addOfStranger(line)
