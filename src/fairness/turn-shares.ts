/** How much begins in one turn of the event loop. */
export interface TurnShare {
  /** Pieces of work of one holder. */
  readonly each: number
  /** Pieces of all holders together. Without it, each holder has its own pieces, however many holders there are. */
  readonly all?: number
}

/**
 * How much of each kind of work begins in a turn of the event loop (FairTurns). Work that takes milliseconds begins one
 * piece at a time; work that takes a fraction of a millisecond, a few pieces at a time.
 */
export const turnShares = {
  /** Requests, parts of answers, and bodies that came late or were read by a worker; of a caller. */
  requests: { each: 4 },
  /** Large answers that are put together. Holders are callers. */
  wholeAnswers: { each: 1, all: 1 },
  /**
   * Requests, bodies and unread answers that are given up because they are late or too large. Holders are addresses.
   */
  late: { each: 4 },
  /** Work that goes on after waiting for others or for their result. Holders are addresses, or callers without one. */
  resumed: { each: 4 },
  /**
   * Answers that have arrived from the operator's forge. Holders are addresses. A smaller share would cost more turns
   * than the answers take.
   */
  answers: { each: 1, all: 4 },
  smallAnswers: { each: 8, all: 32 },
  /** The same for answers from forges that callers name. */
  answersOfForges: { each: 1, all: 1 },
  smallAnswersOfForges: { each: 8, all: 8 },
  /** Pieces of streams, from the operator's forge or from those that callers name. Holders are addresses. */
  pieces: { each: 1, all: 1 }
} as const satisfies Readonly<Record<string, TurnShare>>
