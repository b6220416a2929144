/**
 * Keeps room once more.
 * @returns a function that gives the room back, to be called once; the room is free when all holders have done so
 */
export type KeepRoom = () => () => void

/**
 * Room that several holders keep, none of which knows which is the last.
 * @param give gives the room back
 */
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

  /** Bytes that are counted for its body: 0 for a small body, which counts with the request. */
  get bodyBytes(): number {
    return this.#bodyBytes
  }

  /**
   * Adds to what the request holds.
   * @param give gives that room back; further calls do nothing
   */
  hold(give: () => void): void {
    this.#gives.push(give)
    this.#giveIfOver()
  }

  /**
   * Adds the bytes that are counted for its body.
   * @param give as in `hold`
   */
  holdBody(bytes: number, give: () => void): void {
    this.#bodyBytes += bytes
    this.hold(give)
  }

  /**
   * Begins a piece of work.
   * @returns a function to call when the work is done
   */
  begin(): () => void {
    this.#isGoingOn = true
    return () => {
      this.#isGoingOn = false
      this.#giveIfOver()
    }
  }

  /** Reports that the answer is given, or that its caller has gone. */
  answered(): void {
    this.#isAnswered = true
    this.#giveIfOver()
  }

  #giveIfOver(): void {
    if (this.#isAnswered && !this.#isGoingOn) for (const give of this.#gives) give()
  }
}
