/** How much begins in one turn of the event loop. */
export interface TurnShare {
  /** Pieces of work of one holder. */
  readonly each: number
  /** Pieces of all holders; without it, each has its own however many there are. */
  readonly all?: number
}

/**
 * What is begun in turns of the event loop (FairTurns). What takes milliseconds goes on one at a time, what takes a
 * fraction of one a few at a time.
 */
export const turnShares = {
  /** Requests, parts of answers, and bodies that came late or were read by a worker; of a caller. */
  requests: { each: 4 },
  /** Large answers that are put together; of a caller. */
  wholeAnswers: { each: 1, all: 1 },
  /** Requests, bodies and unread answers that are given up because they are late or too much; of an address. */
  late: { each: 4 },
  /** What goes on after it has waited for others, or for what they asked; of an address, or without one of a caller. */
  resumed: { each: 4 },
  /** Answers of the operator's forge that have arrived; of an address. Fewer would cost more turns than they take. */
  answers: { each: 1, all: 4 },
  smallAnswers: { each: 8, all: 32 },
  /** The same of forges that callers name. */
  answersOfForges: { each: 1, all: 1 },
  smallAnswersOfForges: { each: 8, all: 8 },
  /** Pieces of streams, of the operator's forge or of those that callers name; of an address. */
  pieces: { each: 1, all: 1 }
} as const satisfies Readonly<Record<string, TurnShare>>
