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
    throw error instanceof CallProblem ? new CallProblem(`${place}: ${error.message}`) : error
  }
}

/**
 * What the operator's policy does not let be done. The log has its message, which so says nothing of the arguments but
 * the names of projects.
 */
export class PolicyProblem extends CallProblem {
  constructor(message: string) {
    super(message)
    this.name = 'PolicyProblem'
  }
}

/** An argument that cannot be used. */
export class ArgumentError extends CallProblem {
  constructor(argument: string, why: string) {
    super(`${argument} ${why}.`)
    this.name = 'ArgumentError'
  }
}
