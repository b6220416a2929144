import { CancelledError, type CancelSignal, onAbort } from '../cancellation.ts'
import { type Question, type Questions, type Replies, type Reply, Unanswered } from '../engine/question.ts'
import { isRecord } from '../results/is-record.ts'
import { type Place, SharedRoom } from '../shared-room.ts'
import { type IncomingResponse, notificationText, requestText } from './jsonrpc.ts'

export interface QuestionLimits {
  /** Calls of one caller that wait at once. */
  readonly perCaller: number
  /** Calls that wait at once. */
  readonly inAll: number
  /** Milliseconds that a person has. */
  readonly waitMs: number
}

/**
 * Two minutes: most clients give a call up after one, or hear of its progress and go on. What comes after it has its
 * own deadlines, as anything of the call that was sent is over.
 */
const questionLimits: QuestionLimits = { perCaller: 4, inAll: 1_000, waitMs: 120_000 }

/** Where the questions of one call go, and what ends the wait for them. */
export interface QuestionRoute {
  /** What callers are told apart by. */
  readonly caller: string
  /** Where the caller is: of an address anybody makes up callers (edge/address.ts). */
  readonly from: string
  /** The session whose client answers. */
  readonly sessionKey: string
  /** Gives the id of a question: one that nobody can guess. */
  readonly idOf: (name: string, question: Question) => string
  readonly notify: (message: string) => void
  readonly signal: CancelSignal | undefined
}

/** One question that is with a client. */
interface Open {
  readonly sessionKey: string
  readonly answer: (response: IncomingResponse) => void
}

/**
 * The questions of the initialize era, as requests on the stream of the call that asks. The answers come in POSTs of
 * their own, and reach the call where it waits: on this replica. There is always room for one more call, which the
 * caller's oldest makes, and where all is taken the oldest of the address that has the most.
 */
export class WaitingQuestions {
  readonly #limits: QuestionLimits
  readonly #callers: SharedRoom
  readonly #addresses: SharedRoom
  readonly #open = new Map<string, Open>()
  readonly #ends = new Set<(why: string) => void>()
  #closed = false

  constructor(limits: QuestionLimits = questionLimits) {
    this.#limits = limits
    this.#callers = new SharedRoom({ each: limits.perCaller })
    this.#addresses = new SharedRoom({ all: limits.inAll })
  }

  /** Calls that wait. */
  get size(): number {
    return this.#addresses.size
  }

  /** Puts questions to a client, and waits for all answers. @throws Unanswered, CancelledError, what `idOf` throws */
  async put(
    questions: Questions,
    { caller, from, sessionKey, idOf, notify, signal }: QuestionRoute
  ): Promise<Replies> {
    if (this.#closed) return Promise.reject(new Unanswered(leaving))
    if (signal?.aborted) return Promise.reject(new CancelledError())
    // Before anything waits: it may throw.
    const named = Object.entries(questions).map(([name, question]) => [idOf(name, question), name] as const)
    return new Promise((resolve, reject) => {
      const replies: Record<string, Reply> = {}
      const ids = new Map(named)
      const over = () => {
        clearTimeout(timer)
        forget()
        for (const place of places) place.leave()
        this.#ends.delete(giveUp)
        for (const id of ids.keys()) this.#open.delete(id)
      }
      const fail = (error: Error) => {
        over()
        // So that no form stays on a person's screen that nothing waits for.
        for (const requestId of ids.keys())
          notify(notificationText('notifications/cancelled', { requestId, reason: error.message }))
        reject(error)
      }
      const giveUp = (why: string) => fail(new Unanswered(why))
      const answered = (id: string, { result, error }: IncomingResponse) => {
        const name = ids.get(id)!
        // It is answered, whatever was said: only what is still asked can be cancelled.
        ids.delete(id)
        this.#open.delete(id)
        if (!isRecord(result)) return giveUp(refused(error))
        replies[name] = result
        if (ids.size > 0) return
        over()
        resolve(replies)
      }
      const timer = setTimeout(giveUp, this.#limits.waitMs, tooLate(this.#limits.waitMs)).unref()
      const forget = onAbort(signal, () => fail(new CancelledError()))
      const places: Place[] = []
      places.push(
        this.#callers.take(caller, 1, () => giveUp(displaced(this.#limits.perCaller))),
        this.#addresses.take(from, 1, () => giveUp(crowded))
      )
      this.#ends.add(giveUp)
      for (const [id, name] of named) {
        const question = questions[name]!
        this.#open.set(id, { sessionKey, answer: response => answered(id, response) })
        notify(requestText(id, question.method, question.params))
      }
    })
  }

  /** Takes an answer to the call that waits for it, if one of that session does here. @returns whether one did */
  take(sessionKey: string | undefined, response: IncomingResponse): boolean {
    const open = typeof response.id === 'string' ? this.#open.get(response.id) : undefined
    if (open === undefined || open.sessionKey !== sessionKey) return false
    open.answer(response)
    return true
  }

  /** Ends all waits, and from then on each as it begins: the service leaves. */
  close(): void {
    this.#closed = true
    for (const end of [...this.#ends]) end(leaving)
  }
}

const leaving = 'The server is shutting down and can ask nobody: repeat the call later.'
const tooLate = (ms: number) =>
  `Nobody answered within ${ms / 1000} seconds. Repeat the call once a person has agreed.`
const crowded =
  'Too many calls here wait for an answer, most of them from this address: repeat the call later.'
const displaced = (most: number) => `A newer question took its place: a caller has ${most} open at once.`

/** @param error as the client sent it */
function refused(error: unknown): string {
  return isRecord(error) && typeof error.message === 'string'
    ? `The client did not ask: ${JSON.stringify(error.message.slice(0, 200))}.`
    : 'The client did not ask, or its answer has no result that is an object.'
}
