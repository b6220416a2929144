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
  /** @throws ForgeStatusError for a status outside 2xx, ForgeError when there is no usable answer */
  send(request: ForgeRequest): Promise<ForgeAnswer>
  /** Runs a constant document; gives `data`. @throws ForgeError graphql on top-level errors */
  graphql(document: string, variables: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>
  /**
   * Reads an answer as it arrives, no faster than `read` takes it. It ends when `read` returns, whether it was read to
   * the end or not. Redirects to another host are followed, without the credential.
   * @throws as `send`, and what `read` throws
   */
  stream<T>(request: StreamRequest, read: (answer: StreamAnswer) => Promise<T>): Promise<T>
  /**
   * To be called by a tool that makes much of answers and keeps it until the call is over (of texts: keepMade). The answers themselves
   * count already, and so does what the reader of a stream keeps.
   * @param size characters or bytes that are kept in addition
   * @throws ForgeError too-large if too much is kept for this caller
   */
  keep(size: number): void
  /**
   * Runs work on the answers, of a few milliseconds at most. After a large answer or a stream it waits for its turn.
   */
  paced<T>(work: () => T): T | Promise<T>
  /**
   * Waits for something that is not of the forge: no longer than there is room for the answers that are kept meanwhile.
   * @param wait is given what ends it then, and when the caller has gone
   * @throws ForgeError too-large, and what `wait` fails with
   */
  waits<T>(wait: (signal: CancelSignal) => Promise<T>): Promise<T>
}
