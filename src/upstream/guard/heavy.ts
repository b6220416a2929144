import { setTimeout as later, setImmediate } from 'node:timers/promises'
import { Cancellation, type CancelSignal, onAbort } from '../../cancellation.ts'
import { FairTurns } from '../../edge/fair-turns.ts'
import type { ShownAnswer, WrittenAnswer } from '../../results/write-answer.ts'
import { timed } from '../../thread-ms.ts'
import { FairQueue, type Owner } from '../../workers/fair-queue.ts'
import type { JobName, Jobs } from '../../workers/jobs.ts'
import { lineFault, WorkerLine } from '../../workers/line.ts'
import type { JobError } from '../../workers/thread.ts'
import type { ReadAnswer } from '../answers/answer-text.ts'
import type { ReplyHeaders } from '../answers/flight.ts'
import { UnreadAnswer } from '../answers/unread.ts'
import { cancelled, ForgeError } from '../errors.ts'
import { CallerGates } from './caller-gates.ts'
import { Gate, type Stage } from './gate.ts'
import { PieceTurns } from './piece-turns.ts'
import { As, Turns } from './turns.ts'
import { UnpackTurns } from './unpack-turns.ts'

/*
 * Large answers. One costs tens of milliseconds and several times its size in memory, so a caller with a forge that
 * sends nothing else would hold everybody up. They are collected a few at a time, one of each caller, and read in a
 * worker. What the calls then make of them is done one after another, callers in turns, with a pause as long as it took.
 * What is read as it arrives takes turns by the piece (piece-turns.ts), and of answers that are not large one of a holder goes on in
 * a turn, or a few small ones: a forge may send hundreds of them at once.
 */

/** Beyond this an answer is a large one. Pages of a hundred records are smaller. */
export const HEAVY_BYTES = 256 * 1024

const all = { limit: 4, queue: 1_024, waitMs: 30_000, shared: true }
const ofCaller = { ...all, limit: 1, shared: false }
/** Of those that callers' forges send to one address of callers, who may name any number: two of a forge, and one more. */
const ofAddress = { ...all, limit: 3 }

/** Answers of one holder in a turn of the event loop: what a call makes of one takes milliseconds. */
const ANSWERS = 1
/** The same of small ones, and how large they are: what a call makes of one takes a fraction of one. */
const SMALL_ANSWERS = 8
const SMALL_BYTES = 4 * 1024

// Not `busy`: the request was sent, and what it did is done.
const tooMany = () =>
  new ForgeError(
    'too-large',
    'The forge’s answer is a large one, and too many of those are being read. Ask for less, or again later.'
  )

/** An answer of most bytes and most values is read in a tenth of this; more are not under way than may be collected. */
const reading = { budgetMs: 15_000, all: 1_024, caller: 1_024 }

const unreadable = (cause: JobError) =>
  new ForgeError('too-large', 'The forge’s answer takes too much to be looked through. Ask for less of it.', {
    cause
  })

/** How long the rest of a large answer may take, in milliseconds: turns are few, and a slow forge would keep one. */
const COLLECT_MS = 15_000

/** Whose turns they are: the caller, where it is, and the holder as of AnswerRoom. */
type HolderOfTurns = Omit<Owner, 'signal'> & { readonly holder: string }

const ofPieces = ({ caller, from = caller, holder }: HolderOfTurns): string =>
  holder === caller ? from : holder

/** Who may collect a large answer, and when one is read. Shared by all callers. */
export class HeavyAnswers {
  readonly collectMs: number
  readonly unpacking = new UnpackTurns()
  readonly #callers = new CallerGates(ofCaller, tooMany)
  /** The operator's own forge answers everybody, and is not waited for behind what callers' forges send. */
  readonly #own = new Gate(all, tooMany)
  readonly #foreign = new Gate(all, tooMany)
  readonly #addresses = new CallerGates(ofAddress, tooMany)
  readonly #pieces = new PieceTurns()
  readonly #whole = new FairTurns(ANSWERS)
  readonly #small = new FairTurns(SMALL_ANSWERS)
  readonly #line = new WorkerLine(reading)
  /** What waits is bounded by the answers that it is made of. */
  readonly #works = new FairQueue({ all: Number.POSITIVE_INFINITY, caller: Number.POSITIVE_INFINITY })

  /** @param collectMs from the turn to the last byte, in milliseconds */
  constructor(collectMs = COLLECT_MS) {
    this.collectMs = collectMs
  }

