/** A call that its caller can put right; the message is the tool result's text, whole. */
export class CallProblem extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CallProblem'
  }
}

/** An argument that cannot be used. */
export class ArgumentError extends CallProblem {
  constructor(argument: string, why: string) {
    super(`${argument} ${why}.`)
    this.name = 'ArgumentError'
  }
}
