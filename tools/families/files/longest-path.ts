/** Longest path of a file that is read, in characters; the limit is that of Linux. */
export const MAX_PATH = 4_096
