/**
 * Headers of answers that are for one caller, or are errors: they must not be cached, and browsers must not sniff their
 * type.
 */
export const noStore = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

/**
 * Headers of answers that hold secrets, or that stand for something that must not be seen twice (RFC 6749 section 5.1).
 */
export const secretAnswer = { ...noStore, pragma: 'no-cache' } as const
