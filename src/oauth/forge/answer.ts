import { isPageIn, parseBody, type Reply } from '../../upstream/answers/answer.ts'
import { tooLarge } from '../../upstream/answers/body.ts'

/** Most bytes that are read of a forge's answer about a login or a credential; the answer may also be a page. */
export const MAX_ANSWER_BYTES = 64 * 1024

/**
 * Most characters of such an answer that are parsed. These answers have a dozen fields and are parsed in the event
 * loop, without turns. Anybody's made-up tokens can cause dozens of answers at once; with thousands of names each, they
 * blocked the event loop for 80 ms.
 */
const MAX_PARSED = 16 * 1024

/**
 * Parses the JSON of an answer.
 * @throws ForgeError as parseBody does, and too-large for JSON that is too long
 */
export function parseAnswer(reply: Reply): unknown {
  if (reply.body.length > MAX_PARSED && !isPageIn(reply.headers, reply.body)) throw tooLarge(MAX_PARSED)
  return parseBody(reply)
}
