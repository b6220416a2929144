/*
 * Counts character by character, not with indexOf from one line end to the next: a text may have millions of lines, and
 * each call would cost as much as dozens of characters.
 */

const LF = 10

/** Number of line ends in a text, or in a part of it. */
export function newlinesIn(text: string, from = 0, to = text.length): number {
  let count = 0
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === LF) count++
  return count
}

/**
 * The position after a number of line ends.
 * @param from the beginning of a line
 * @returns the index after the last of them; the length of the text if it has fewer
 */
export function afterNewlines(text: string, count: number, from = 0): number {
  let left = count
  let at = from
  for (; left > 0 && at < text.length; at++) if (text.charCodeAt(at) === LF) left--
  return at
}
