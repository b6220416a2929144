/*
 * Character by character, and not from one line end to the next with indexOf: a text may have millions of lines, of which
 * each would cost as much as dozens of characters.
 */

const LF = 10

/** Number of line ends in a text, or in a part of it. */
export function newlinesIn(text: string, from = 0, to = text.length): number {
  let count = 0
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === LF) count++
  return count
}

/**
 * Where the lines of a text go on behind so many line ends.
 * @param from where a line begins
 * @returns an index behind a line end; the length of the text where it has no more of them
 */
export function afterNewlines(text: string, count: number, from = 0): number {
  let left = count
  let at = from
  for (; left > 0 && at < text.length; at++) if (text.charCodeAt(at) === LF) left--
  return at
}
