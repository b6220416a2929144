import { setTimeout as later, setImmediate } from 'node:timers/promises'
import { type CancelSignal, unlessAborted } from '../../base/cancellation.ts'
import { turnHolderOf } from '../../base/holders.ts'
import { FairQueue, type WorkOwner } from '../../fairness/fair-queue.ts'
import { timed } from '../../load/thread-ms.ts'
import type { ShownAnswer, WrittenAnswer } from '../../results/write-answer.ts'
import type { JobName, Jobs } from '../../workers/jobs.ts'
import { lineFault, WorkerLine } from '../../workers/line.ts'
import type { JobError } from '../../workers/thread.ts'
import type { ReadAnswer } from '../answers/answer-text.ts'
import { cancelled, ForgeError } from '../errors.ts'
import { CallerGates } from '../guard/caller-gates.ts'
import { Gate, type Stage } from '../guard/gate.ts'
import { As, Turns } from '../guard/turns.ts'
import { isOperators, type Whose } from '../guard/whose.ts'
import { ArrivedAnswers } from './arrived-answers.ts'
import { type PieceHolder, PieceTurns } from './piece-turns.ts'
import { type LendableTurns, SlowArrivals } from './slow-arrivals.ts'
import { UnpackTurns } from './unpack-turns.ts'

/*
 * Large answers. One costs tens of milliseconds and several times its size in memory, so a caller with a forge that
 * sends nothing else would delay everybody. They are collected a few at a time, one for each caller, and parsed in a
 * worker. The calls then process them one after another: callers take turns, and after each answer there is a pause as
 * long as its processing took. For streams, pieces take turns (piece-turns.ts); for answers that are not large, see
 * arrived-answers.ts.
 */

const all = { limit: 4, queue: 1_024, waitMs: 30_000, shared: true }
const ofCaller = { ...all, limit: 1, shared: false }
/**
 * Limit for one caller address at callers' forges, of which it may name any number: two answers of one forge, and one
 * more.
 */
const ofAddress = { ...all, limit: 3 }

/** Whose answer it is, what gives it up wherever it waits, and what counts its memory. */
export interface AnswerOwner extends WorkOwner {
  /**
   * Changes the bytes that the answer is counted with; negative for fewer.
   * @throws ForgeError too-large if it cannot be kept
   */
  grow(bytes: number): void
}

// Not `busy`: the request was sent, and may have changed something.
const tooMany = () =>
  new ForgeError(
    'too-large',
    'The forge’s answer is a large one, and too many of those are being read. Ask for less, or again later.'
  )

/**
 * An answer of the maximum size and number of values is read in a tenth of `budgetMs`. No more answers are read or wait
 * for it than may be collected.
 */
const reading = { budgetMs: 15_000, all: 1_024, caller: 1_024 }

const unreadable = (cause: JobError) =>
  new ForgeError('too-large', 'The forge’s answer takes too much to be looked through. Ask for less of it.', {
    cause
  })

/** How long the rest of a large answer may take, in milliseconds: turns are few, and a slow forge would keep one. */
const COLLECT_MS = 15_000

/**
 * Names the holder of pieces. Each share rests by itself, so that one with expensive logs makes no other wait. At the
 * operator's forge all of an address rest together, because anybody can have any number of tokens.
 */
function ofPieces(whose: Whose): PieceHolder {
  const from = turnHolderOf(whose)
  const { holder } = whose
  if (isOperators(whose)) return { pool: 'own', from, holder, share: from }
  return { pool: 'foreign', from, holder, share: `${from} at ${holder}` }
}

/** The turns that a large answer needs. */
export interface LargeTurns {
  /** The turns of its caller and, at callers' forges, of the caller's address. */
  readonly own: Stage
  /** The turn that all callers share. */
  readonly shared: LendableTurns
  /**
   * The shared turn for an answer that has lost it before: an answer that holds memory must not wait behind all those
   * that hold hardly any.
   */
  readonly again: LendableTurns
  /** Takes the shared turn away from slow answers of callers' forges. Answers of the operator's forge keep theirs. */
  readonly slow: SlowArrivals | undefined
}

