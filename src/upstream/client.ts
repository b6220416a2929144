import type { CancelSignal } from '../base/cancellation.ts'
import type { StreamAnswer, StreamRequest } from './answers/stream.ts'
import type { ReplyHeaders } from './connections/reply-headers.ts'
import type { ForgeRequest } from './request.ts'

export interface ForgeAnswer {
  readonly status: number
  readonly headers: ReplyHeaders
  /** Parsed JSON; undefined when the forge sent no body. */
  readonly value: unknown
  /** Length of that JSON in characters, to which its memory is proportional. */
  readonly size: number
}

/** What a tool may do with the forge: requests in one caller's name. */
export interface ForgeClient {
  /** Where people see the forge: its web address without a slash at the end. */
  readonly webUrl: string
  /** Whether anything that changes the forge may have reached it. */
  readonly wrote: boolean
  /** Whether the forge has answered anything. */
  readonly answered: boolean
  /** Whether the credential is the token of a CI job, of which the forge does not say whose it is. */
  readonly isOfJob: boolean
  /** @throws ForgeStatusError for a status outside 2xx, ForgeError when there is no usable answer */
  send(request: ForgeRequest): Promise<ForgeAnswer>
  /** Runs a constant document. @returns its `data` @throws ForgeError graphql on top-level errors */
  graphql(document: string, variables: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>
  /**
   * Reads an answer as it arrives, no faster than `read` takes it. It ends when `read` returns, whether it was read to
   * the end or not. Redirects to another host are followed, without the credential.
   * @throws as `send`, and what `read` throws
   */
  stream<T>(request: StreamRequest, read: (answer: StreamAnswer) => Promise<T>): Promise<T>
  /**
   * Counts what a tool makes of answers and keeps until the call is over. To be called if that is much (for texts see
   * keepMade). The answers themselves count already, and so does what the reader of a stream keeps.
   * @param size characters or bytes that are kept in addition
   * @throws ForgeError too-large if too much is kept for this caller
   */
  keep(size: number): void
  /**
   * Runs work on the answers, of a few milliseconds at most. After a large answer or a stream it waits for its turn.
   */
  paced<T>(work: () => T): T | Promise<T>
  /**
   * Waits for something other than the forge, but no longer than there is room for the answers that are kept meanwhile.
   * @param wait gets a signal that aborts when there is no such room, and when the caller has gone
   * @throws ForgeError too-large, and what `wait` fails with
   */
  waits<T>(wait: (signal: CancelSignal) => Promise<T>): Promise<T>
}
