/** Arguments after validation; absent ones are undefined. */
export type Arguments = Readonly<Record<string, unknown>>

/** A rule over several arguments. @throws CallProblem */
export type Check = (args: Arguments) => void
