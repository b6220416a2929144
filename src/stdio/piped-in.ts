import type { Readable, Writable } from 'node:stream'
import { code, errorText, idOf } from '../protocol/messages/jsonrpc.ts'

const says =
  'A client writes to the standard input, where nobody reads: this serves over HTTP. For a client that starts this program by a command set STREAMABLE_HTTP=false (--streamable-http=false) and FORGE_PERSONAL_ACCESS_TOKEN.'

/**
 * Tells somebody who started this program for stdio, but without the setting for it, what is missing: a message on the
 * standard input would wait for an answer that never comes. Text that is typed at a terminal is ignored.
 * @param output where the client reads and where otherwise the log goes; clients show people an error that answers
 * their request
 * @param errors where the sentence is written, too, for clients that show only this stream
 * @returns a promise that resolves when the input ends after an MCP message came on it, because its client has gone;
 * otherwise it never resolves
 */
export function answerPipedIn(
  input: Readable & { isTTY?: boolean; unref?: () => void },
  output: Writable,
  errors: Writable
): Promise<void> {
  return new Promise(resolve => {
    if (input.isTTY) return
    input.once('data', (start: Buffer) => {
      const text = start.toString()
      if (!/^\s*[{[]/.test(text)) {
        input.pause()
        return
      }
      say(errors, says)
      answer(output, text, says)
      if (!text.includes('"jsonrpc"')) input.pause()
      else input.once('end', resolve).resume()
    })
    input.on('error', () => undefined)
    // The input must not keep the process running.
    input.unref?.()
  })
}

/** Milliseconds for which a program that cannot start waits for the first message of a client. */
const FIRST_MESSAGE_MS = 300

/**
 * Tells a client at the standard input why this program ends. Many clients show people an error that answers their
 * request, but nothing of the standard error. Input that other code already reads is left alone.
 * @param output where the client reads
 * @param why the reason
 * @returns a promise that resolves when a message was answered, other input came or none will come, after 300 ms at the
 * latest
 */
export async function answerBeforeEnd(
  input: Readable & { isTTY?: boolean },
  output: Writable,
  why: string
): Promise<void> {
  if (input.isTTY || input.readableFlowing !== null) return
  const start = await new Promise<Buffer | undefined>(resolve => {
    const late = setTimeout(resolve, FIRST_MESSAGE_MS, undefined)
    for (const event of ['data', 'end', 'error', 'close'])
      input.once(event, (first?: unknown) => {
        clearTimeout(late)
        resolve(Buffer.isBuffer(first) ? first : undefined)
      })
  })
  if (start !== undefined) answer(output, start.toString(), why)
  input.destroy()
}

/** As answerBeforeEnd, for a program that cannot listen: a client at its standard input may have meant stdio. */
export const answerUnheard = (input: Readable & { isTTY?: boolean }, output: Writable, why: string) =>
  answerBeforeEnd(input, output, `${why} ${says}`)

/** Answers a request with an error. Text that is no request gets no answer. */
function answer(output: Writable, text: string, message: string): void {
  const id = idOf(parsed(text))
  if (id !== undefined) say(output, errorText(id, code.refused, message))
}

/** Writes a line to a reader who may have gone: without a listener, the error would end a service that others use. */
function say(output: Writable, line: string): void {
  output.on('error', () => undefined)
  output.write(`${line}\n`)
}

/** Parses the first line, which may not be complete yet. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text.split('\n', 1)[0]!)
  } catch {
    return undefined
  }
}
