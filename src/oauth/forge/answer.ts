import { isPageIn, parseBody, type Reply } from '../../upstream/answers/answer.ts'
import { tooLarge } from '../../upstream/answers/body.ts'

/** Bytes of a forge's answer about a login or a credential that are taken: it may also be a page. */
export const MAX_ANSWER_BYTES = 64 * 1024

/**
 * Characters of one that are parsed. They have a dozen fields, and are parsed in the event loop, without turns: dozens
 * with thousands of names, which anybody's made-up tokens can call for at once, held it for 80 ms.
 */
const MAX_PARSED = 16 * 1024

/** The JSON of an answer. @throws ForgeError as parseBody, and too-large for JSON that is no such answer */
export function parseAnswer(reply: Reply): unknown {
  if (reply.body.length > MAX_PARSED && !isPageIn(reply.headers, reply.body)) throw tooLarge(MAX_PARSED)
  return parseBody(reply)
}
