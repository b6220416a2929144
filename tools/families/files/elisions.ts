import type { Arguments } from '../../../src/engine/arguments/values.ts'
import { ArgumentError } from '../../../src/results/problem.ts'
import { quotedName } from '../../../src/results/visible.ts'
import { actionsIn } from './file-actions.ts'

/* Lines that stand for what a model did not repeat, such as `// ... existing code ...`: stored, they replace it. */

const dots = String.raw`(?:\.{3,6}|…)`
const words = String.raw`[(\[]?([A-Za-z' ]{4,80})[)\]]?`
/** A line that is a comment and nothing else, of words and dots before or after them. */
const comment = new RegExp(
  String.raw`^\s*(?:\{?/\*+|<!--|//+|#+|--+|;+|%+)\s*(?:${dots}\s*${words}\s*${dots}?|${words}\s*${dots})\s*(?:\*+/\}?|-->)?\s*$`
)
const kept = /\b(?:existing|keep|omitted|previous|remain(?:der|ing|s)?|rest|same|unchanged)\b/i
const ofFile =
  /\b(?:body|class|code|components?|configuration|content|contents|document|fields?|file|functions?|implementation|imports?|lines?|logic|methods?|page|routes?|sections?|styles?|tests?|text)\b/i
const alone = /^\s*(?:the )?(?:rest )?(?:is |remains |stays )?(?:existing|rest|unchanged|omitted)\s*$/i

/** Longest line that is looked at, in characters, and most lines with dots in one text. */
const MOST_CHARS = 200
const MOST_LINES = 10_000

const stands = (line: string): boolean => {
  const [, before, after] = comment.exec(line) ?? []
  const said = before ?? after
  return said !== undefined && ((kept.test(said) && ofFile.test(said)) || alone.test(said))
}

/** The first line of a text that stands for others; undefined if there is none. */
export function elisionIn(text: string): string | undefined {
  const found = /\.{3}|…/g
  for (let lines = 0; lines < MOST_LINES; lines++) {
    const at = found.exec(text)?.index
    if (at === undefined) return undefined
    const start = text.lastIndexOf('\n', at) + 1
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    if (end - start <= MOST_CHARS && stands(text.slice(start, end))) return text.slice(start, end).trim()
    found.lastIndex = end
  }
  return undefined
}

/**
 * Refuses updates whose text has such a line, by which the rest of the file would be lost. What is made anew may hold one.
 * @param argument of actions
 * @throws ArgumentError
 */
export const wholeUpdates =
  (argument: string) =>
  (args: Arguments): void => {
    for (const [at, { action, content = '', encoding }] of actionsIn(args, argument).entries()) {
      const line = action === 'update' && encoding !== 'base64' ? elisionIn(content) : undefined
      if (line !== undefined)
        throw new ArgumentError(
          `${argument}.${at}.content`,
          `has the line ${quotedName(line)}, which would be all that stays of what it stands for: update replaces the whole file. Nothing was done. To change a part, use action=edit with edits of find and replace; where the line is meant, give the content in base64`
        )
    }
  }
