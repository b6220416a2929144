/** Looked at in one go: a text of ten megabytes may have as many lines. */
const PIECE_CHARS = 64 * 1024

/** A text piece by piece, each in a turn of the event loop. */
export async function* inPieces(text: string): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += PIECE_CHARS) {
    if (from > 0) await new Promise(setImmediate)
    yield text.slice(from, from + PIECE_CHARS)
  }
}
