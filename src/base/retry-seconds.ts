/** What a caller is told to wait, in seconds, where nothing says how long it will take (Retry-After, RFC 9110, 10.2.3). */
export const retrySeconds = {
  /** Room has to become free. */
  room: 10,
  /** The forge has to answer again, or this replica to be ready. */
  answer: 5
} as const
