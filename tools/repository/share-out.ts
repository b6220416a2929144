/** The number of characters that a text takes in JSON. */
const writtenLength = (text: string): number => JSON.stringify(text).length - 2

/** A text and the number of characters that it takes in JSON. */
export interface Measured {
  readonly text: string
  readonly length: number
}

const PIECE = 4096

/**
 * Measures a text in JSON, piece by piece. A surrogate pair that is split between two pieces counts as more than it
 * takes.
 * @param most where measuring may stop: 200 KB of control characters take six times as much in JSON, and three
 * milliseconds
 */
export function measured(text: string, most: number): Measured {
  let length = 0
  for (let at = 0; at < text.length && length <= most; at += PIECE)
    length += writtenLength(text.slice(at, at + PIECE))
  return { text, length }
}

/**
 * Cuts texts at line ends so that they fit together. Each gets an equal share, and space that one does not use goes to
 * the others.
 * @param texts measured up to `room` at least
 * @param room characters of JSON for all of them
 */
export function shareOut(texts: readonly Measured[], room: number): string[] {
  const smallestFirst = texts.map((_, at) => at).sort((a, b) => texts[a]!.length - texts[b]!.length)
  const shown = texts.map(({ text }) => text)
  let left = Math.max(0, room)
  for (const [done, at] of smallestFirst.entries()) {
    const share = Math.floor(left / (texts.length - done))
    const whole = texts[at]!
    const part = whole.length > share ? measured(cutTo(whole.text, share), share) : whole
    shown[at] = part.text
    left -= part.length
  }
  return shown
}

/** The first lines of a text that fit, or the beginning of its first line. */
function cutTo(text: string, room: number): string {
  let end = 0
  let left = room
  // The steps get ever smaller. Writing the whole text again for each guess took ten milliseconds for 200 KB.
  for (const step of [PIECE, 64, 1])
    for (let taken = 0; end < text.length; left -= taken, end += step) {
      taken = writtenLength(text.slice(end, end + step))
      if (taken > left) break
    }
  const newline = text.lastIndexOf('\n', end - 1)
  return newline < 0 ? text.slice(0, end) : text.slice(0, newline + 1)
}
