/** Longest path of a file that is read, in characters, as on Linux. */
export const MAX_PATH = 4_096
