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
