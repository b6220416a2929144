import { CancelledError, type CancelSignal, onAbort } from '../../base/cancellation.ts'
import { type RoomPlace, SharedRoom } from '../../collections/shared-room.ts'
import {
  type ClientReply,
  type Question,
  type Questions,
  type Replies,
  Unanswered
} from '../../engine/consent/question.ts'
import { FairTurns } from '../../fairness/fair-turns.ts'
import { turnShares } from '../../fairness/turn-shares.ts'
import { isRecord } from '../../results/is-record.ts'
import { type IncomingResponse, notificationText, requestText } from '../messages/jsonrpc.ts'

interface QuestionLimits {
  /** Most calls of one caller that wait at once. */
  readonly perCaller: number
  /**
   * Most waiting calls of one session. Its person sees all their questions, and anybody who has the session's id can
   * make up callers until they are served.
   */
  readonly perSession: number
  /** Most calls of all callers that wait at once. */
  readonly inAll: number
  /** Milliseconds that a person has to answer. */
  readonly waitMs: number
}

/**
 * Two minutes: most clients give up a call after one minute, unless progress messages make them wait longer. The work
 * after the answer has deadlines of its own, because no request of the call runs while it waits.
 */
const questionLimits: QuestionLimits = { perCaller: 4, perSession: 16, inAll: 1_000, waitMs: 120_000 }

/** Where the questions of one call are sent, and what ends the wait for their answers. */
interface QuestionRoute {
  /** Identifies the caller. */
  readonly caller: string
  /** The holder of the caller's address, at which anybody can make up callers (base/holders.ts). */
  readonly from: string
  /** The session whose client answers. */
  readonly sessionKey: string
  /** Returns an id for a question that nobody can guess. */
  readonly idOf: (name: string, question: Question) => string
  readonly notify: (message: string) => void
  readonly signal: CancelSignal | undefined
}

/**
 * The questions of the initialize era, sent as requests on the stream of the call that asks. The answers arrive in
 * separate POST requests, and reach the call only on the replica where it waits. There is always room for one more
 * call: the oldest call of the caller or of the session is ended for it or, if the total is used up, that of the
 * address with the most.
 */
export class WaitingQuestions {
  readonly #limits: QuestionLimits
  readonly #callers: SharedRoom
  readonly #sessions: SharedRoom
  readonly #addresses: SharedRoom
  /** The call that waits for the answer to each question, by the question's id. */
  readonly #open = new Map<string, WaitingCall>()
  readonly #calls = new Set<WaitingCall>()
  readonly #resumed = new FairTurns(turnShares.resumed)
  #closed = false

  constructor(limits: QuestionLimits = questionLimits) {
    this.#limits = limits
    this.#callers = new SharedRoom({ each: limits.perCaller })
    this.#sessions = new SharedRoom({ each: limits.perSession })
    this.#addresses = new SharedRoom({ all: limits.inAll })
  }

  /** Number of calls that wait. */
  get size(): number {
    return this.#addresses.size
  }

