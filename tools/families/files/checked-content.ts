import { CallProblem } from '../../../src/results/problem.ts'

/**
 * Checks content.
 * @throws CallProblem if it is not valid text, or not base64 where the encoding says so
 */
export function checkContent(place: string, content: string, encoding: string | undefined): void {
  if (encoding === 'base64') {
    if (!isBase64(content)) throw new CallProblem(`${place} is not base64.`)
  } else if (/\p{Surrogate}/u.test(content))
    throw new CallProblem(`${place} is not text: it has half of a character.`)
}

/**
 * Whether a text is base64, with white space anywhere. The characters are only counted: removing a million blanks would
 * delay all other calls.
 */
function isBase64(content: string): boolean {
  if (!/^[A-Za-z0-9+/\s]*(?:=\s*){0,2}$/.test(content)) return false
  let signs = 0
  for (let at = 0; at < content.length; at++) {
    const code = content.charCodeAt(at)
    // No white space character lies between the first and the last character code of base64.
    if (code >= PLUS && code <= Z) signs++
  }
  return signs % 4 === 0
}

const PLUS = 0x2b
const Z = 0x7a
