/** A mebibyte, in bytes. */
export const MIB = 1024 * 1024
/** An hour, in milliseconds. */
export const HOUR_MS = 3_600_000
/** A day of 24 hours, in milliseconds. */
export const DAY_MS = 24 * HOUR_MS