  /**
   * Sends questions to a client, and waits for all answers.
   * @throws Unanswered, CancelledError, and whatever `idOf` throws
   */
  async put(questions: Questions, route: QuestionRoute): Promise<Replies> {
    if (this.#closed) return Promise.reject(new Unanswered(leaving))
    if (route.signal?.aborted) return Promise.reject(new CancelledError())
    // Done before anything waits, because it may throw.
    const named = Object.entries(questions).map(
      ([name, question]) => [route.idOf(name, question), name] as const
    )
    return new Promise((resolve, reject) => {
      const call = new WaitingCall(named, route, {
        resolve,
        reject,
        answered: id => this.#open.delete(id),
        over: () => this.#calls.delete(call)
      })
      call.wait(this.#limits.waitMs)
      call.hold(this.#placesOf(call, route))
      this.#calls.add(call)
      for (const [id, name] of named) {
        const question = questions[name]!
        this.#open.set(id, call)
        route.notify(requestText(id, question.method, question.params))
      }
    })
  }

  #placesOf(call: WaitingCall, { caller, from, sessionKey }: QuestionRoute): readonly RoomPlace[] {
    const { perCaller, perSession } = this.#limits
    return [
      this.#callers.take(caller, 1, () => call.giveUp(displaced('caller', perCaller))),
      this.#sessions.take(sessionKey, 1, () => call.giveUp(displaced('session', perSession))),
      this.#addresses.take(from, 1, () => call.giveUp(crowded))
    ]
  }

  /**
   * Passes an answer to the call of that session that waits for it here.
   * @returns whether such a call was found
   */
  take(sessionKey: string | undefined, response: IncomingResponse): boolean {
    const call = typeof response.id === 'string' ? this.#open.get(response.id) : undefined
    if (call === undefined || call.sessionKey !== sessionKey) return false
    call.take(response.id as string, response)
    return true
  }

  /**
   * Notes that an answer of that session came under an id that no question has: it may have been meant for one of
   * these.
   */
  strayed(sessionKey: string | undefined): void {
    for (const call of this.#calls) if (call.sessionKey === sessionKey) call.strayed = true
  }

  /** Ends the waits of a session that is over, in turns of the event loop: its client will not answer. */
  endOf(sessionKey: string): void {
    for (const call of this.#calls)
      if (call.sessionKey === sessionKey)
        this.#resumed.run(call.from, () => this.#calls.has(call) && call.giveUp(ended))
  }

  /** Ends all waits, and from then on each new one at once, because the service shuts down. */
  close(): void {
    this.#closed = true
    for (const call of [...this.#calls]) call.giveUp(leaving)
  }
}

/** What becomes of a waiting call. */
interface WaitEnds {
  readonly resolve: (replies: Replies) => void
  readonly reject: (error: Error) => void
  /** Called once a question is answered, or given up. */
  readonly answered: (id: string) => void
  /** Called once the call waits no longer. */
  readonly over: () => void
}

/** A call that waits for answers, until all of its questions have one. */
class WaitingCall {
  readonly sessionKey: string
  readonly from: string
  /** Whether its session has meanwhile sent an answer under an id that no question has. */
  strayed = false
  readonly #route: QuestionRoute
  readonly #ends: WaitEnds
  /** The names of questions that have no answer yet, by their ids. */
  readonly #names: Map<string, string>
  readonly #replies: Record<string, ClientReply> = {}
  #places: readonly RoomPlace[] = []
  #timer: NodeJS.Timeout | undefined
  #forget = () => {}

  /** @param named the id and name of each question */
  constructor(named: readonly (readonly [id: string, name: string])[], route: QuestionRoute, ends: WaitEnds) {
    this.sessionKey = route.sessionKey
    this.from = route.from
    this.#route = route
    this.#ends = ends
    this.#names = new Map(named)
  }

  /** Begins to wait, for so many milliseconds at most. */
  wait(ms: number): void {
    this.#timer = setTimeout(() => this.giveUp(tooLate(ms, this.strayed)), ms).unref()
    this.#forget = onAbort(this.#route.signal, () => this.#fail(new CancelledError()))
  }

  /** @param places given back when the wait is over */
  hold(places: readonly RoomPlace[]): void {
    this.#places = places
  }

  /** Takes the answer to a question. */
  take(id: string, { result, error }: IncomingResponse): void {
    const name = this.#names.get(id)!
    // The question is answered, whatever the answer says: only open questions can be cancelled.
    this.#names.delete(id)
    this.#ends.answered(id)
    // JSON-RPC 2.0, section 5: an answer has either a result or an error. An answer that reports an error is no consent.
    if (hasError(error) || !isRecord(result)) {
      this.giveUp(refused(error))
      return
    }
    this.#replies[name] = result
    if (this.#names.size > 0) return
    this.#over()
    this.#ends.resolve(this.#replies)
  }

  giveUp(why: string): void {
    this.#fail(new Unanswered(why))
  }

  #fail(error: Error): void {
    this.#over()
    // Otherwise a form would stay on a person's screen although no call waits for it.
    for (const requestId of this.#names.keys())
      this.#route.notify(notificationText('notifications/cancelled', { requestId, reason: error.message }))
    this.#ends.reject(error)
  }

  #over(): void {
    clearTimeout(this.#timer)
    this.#forget()
    for (const place of this.#places) place.leave()
    this.#ends.over()
    for (const id of this.#names.keys()) this.#ends.answered(id)
  }
}

const leaving = 'The server is shutting down and can ask nobody: repeat the call later.'
const ended = 'The session was ended before anybody answered: repeat the call in a new one.'
const tooLate = (ms: number, strayed: boolean) =>
  strayed
    ? `Nobody answered within ${ms / 1000} seconds, but an answer came under an id that no question has: the client has to send back the id of the request that asks, as it is.`
    : `Nobody answered within ${ms / 1000} seconds. Repeat the call once a person has agreed.`
const crowded =
  'Too many calls here wait for an answer, most of them from this address: repeat the call later.'
const displaced = (whose: 'caller' | 'session', most: number) =>
  `A newer question took its place: a ${whose} has ${most} open at once.`

/** Whether an answer reports an error: some libraries send `"error": null` beside each result. */
const hasError = (error: unknown): boolean => error !== undefined && error !== null

/** @param error as the client sent it */
function refused(error: unknown): string {
  if (isRecord(error) && typeof error.message === 'string')
    return `The client did not ask: ${JSON.stringify(error.message.slice(0, 200))}.`
  return hasError(error)
    ? 'The client did not ask: its answer has an error.'
    : 'The client did not ask, or its answer has no result that is an object.'
}