/** Decides who may collect a large answer, and when it is read. Shared by all callers. */
export class LargeAnswers {
  readonly collectMs: number
  readonly unpacking = new UnpackTurns()
  readonly arrived = new ArrivedAnswers()
  readonly #callers = new CallerGates(ofCaller, tooMany)
  /** The operator's own forge serves everybody, so its answers do not queue behind those of callers' forges. */
  readonly #own = new Gate(all, tooMany)
  readonly #foreign = new Gate(all, tooMany)
  readonly #addresses = new CallerGates(ofAddress, tooMany)
  readonly #slow = new SlowArrivals(this.#foreign, all.limit)
  readonly #pieces = new PieceTurns()
  readonly #line = new WorkerLine(reading)
  /** The queue is bounded by the answers that it works on. */
  readonly #works = new FairQueue({ all: Number.POSITIVE_INFINITY, caller: Number.POSITIVE_INFINITY })

  /** @param collectMs from the turn to the last byte, in milliseconds */
  constructor(collectMs = COLLECT_MS) {
    this.collectMs = collectMs
  }

  /**
   * The turns of a caller. They are shared among holders: at the operator's forge these are caller addresses, as
   * anybody can make up callers; at any other forge they are addresses of forges.
   */
  turnsOf(whose: Whose): LargeTurns {
    const { caller, from = caller, holder } = whose
    if (isOperators(whose)) {
      const shared = new As(from, this.#own)
      return { own: this.#callers, shared, again: shared, slow: undefined }
    }
    const own = new Turns(this.#callers, new As(from, this.#addresses, holder))
    const slow = this.#slow
    return { own, shared: slow.turnsOf(holder, from), again: slow.turnsOf(`again ${holder}`, from), slow }
  }

  /**
   * Waits for the turn of one piece of a stream. Addresses of callers take turns, and within each address its callers
   * or, at callers' forges, these forges. So whoever reads hundreds of streams delays only themselves.
   */
  piece(whose: Whose): Promise<void> {
    return this.#pieces.next(ofPieces(whose))
  }

  /** Whether the holder's pieces have taken so long that the next one has to wait. */
  isResting(whose: Whose): boolean {
    return this.#pieces.isResting(ofPieces(whose))
  }

  /** Measures the processing of a piece or a part of it, which is charged to its holder. @returns as `timed` */
  timed(whose: Whose): () => void {
    return timed(ms => this.#pieces.took(ofPieces(whose), ms))
  }

  /**
   * Processes what a stream has delivered, in the turn of a piece.
   * @param signal drops the work, with what it holds, while it waits
   * @throws ForgeError cancelled, and what `work` throws
   */
  async stretch<T>(whose: Whose, work: () => T, signal?: CancelSignal): Promise<T> {
    await unlessAborted(this.piece(whose), signal, cancelled)
    this.timed(whose)
    return work()
  }

  /**
   * Reads an answer off the event loop. The promise resolves when it is this answer's turn to be used, after those
   * before it. While it waits for that, it is counted with the memory of its value. Its bytes must not be used
   * afterwards.
   * @throws ForgeError too-large or cancelled
   */
  async read(bytes: Buffer, owner: AnswerOwner): Promise<ReadAnswer> {
    const { length } = bytes
    const answer = await this.#do('readAnswerText', bytes, bytes, owner)
    if (answer.fault === undefined) owner.grow(answer.weight - length)
    return this.paced(owner, () => answer)
  }

  /** Like `read`, and also formats what is shown of it. @throws as `read` */
  async write(shown: ShownAnswer, owner: WorkOwner): Promise<WrittenAnswer> {
    return this.#do('writeAnswer', shown, shown.bytes, owner)
  }

  #do<Name extends JobName>(
    name: Name,
    input: Parameters<Jobs[Name]>[0],
    { buffer, byteLength }: Uint8Array,
    owner: WorkOwner
  ): Promise<ReturnType<Jobs[Name]>> {
    const isOwn = buffer.byteLength === byteLength && buffer instanceof ArrayBuffer
    return this.#line.run(name, input, owner, isOwn ? [buffer] : []).catch(error => {
      throw lineFault(error, { full: tooMany, cancelled, failed: unreadable })
    })
  }

  async close(): Promise<void> {
    await this.#line.close()
  }

  /**
   * Runs work in a turn of its owner, one piece after another, each followed by a pause as long as it took. The owner's
   * signal drops the work, with what it holds, while it waits.
   * @throws ForgeError cancelled, and what `work` throws
   */
  paced<T>(owner: WorkOwner, work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const inTurn = async () => {
        const started = performance.now()
        try {
          resolve(work())
        } catch (error) {
          reject(error)
        }
        // Code that awaits the work continues before the next turn of the event loop; its time counts too.
        await setImmediate()
        await later(performance.now() - started)
      }
      this.#works.run(owner, inTurn).catch(() => reject(cancelled()))
    })
  }
}
