/** Longest time for one answer of a forge, in seconds: a log or an archive, from the first hop to the last byte. */
export const LONGEST_ANSWER_SECONDS = 120

/**
 * What a call may need to its end, in seconds: such an answer after a wait for its turn. For so long a process that
 * leaves service finishes what runs; the chart's grace period and the documents say the same (test/chart).
 */
export const LONGEST_CALL_SECONDS = LONGEST_ANSWER_SECONDS + 5
