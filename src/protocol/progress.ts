import { notificationText, type RequestId } from './jsonrpc.ts'

/** From then on a call that runs is said to run, and how often after that, in milliseconds. */
const FIRST_MS = 1_000
const EVERY_MS = 5_000

/** What a tool reports sooner after the last message than this is kept for the next one. */
const APART_MS = 40

/** Most messages of one call: more help nobody, and each costs the client a wake-up. */
const MAX_MESSAGES = 500

/** What makes a value larger than the last one where nothing is known to have grown. */
const STEP = 0.001

/** Where the messages of a call's progress go. */
type Notify = (message: string) => void

/**
 * Tells a client that asked for it (`_meta.progressToken`) how far its call is, while it runs: what the tool reports,
 * and from the first second on that it still runs, by which clients know not to give up.
 */
export class Progress {
  readonly #token: RequestId
  readonly #notify: Notify
  #last = -STEP
  #sentAt = Number.NEGATIVE_INFINITY
  #left = MAX_MESSAGES
  #message: string | undefined
  #done: number | undefined
  #total: number | undefined
  #byTool = false
  #timer: NodeJS.Timeout

  constructor(token: RequestId, notify: Notify) {
    this.#token = token
    this.#notify = notify
    this.#timer = this.#later(FIRST_MS)
  }

  /**
   * What the tool itself knows.
   * @param done of whatever it counts; @param total of the same, where it is known
   */
  report(message: string, done?: number, total?: number): void {
    this.#byTool = true
    this.#set(message, done, total)
    if (performance.now() - this.#sentAt >= APART_MS) this.#send()
  }

  /** What is seen of the call from outside: said with the next sign of life, unless the tool says something itself. */
  observe(message: string, done: number): void {
    if (!this.#byTool) this.#set(message, done, undefined)
  }

  /** The call is over: its answer says the rest. */
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
    return setTimeout(() => {
      this.#send()
      this.#timer = this.#later(EVERY_MS)
    }, ms).unref()
  }

  #send(): void {
    if (this.#left-- <= 0) return
    this.#sentAt = performance.now()
    // Each value has to be larger than the last (MCP, progress), also when a tool starts to count anew.
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
