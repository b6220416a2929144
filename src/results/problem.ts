/** A call that its caller can put right; the message is the tool result's text, whole. */
export class CallProblem extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CallProblem'
  }
}

/** Runs a part of a call; a problem of it names the place that it is of, such as comments.2. @throws CallProblem */
export function inPlace<Result>(place: string, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    if (error instanceof PolicyProblem)
      throw new PolicyProblem(`${place}: ${error.message}`, `${place}: ${error.reason}`)
    throw error instanceof CallProblem ? new CallProblem(`${place}: ${error.message}`) : error
  }
}

/** Problems of a list that are told at once. */
const MOST = 5

/** Runs a part of a call for each of a list. @throws CallProblem for all places that have one, or the first few */
export function eachInPlace<Item, Result>(
  list: string,
  items: readonly Item[],
  run: (item: Item) => Result
): Result[] {
  const problems: string[] = []
  const results: Result[] = []
  for (const [at, item] of items.entries())
    try {
      results.push(inPlace(`${list}.${at}`, () => run(item)))
    } catch (error) {
      if (error instanceof PolicyProblem || !(error instanceof CallProblem)) throw error
      problems.push(error.message)
      if (problems.length === MOST && at + 1 < items.length) {
        problems.push(`${list}.${at + 1} and on were not looked at.`)
        break
      }
    }
  if (problems.length > 0) throw new CallProblem(problems.join(' '))
  return results
}

/** What the operator's policy does not let be done. */
export class PolicyProblem extends CallProblem {
  /** For the log, which has nothing of what the arguments say but the names of projects. */
  readonly reason: string
  /** @param reason the message, where that says no more either */
  constructor(message: string, reason = message) {
    super(message)
    this.name = 'PolicyProblem'
    this.reason = reason
  }
}

/** An argument that cannot be used. */
export class ArgumentError extends CallProblem {
  constructor(argument: string, why: string) {
    super(`${argument} ${why}.`)
    this.name = 'ArgumentError'
  }
}
