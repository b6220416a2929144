/**
 * Headers of answers that are for one caller, or are errors: they must not be cached, and browsers must not sniff their
 * type.
 */
export const noStore = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const
