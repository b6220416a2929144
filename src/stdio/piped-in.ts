import type { Readable, Writable } from 'node:stream'

const says =
  'A client writes to the standard input, where nobody reads: this serves over HTTP. For a client that starts this program by a command set STREAMABLE_HTTP=false (--streamable-http=false) and FORGE_PERSONAL_ACCESS_TOKEN.\n'

/**
 * Tells who started this program for stdio, and lacks the switch, what is missing: a message on the standard input would
 * wait for an answer that never comes. What is typed at a terminal is none.
 * @param errors where it is said; the standard output of a server over HTTP is its log, which clients do not show
 */
export function answerPipedIn(
  input: Readable & { isTTY?: boolean; unref?: () => void },
  errors: Writable
): void {
  if (input.isTTY) return
  input.once('data', (start: Buffer) => {
    input.pause()
    if (/^\s*[{[]/.test(start.toString('latin1'))) errors.write(says)
  })
  input.on('error', () => undefined)
  // It keeps nothing running.
  input.unref?.()
}
