/** A mebibyte, in bytes. */
export const MIB = 1024 * 1024
