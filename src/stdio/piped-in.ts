import type { Readable, Writable } from 'node:stream'
import { code, errorText, idOf } from '../protocol/messages/jsonrpc.ts'

const says =
  'A client writes to the standard input, where nobody reads: this serves over HTTP. For a client that starts this program by a command set STREAMABLE_HTTP=false (--streamable-http=false) and FORGE_PERSONAL_ACCESS_TOKEN.'

/**
 * Tells who started this program for stdio, and lacks the switch, what is missing: a message on the standard input
 * would wait for an answer that never comes. What is typed at a terminal is none.
 * @param output where the client reads, which else is the log: it shows its people an error of its question
 * @param errors where it is said too, for clients that show nothing but that
 * @returns done when the input ends on which a message of MCP came, as its client has gone; else never
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

/** How long a program that cannot start waits for the first message of a client, in milliseconds. */
const FIRST_MESSAGE_MS = 300

/**
 * Tells a client at the standard input why this program ends: many show their people an error of their question, and
 * nothing of what is written to the standard error. Of input that somebody reads already, nothing is taken.
 * @param output where the client reads
 * @param why the reason
 * @returns done when a message was answered, other input came or none will, at the latest after 300 ms
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

/** As answerBeforeEnd, for a program that cannot listen: who asks it at the standard input may have meant stdio. */
export const answerUnheard = (input: Readable & { isTTY?: boolean }, output: Writable, why: string) =>
  answerBeforeEnd(input, output, `${why} ${says}`)

/** Answers a request with an error; what is no request stays without an answer. */
function answer(output: Writable, text: string, message: string): void {
  const id = idOf(parsed(text))
  if (id !== undefined) say(output, errorText(id, code.refused, message))
}

/** Writes a line to a reader who may have gone: without a listener, that would end a service that others use. */
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