  /**
   * The turns of a caller. Holders leave each other some: at the operator's forge they are addresses of callers, as anybody
   * makes up callers, at any other those of forges.
   * @param holder as of AnswerRoom
   */
  turnsOf({ caller, from = caller, holder }: HolderOfTurns): Stage {
    if (holder === caller) return new Turns(this.#callers, new As(from, this.#own))
    const foreign = new Turns(new As(from, this.#addresses, holder), new As(holder, this.#foreign))
    return new Turns(this.#callers, foreign)
  }

  /** The turn of one piece of a stream. Holders as of `turnsOf`: who reads hundreds of streams waits for itself. */
  piece(whose: HolderOfTurns): Promise<void> {
    return this.#pieces.next(ofPieces(whose))
  }

  /** Times what is made of a piece, or of a part of it, which its holder pays for. @returns as `timed` */
  timed(whose: HolderOfTurns): () => void {
    return timed(ms => this.#pieces.took(ofPieces(whose), ms))
  }

  /** Does what a stream has led to in the turn of a piece. @throws what `work` throws */
  async stretch<T>(whose: HolderOfTurns, work: () => T): Promise<T> {
    await this.piece(whose)
    this.timed(whose)
    return work()
  }

  /** Goes on with an answer of so many bytes that is here, now or in one of the next turns. @param holder as of AnswerRoom */
  arrived(holder: string, bytes: number, goOn: () => void): void {
    const turns = bytes <= SMALL_BYTES ? this.#small : this.#whole
    turns.run(holder, goOn)
  }

  /**
   * Reads an answer off the event loop, and has it used when those before are. Its bytes are not to be used any more.
   * @throws ForgeError too-large or cancelled
   */
  async read(bytes: Buffer, owner: Owner): Promise<ReadAnswer> {
    const answer = await this.#do('readAnswerText', bytes, bytes, owner)
    return this.paced(owner, () => answer)
  }

  /** The same, and writes what is shown of it. @throws as `read` */
  async write(shown: ShownAnswer, owner: Owner): Promise<WrittenAnswer> {
    return this.#do('writeAnswer', shown, shown.bytes, owner)
  }

  #do<Name extends JobName>(
    name: Name,
    input: Parameters<Jobs[Name]>[0],
    { buffer, byteLength }: Uint8Array,
    owner: Owner
  ): Promise<ReturnType<Jobs[Name]>> {
    const isOwn = buffer.byteLength === byteLength && buffer instanceof ArrayBuffer
    return this.#line.run(name, input, owner, isOwn ? [buffer] : []).catch(error => {
      throw lineFault(error, { full: tooMany, cancelled, failed: unreadable })
    })
  }

  async close(): Promise<void> {
    await this.#line.close()
  }

  /** Runs work in a turn of its owner, one piece after another, each paid for with a pause. @throws what `work` throws */
  paced<T>({ caller, from }: Omit<Owner, 'signal'>, work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const inTurn = async () => {
        const started = performance.now()
        try {
          resolve(work())
        } catch (error) {
          reject(error)
        }
        // Whoever waits for the work goes on before the next turn of the event loop; that counts too.
        await setImmediate()
        await later(performance.now() - started)
      }
      void this.#works.run({ caller, from, signal: undefined }, inTurn)
    })
  }
}

/** The turn of one answer, which may turn out to be a large one. */
export class HeavyTurn {
  readonly #answers: HeavyAnswers
  readonly #turns: Stage
  readonly #caller: string
  readonly #from: string | undefined
  readonly #signal: CancelSignal | undefined
  readonly #wait = new Cancellation()
  #forget = () => {}
  #state: 'none' | 'waiting' | 'held' | 'over' = 'none'

  /** @param holder as of HeavyAnswers.turnsOf */
  constructor(answers: HeavyAnswers, whose: HolderOfTurns, signal: CancelSignal | undefined) {
    this.#answers = answers
    this.#turns = answers.turnsOf(whose)
    this.#caller = whose.caller
    this.#from = whose.from
    this.#signal = signal
  }

  get begun(): boolean {
    return this.#state !== 'none'
  }

  /** @returns a promise of the turn when it has to be waited for @throws ForgeError too-large or cancelled */
  begin(): Promise<void> | undefined {
    if (this.#state !== 'none') return undefined
    this.#forget = onAbort(this.#signal, () => this.#wait.abort())
    const turn = this.#turns.enter(this.#caller, this.#wait)
    this.#state = turn === undefined ? 'held' : 'waiting'
    return turn?.then(
      () => {
        // The answer was given up meanwhile.
        if (this.#state === 'over') this.#turns.leave(this.#caller)
        else this.#state = 'held'
      },
      (error: unknown) => {
        this.#state = 'over'
        throw error
      }
    )
  }

  /** It as nobody has read it, to be used when the turn is over. */
  unread(bytes: Buffer, headers: ReplyHeaders): UnreadAnswer {
    const owner = { caller: this.#caller, from: this.#from, signal: this.#signal }
    return new UnreadAnswer(bytes, headers, this.#answers, owner)
  }

  /** As HeavyAnswers.read, in the caller's turn. */
  read(bytes: Buffer): Promise<ReadAnswer> {
    return this.#answers.read(bytes, { caller: this.#caller, from: this.#from, signal: this.#wait })
  }

  /** Waits no more: `begin` fails. */
  giveUp(): void {
    this.#wait.abort()
  }

  end(): void {
    const before = this.#state
    this.#state = 'over'
    this.#forget()
    if (before === 'held') this.#turns.leave(this.#caller)
    // Whoever waits keeps its request and all that has come of the answer.
    if (before === 'waiting') this.#wait.abort()
  }
}
