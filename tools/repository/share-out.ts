/** Characters that a text takes in JSON. */
const writtenLength = (text: string): number => JSON.stringify(text).length - 2

/**
 * Cuts texts at a line's end so that they fit together: each has an equal share, and what one leaves goes to the rest.
 * @param room characters of JSON for all of them
 */
export function shareOut(texts: readonly string[], room: number): string[] {
  const lengths = texts.map(writtenLength)
  const smallestFirst = lengths.map((_, at) => at).sort((a, b) => lengths[a]! - lengths[b]!)
  const shown = [...texts]
  let left = Math.max(0, room)
  for (const [done, at] of smallestFirst.entries()) {
    const share = Math.floor(left / (texts.length - done))
    if (lengths[at]! > share) shown[at] = cutTo(texts[at]!, share)
    left -= writtenLength(shown[at]!)
  }
  return shown
}

/** The lines of a text, or the beginning of its first one, that fit. */
function cutTo(text: string, room: number): string {
  let end = Math.min(room, text.length)
  // Escapes make a text longer: what is over is taken off, which never takes too little.
  for (let over = writtenLength(text.slice(0, end)) - room; over > 0; ) {
    end = Math.max(0, end - Math.ceil(over / 6))
    over = writtenLength(text.slice(0, end)) - room
  }
  const newline = text.lastIndexOf('\n', end - 1)
  return newline < 0 ? text.slice(0, end) : text.slice(0, newline + 1)
}
