/** Seconds that a caller is told to wait if nothing says how long it will take (Retry-After, RFC 9110, 10.2.3). */
export const retrySeconds = {
  /** Until room becomes free. */
  room: 10,
  /** Until the forge answers again, or this replica is ready. */
  answer: 5
} as const
