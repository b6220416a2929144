import type { Readable, Writable } from 'node:stream'
import { answer } from '../protocol/eras/dispatch.ts'
import { refusalBy, refusalOf } from '../protocol/eras/refusal-name.ts'
import type { Service } from '../protocol/exchange/service.ts'
import { oversizedBody } from '../protocol/messages/body-refusals.ts'
import { classify, code, errorText, idOf } from '../protocol/messages/jsonrpc.ts'
import { readLine } from '../protocol/messages/read-message.ts'
import { failureText, type LoggedRefusal, Refusal } from '../protocol/messages/refusal.ts'
import { Backlog, type Turn } from './backlog.ts'
import { Outbox } from './outbox.ts'
import type { ProcessSession } from './process-session.ts'

/** Milliseconds after which a client that takes no answer is no longer waited for at the end. */
const PATIENCE_MS = 3_000

/** Requests that cost nothing, or are held open: they do not wait for others. */
const atOnce: ReadonlySet<string> = new Set(['ping', 'subscriptions/listen'])

const ENDING = 'The server is ending, and has not begun this. Start it again, and ask again.'

/**
 * Answers the lines of one client, each of which holds a message, or says why it cannot. Requests wait for their turn.
 * Further lines are not read while a client does not read its answers.
 */
export class LineAnswers {
  readonly #service: Service
  readonly #session: ProcessSession
  readonly #input: Pick<Readable, 'pause' | 'resume'>
  readonly #outbox: Outbox
  readonly #backlog: Backlog
  readonly #running = new Set<Promise<void>>()
  #count = 0

  /**
   * @param input where the lines come from; paused while there are too many
   * @param output where answers go
   */
  constructor(
    service: Service,
    session: ProcessSession,
    input: Pick<Readable, 'pause' | 'resume'>,
    output: Writable
  ) {
    this.#service = service
    this.#session = session
    this.#input = input
    const readOn = (): void => {
      if (this.#outbox.hasRoom && !this.#backlog.isFull) input.resume()
    }
    this.#outbox = new Outbox(output, () => {
      this.#backlog.next()
      readOn()
    })
    this.#backlog = new Backlog(() => this.#outbox.hasRoom, readOn)
  }

  /**
   * Answers a line when its turn comes.
   * @param line undefined for a line that was too long
   */
  begin(line: Buffer | undefined): void {
    const done = this.#answer(line).finally(() => this.#running.delete(done))
    this.#running.add(done)
  }

  /** Sends a message. */
  send(message: string): void {
    if (!this.#outbox.send(`${message}\n`)) this.#input.pause()
  }

  /** To be called when nothing more will be read: waiting requests begin then, whether or not answers are taken. */
  last(): void {
    this.#backlog.last()
  }

  /** Refuses the waiting requests. */
  refuseWaiting(): void {
    this.#backlog.stop()
  }

  /** Waits until all requests that have begun are answered, and the client has taken the answers. */
  async taken(): Promise<void> {
    await Promise.allSettled(this.#running)
    await this.#outbox.taken(PATIENCE_MS)
  }

  async #answer(line: Buffer | undefined): Promise<void> {
    const requestId = `stdio-${++this.#count}`
    let message: unknown
    let turn: Turn | undefined
    try {
      if (line === undefined) throw oversizedBody()
      message = readLine(line)
      turn = await this.#turnFor(message, line.length)
      if (turn === 'ending') return this.send(errorText(idOf(message), code.refused, ENDING))
      if (turn === 'cancelled') return
      const exchange = this.#session.exchange(requestId, told => this.send(told))
      const answered = await answer(message, exchange, this.#service)
      this.#log(refusalOf(answered, answered.status), requestId)
      if (answered.text !== undefined) this.send(answered.text)
    } catch (error) {
      if (error instanceof Refusal) this.#log(refusalBy(error), requestId)
      else this.#service.onFailure(error, requestId)
      this.send(failureText(error, idOf(message), requestId))
    } finally {
      if (turn === 'begin') this.#backlog.done(line!.length)
    }
  }

  /** @returns undefined for a message that does not wait */
  #turnFor(message: unknown, bytes: number): Promise<Turn> | undefined {
    const incoming = classify(message)
    if (incoming.kind === 'notification' && incoming.message.method === 'notifications/cancelled')
      this.#backlog.cancel(incoming.message.params.requestId)
    const waits =
      Array.isArray(message) || (incoming.kind === 'request' && !atOnce.has(incoming.message.method))
    if (!waits) return undefined
    const turn = this.#backlog.turn(idOf(message), bytes)
    if (this.#backlog.isFull) this.#input.pause()
    return turn
  }

  #log(refusal: LoggedRefusal | undefined, requestId: string): void {
    if (refusal === undefined) return
    this.#service.onRefused(refusal, { requestId, credential: this.#session.credential })
  }
}
