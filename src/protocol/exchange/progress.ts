import { notificationText, type RequestId } from '../messages/jsonrpc.ts'

/** Milliseconds after which a call is reported as running, and the interval at which that is repeated. */
const FIRST_MS = 1_000
const EVERY_MS = 5_000

/**
 * Shortest time between two messages, in milliseconds: progress that a tool reports earlier goes into the next message.
 */
const APART_MS = 40

/** Most messages of one call: more are of no use, and each wakes the client. */
const MAX_MESSAGES = 500

/** Smallest step by which the reported value grows. */
const STEP = 0.001

/** Sends a message about a call's progress. */
type Notify = (message: string) => void

/**
 * Reports the progress of a running call to a client that asked for it (`_meta.progressToken`). It passes on the tool's
 * reports. From the first second on it also reports that the call is still running, so that clients do not give up.
 */
export class Progress {
  readonly #token: RequestId
  readonly #notify: Notify
  readonly #turn: (() => Promise<void>) | undefined
  #last = -STEP
  #sentAt = Number.NEGATIVE_INFINITY
  #left = MAX_MESSAGES
  #message: string | undefined
  #done: number | undefined
  #total: number | undefined
  #byTool = false
  #timer: NodeJS.Timeout

  /**
   * @param token the client's token, which every message repeats
   * @param turn resolves when a message that the tool did not report may be sent. Calls that began together reach that
   * point at the same time. If it is omitted, such messages are sent at once
   */
  constructor(token: RequestId, notify: Notify, turn?: () => Promise<void>) {
    this.#token = token
    this.#notify = notify
    this.#turn = turn
    this.#timer = this.#later(FIRST_MS)
  }

  /**
   * Reports progress of the tool.
   * @param done amount in a unit of the tool's choice
   * @param total in the same unit, if it is known
   */
  report(message: string, done?: number, total?: number): void {
    this.#byTool = true
    this.#set(message, done, total)
    if (performance.now() - this.#sentAt >= APART_MS) this.#send()
  }

  /**
   * Sets a message about the call from outside the tool. It is sent with the next sign of life, unless the tool has a
   * message of its own.
   */
  observe(message: string, done: number): void {
    if (!this.#byTool) this.#set(message, done, undefined)
  }

  /** Stops sending messages, because the call is over. */
  end(): void {
    clearTimeout(this.#timer)
    this.#left = 0
  }

  #set(message: string, done: number | undefined, total: number | undefined): void {
    this.#message = message
    this.#done = done
    this.#total = total
  }

  #later(ms: number): NodeJS.Timeout {
    return setTimeout(async () => {
      this.#timer = this.#later(EVERY_MS)
      await this.#turn?.()
      this.#send()
    }, ms).unref()
  }

  #send(): void {
    if (this.#left-- <= 0) return
    this.#sentAt = performance.now()
    // Each value must be larger than the last (MCP, progress), even if a tool starts counting again.
    const next = this.#last + STEP
    this.#last = this.#done !== undefined && this.#done >= next ? this.#done : next
    const progress = Number(this.#last.toFixed(3))
    const params = {
      progressToken: this.#token,
      progress,
      ...(this.#total !== undefined && this.#total >= progress && { total: this.#total }),
      message: this.#message ?? 'The call is under way.'
    }
    this.#notify(notificationText('notifications/progress', params))
  }
}
