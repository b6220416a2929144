/** A problem of a call that its caller can correct; the message is the whole text of the tool result. */
export class CallProblem extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CallProblem'
  }
}

/** Work that was carried out and failed: the result is a record that says so, followed by the message. */
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

/** Runs a part of a call. A problem in it is prefixed with its place, such as comments.2. @throws CallProblem */
export function inPlace<Result>(place: string, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    if (error instanceof PolicyProblem)
      throw new PolicyProblem(`${place}: ${error.message}`, `${place}: ${error.reason}`)
    throw error instanceof CallProblem ? new CallProblem(`${place}: ${error.message}`) : error
  }
}

/** Most problems of a list that are reported at once. */
const MAX_REPORTED = 5

/** Runs a part of a call for each item of a list. @throws CallProblem for all items with a problem, or the first few */
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
      if (problems.length === MAX_REPORTED && at + 1 < items.length) {
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

/** A project or group that GraphQL does not find. REST has a status for that. */
export class NoPlace extends CallProblem {
  readonly noun: 'project' | 'group'
  /** A suggestion of what may have been meant, if there is one (engine/suggestions). */
  reason: string | undefined
  /** @param given the name as the caller wrote it */
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
