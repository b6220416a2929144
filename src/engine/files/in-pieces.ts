/** Characters that are processed in one turn: a text of ten megabytes may have as many lines. */
const PIECE_CHARS = 64 * 1024

/** Splits a text into pieces, and yields each in its own turn of the event loop. */
export async function* inPieces(text: string): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += PIECE_CHARS) {
    if (from > 0) await new Promise(setImmediate)
    yield text.slice(from, from + PIECE_CHARS)
  }
}
