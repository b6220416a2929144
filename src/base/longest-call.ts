/**
 * The longest time for one answer of a forge, such as a log or an archive, in seconds: from the first hop to the last
 * byte.
 */
export const MAX_ANSWER_SECONDS = 120

/**
 * The longest time that a call waits for answers that do not come, in seconds. Clients built on MCP's SDKs give up a
 * call after sixty seconds, and would never learn its outcome.
 */
export const MAX_WAIT_SECONDS = 55

/**
 * The longest time of a call, in seconds: the longest answer after a wait for its turn. A process that shuts down lets
 * running calls finish for that long. The chart's grace period and the documents name the same time (test/chart).
 */
export const MAX_CALL_SECONDS = MAX_ANSWER_SECONDS + 5
