/** Keeps room once more. @returns gives it back, to be called once: when all who keep it have, the room is free */
export type KeepRoom = () => () => void

/** Room that several hold, none of whom knows who is the last. @param give gives it back */
export function roomOfSeveral(give: () => void): KeepRoom {
  let holders = 0
  return () => {
    holders++
    return () => {
      holders--
      if (holders === 0) give()
    }
  }
}

/** What a request holds, from its last byte until its work is done and its answer is given. */
export class Work {
  #bodyBytes = 0
  readonly #gives: (() => void)[] = []
  #isGoingOn = false
  #isAnswered = false

  /** What is counted of its body: 0 for a small one, which counts with the request. */
  get bodyBytes(): number {
    return this.#bodyBytes
  }

  /** Adds to what it holds. @param give gives that room back; further calls do nothing */
  hold(give: () => void): void {
    this.#gives.push(give)
    this.#giveIfOver()
  }

  /** Adds what is counted of its body. @param give as in `hold` */
  holdBody(bytes: number, give: () => void): void {
    this.#bodyBytes += bytes
    this.hold(give)
  }

  /** Begins a piece of work. @returns to be called when it is done */
  begin(): () => void {
    this.#isGoingOn = true
    return () => {
      this.#isGoingOn = false
      this.#giveIfOver()
    }
  }

  /** The answer is given, or its caller has gone. */
  answered(): void {
    this.#isAnswered = true
    this.#giveIfOver()
  }

  #giveIfOver(): void {
    if (this.#isAnswered && !this.#isGoingOn) for (const give of this.#gives) give()
  }
}
