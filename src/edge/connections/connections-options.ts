import type { IncomingMessage } from 'node:http'
import type { HeadRefusal } from '../requests/request-head.ts'
import type { ConnectionLimits, CutReason } from './connection-limits.ts'

/** Whose connections they are, how they are bounded, and what is reported of them. */
export interface ConnectionsOptions {
  /** Whether an address is that of a proxy, which speaks for many callers. */
  readonly isProxy: (address: string) => boolean
  /** The address of the caller. If the connection is a proxy's, the caller is behind it. */
  readonly callerOf: (request: IncomingMessage) => string | undefined
  /** @param address of the caller, as far as it is known */
  readonly onCut?: (reason: CutReason, address: string | undefined) => void
  /**
   * Called when a request is refused because of its head.
   * @param address as in onCut
   */
  readonly onRefused?: (refusal: HeadRefusal, address: string | undefined) => void
  /** Called with an error of our own code at a connection: it ends that connection, but not the process. */
  readonly onFault: (error: unknown) => void
  /** Called once if the kernel does not report its queues of connections, as on systems other than Linux. */
  readonly onBlind?: (error: unknown) => void
  /** Called with the error when the kernel did not report its queues this time. */
  readonly onMissed?: (error: unknown) => void
  /** Clock in milliseconds. */
  readonly now: () => number
  /** Default connectionLimits. */
  readonly limits?: ConnectionLimits
}
