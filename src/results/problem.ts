/** A problem of a call that its caller can correct; the message is the whole text of the tool result. */
export class CallProblem extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CallProblem'
  }
}

/** What was carried out and came to nothing: the result is a record that says so, and after it the message. */
export class FailedOutcome extends CallProblem {
  readonly record: Readonly<Record<string, unknown>>
  /** @param record short, as it is not cut */
  constructor(record: Readonly<Record<string, unknown>>, message: string) {
    super(message)
    this.name = 'FailedOutcome'
    this.record = record
  }
}

/** A person did not agree. Nothing was done. */
export class NotConfirmed extends CallProblem {
  constructor(message: string) {
    super(message)
    this.name = 'NotConfirmed'
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

/** Something that the operator's policy forbids. */
export class PolicyProblem extends CallProblem {
  /** For the log, which must not contain argument values except the names of projects. */
  readonly reason: string
  /** @param reason default: the message, if it contains no more than that */
  constructor(message: string, reason = message) {
    super(message)
    this.name = 'PolicyProblem'
    this.reason = reason
  }
}

/** A project or group of which GraphQL has nothing, for which REST has a status. */
export class NoPlace extends CallProblem {
  readonly noun: 'project' | 'group'
  /** What may have been meant, if that was found out (engine/suggestions). */
  reason: string | undefined
  /** @param given as the caller names it */
  constructor(noun: 'project' | 'group', given: unknown) {
    super(`There is no ${noun} ${JSON.stringify(given)}, or the token may not see it.`)
    this.name = 'NoPlace'
    this.noun = noun
  }
}

/** An argument that cannot be used. */
export class ArgumentError extends CallProblem {
  constructor(argument: string, why: string) {
    super(`${argument} ${why}.`)
    this.name = 'ArgumentError'
  }
}
