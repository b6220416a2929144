import { notificationText, type RequestId } from '../messages/jsonrpc.ts'

/** Time in milliseconds after which a call is reported as running, and the interval at which that is repeated. */
const FIRST_MS = 1_000
const EVERY_MS = 5_000

/** Shortest time between two messages: what a tool reports earlier goes into the next one. */
const APART_MS = 40

/** Most messages of one call: more are of no use, and each wakes the client. */
const MAX_MESSAGES = 500

/** Smallest amount by which a value grows. */
const STEP = 0.001

/** Sends the messages about a call's progress. */
type Notify = (message: string) => void

/**
 * Reports the progress of a running call to a client that asked for it (`_meta.progressToken`): what the tool reports,
 * and from the first second on that the call is still running, so that clients do not give up.
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
   * @param token the client's, which every message repeats
   * @param turn resolves when a message may be made that the tool has not reported: calls that began together come to it
   * at the same time; without it that is at once
   */
  constructor(token: RequestId, notify: Notify, turn?: () => Promise<void>) {
    this.#token = token
    this.#notify = notify
    this.#turn = turn
    this.#timer = this.#later(FIRST_MS)
  }

  /**
   * Progress that the tool reports.
   * @param done amount in a unit of the tool's choice @param total in the same unit, if it is known
   */
  report(message: string, done?: number, total?: number): void {
    this.#byTool = true
    this.#set(message, done, total)
    if (performance.now() - this.#sentAt >= APART_MS) this.#send()
  }

  /** A message about the call from outside the tool, sent with the next sign of life unless the tool has its own. */
  observe(message: string, done: number): void {
    if (!this.#byTool) this.#set(message, done, undefined)
  }

  /** Ends the messages, as the call is over. */
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
    // Each value must be larger than the last (MCP, progress), even if a tool starts to count again.
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
