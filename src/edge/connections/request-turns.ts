import { FairTurns } from '../../fairness/fair-turns.ts'
import { type TurnShare, turnShares } from '../../fairness/turn-shares.ts'
import type { Connection, Waiting } from './connection.ts'

const oldestOf = ({ waiting }: Connection): Waiting | undefined => waiting.values().next().value

/** Divides the turns of the event loop among callers. Each request begins and continues in turns of its caller. */
export class RequestTurns {
  readonly #turns: FairTurns
  /** Assembling and writing a large answer takes milliseconds. */
  readonly #large = new FairTurns(turnShares.wholeAnswers)

  /** @param requests how many requests begin in one turn */
  constructor(requests: TurnShare) {
    this.#turns = new FairTurns(requests)
  }

  /**
   * Begins the oldest request of a connection, unless it has already begun.
   * @param run starts handling the request
   */
  begin({ socket, waiting }: Connection, run: (begin: () => void) => void): void {
    const [first] = waiting
    if (first === undefined || first[1].begin === undefined || socket.destroyed) return
    const [{ req: request }, next] = first
    const { begin } = next
    next.begin = undefined
    this.#turns.run(next.caller, () => {
      if (!socket.writable) return false
      next.isWhole = request.complete
      return run(begin!)
    })
  }

  /**
   * A body that arrives after its request has begun is read outside the turns. If many connections send their last byte
   * at once, the work for all those requests would happen in one turn.
   * @param connection undefined if it was cut
   * @returns a promise that resolves when the work for such a body may begin; undefined if it may begin at once
   */
  body(connection: Connection | undefined): Promise<void> | undefined {
    return connection === undefined || oldestOf(connection)?.isWhole !== false
      ? undefined
      : this.work(connection)
  }

  /**
   * For a body that a worker has read: several of its answers may arrive in one turn of the event loop.
   * @param connection undefined if it was cut
   * @returns resolves when the work for the oldest request of the connection may begin
   */
  async work(connection: Connection | undefined): Promise<void> {
    const waiting = connection && oldestOf(connection)
    if (waiting === undefined) return
    await new Promise<void>(resolve =>
      this.#turns.run(waiting.caller, () => {
        resolve()
        return !connection!.socket.destroyed
      })
    )
  }

  /** Resolves when the next part of an answer may be produced. A part is as much work as a request. */
  part(caller: string): Promise<void> {
    return this.#turns.next(caller)
  }

  /**
   * Resolves when a large answer of many parts may be assembled: one in each turn of the loop, with callers
   * alternating.
   */
  whole(caller: string): Promise<void> {
    return this.#large.next(caller)
  }
}
