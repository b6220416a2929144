import { hash } from 'node:crypto'
import { Type } from 'typebox'
import type { Question, Replies } from '../../engine/consent/question.ts'
import { isLongerThan } from '../../json/size.ts'
import { isRecord } from '../../results/is-record.ts'
import { OverlongValueError, prefixOf } from '../../seal/kind.ts'
import type { Sealed } from '../../seal/sealed.ts'
import type { Sealer } from '../../seal/sealer.ts'
import { SpentIds } from '../../session/spent-ids.ts'
import type { Agreement } from '../../session/store.ts'
import { code, plainError } from '../messages/jsonrpc.ts'
import type { AskingCall } from './asker.ts'

/** Longest state, in characters: it travels in a body, together with earlier answers. */
const MAX_CHARS = 16_384

/**
 * Longest arguments about which a person is asked, in characters. Computing a digest of four times as many would delay
 * all others.
 */
const MAX_ARGUMENTS = 1_048_576

/**
 * Seconds that a question may be answered. A person may be away for some minutes; after that the person should decide
 * anew.
 */
export const ANSWER_SECONDS = 600

/** The content of a state. The names have one letter, because a state is sent twice. */
const fields = {
  c: Type.String({ maxLength: 43, description: 'digest of the call that it is good for' }),
  q: Type.Record(Type.String(), Type.String(), { description: 'digests of the questions, by name' }),
  a: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'earlier answers' })),
  s: Type.Optional(Type.String({ maxLength: 43, description: 'digest of the session that is asked' }))
}

/** A state that a client has sent back. */
export interface RequestState {
  /** Digests of the questions, by name. */
  readonly asked: Readonly<Record<string, string>>
  /** Answers of earlier rounds. */
  readonly replies: Replies
}

/**
 * Seals the state of a call that waits for its client's answers. The client keeps the state (MCP 2026-07-28,
 * multi-round-trip requests). A state is valid only for the same caller, tool, arguments and forge, and for ten
 * minutes. Within that time it can be used again, because replicas do not know of each other's use.
 */
export class RequestStates {
  readonly #states: Sealed<typeof fields>
  readonly #now: () => number
  /** Questions that were answered at this replica. */
  readonly #answered: SpentIds
  /** Agreements that were used at this replica, by their questions. */
  readonly #used: SpentIds

  /** @param now clock in milliseconds */
  constructor(sealer: Sealer, now: () => number) {
    this.#states = sealer.sealed({ purpose: 'ask', fields, maxChars: MAX_CHARS, ttlSeconds: ANSWER_SECONDS })
    this.#now = now
    this.#answered = new SpentIds(ANSWER_SECONDS * 1000, now)
    this.#used = new SpentIds(ANSWER_SECONDS * 1000, now)
  }

  /** @throws ProtocolError if the client's answers are too long to be carried along */
  seal(call: AskingCall, asked: RequestState['asked'], replies: Replies): string {
    try {
      const earlier = Object.keys(replies).length === 0 ? {} : { a: { ...replies } }
      return this.#states.seal({ c: digestOfCall(call), q: { ...asked }, ...earlier })
    } catch (error) {
      if (!(error instanceof OverlongValueError)) throw error
      throw plainError(code.invalidParams, 'The answers in inputResponses are too long.')
    }
  }

  /**
   * Seals the state of one question, which is used as its id in the initialize era: so the answer itself says which
   * question it belongs to.
   * @param sessionKey of the session whose client is asked
   */
  sealOne(call: AskingCall, name: string, question: Question, sessionKey: string): string {
    const asked = { [name]: digestOf(question) }
    return this.#states.seal({ c: digestOfCall(call), q: asked, s: digestOf(sessionKey) })
  }

  /** @throws ProtocolError for a state that has expired, or that this service did not make for exactly this call */
  open(value: unknown, call: AskingCall): RequestState {
    const opened = this.#states.open(value)
    if (opened === undefined || opened.c !== digestOfCall(call))
      throw plainError(
        code.invalidParams,
        'requestState is not of this call, or too old: leave it and inputResponses out, to be asked anew.'
      )
    return { asked: opened.q, replies: (opened.a ?? {}) as Replies }
  }

  /**
   * Whether an id has the form of a question's id, whether or not it is still valid, and whichever replica it is from.
   */
  isOfQuestion(id: unknown): boolean {
    return typeof id === 'string' && id.startsWith(prefixOf('ask'))
  }

  /**
   * Returns the agreement that a yes to the question with that id expresses.
   * @param sessionKey of the session that the answer belongs to
   * @returns undefined if the id is invalid or expired, or another session was asked
   */
  agreement(id: unknown, name: string, sessionKey: string | undefined): Agreement | undefined {
    const opened = typeof id === 'string' ? this.#states.open(id) : undefined
    const question = opened?.q[name]
    if (opened === undefined || question === undefined) return undefined
    if (sessionKey === undefined || opened.s !== digestOf(sessionKey)) return undefined
    return {
      to: digestOf([opened.c, question]),
      by: digestOf(id),
      until: opened.iat + ANSWER_SECONDS * 1000
    }
  }

  /**
   * Records that the question with an id is answered.
   * @param from the address that the answer came from, as returned by holderOf
   * @returns false if it was already answered at this replica
   */
  spend(id: unknown, from: string): boolean {
    return this.#answered.add(digestOf(id), from)
  }

  /**
   * Uses an agreement up, if it is for this call and question and still valid. Calls that run at the same time, and
   * earlier ids of a sealed session, each hold a copy of the agreement; only one of the copies can be used.
   * @param from the address that the call came from, as returned by holderOf
   * @returns false if the agreement is not valid for the call, or was already used at this replica
   */
  use({ to, by, until }: Agreement, call: AskingCall, question: Question, from: string): boolean {
    const isFor = this.#now() <= until && to === digestOf([digestOfCall(call), digestOf(question)])
    return isFor && this.#used.add(by, from)
  }
}

/**
 * A digest of a call.
 * @throws ProtocolError if the arguments are too long
 */
function digestOfCall({ caller, tool, args, forge }: AskingCall): string {
  if (isLongerThan(args ?? {}, MAX_ARGUMENTS))
    throw plainError(
      code.invalidParams,
      `Nobody can be asked about more than ${MAX_ARGUMENTS} characters of arguments. Nothing was done: do it in several calls.`
    )
  return digestOf([caller, tool, forge, args ?? {}])
}

/** A digest of a JSON value, independent of the order of names. */
export const digestOf = (value: unknown): string =>
  hash('sha256', JSON.stringify(value, inOrder), 'base64url')

const inOrder = (_name: string, value: unknown): unknown =>
  isRecord(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value
