/** Arguments after validation; absent ones are undefined. */
export type Arguments = Readonly<Record<string, unknown>>

/** The arguments of one call while they are completed: they are changed in place. */
export type OwnArguments = Record<string, unknown>

/** What is sent of a call: its arguments, or what its row makes of them. */
export type Values = Readonly<Record<string, unknown>>

/** A rule over several arguments. @throws CallProblem */
export type Check = (args: Arguments) => void
