import type { TObject } from 'typebox'

const toolNames = /\b[a-z]+(?:_[a-z]+)+\b/g

/**
 * Quoted text, which a caller or a forge has written, and which may name anything. A quotation mark that is never closed
 * takes the rest, so that the rest is read once, and quotes nothing: `19"` in a forge's words.
 */
const quotedText = /"(?:[^"\\]|\\.)*("?)/gs

/** A parenthetical remark in a clause, on the source of a value. */
const asides = /, (?:as|which) [^,.:;~)]*/g

/**
 * The message of a failed call, without the clauses that refer the caller to a denied tool. The first clause says what
 * is wrong, and is kept; so is one that says that a tool is switched off.
 * @param isDenied whether a tool is denied, by its name
 */
export function withoutDenied(text: string, isDenied: (tool: string) => boolean): string {
  const names = (part: string) => (part.match(toolNames) ?? []).some(isDenied)
  const refers = (clause: string) => !clause.includes('switched off') && names(clause)
  const plain = text.replace(quotedText, (quotes, end) => (end === '' ? quotes : '~'.repeat(quotes.length)))
  if (!names(plain)) return text
  let kept = ''
  let at = 0
  for (const clause of plain.split(/(?<=[.:;]) /)) {
    const left = [...clause.matchAll(asides)].filter(([aside]) => refers(aside))
    if (kept !== '' && refers(cutOut(clause, left))) {
      if (clause.endsWith('.')) kept = ended(kept)
    } else kept += `${kept && ' '}${cutOut(text.slice(at, at + clause.length), left)}`
    at += clause.length + 1
  }
  return ended(kept)
}

/**
 * Whether a name is a tool that the caller may not run. An argument may have the same name as a tool.
 * @param input the arguments of the tool whose text it is in
 * @param isTool as in ToolSettings
 */
export const offTo =
  ({ properties }: TObject, isTool: (name: string) => boolean, mayRun: (name: string) => boolean) =>
  (name: string): boolean =>
    isTool(name) && !(name in properties) && !mayRun(name)

const ended = (text: string): string => text.replace(/[:;]$/, '.')

/** A text without the parts that were found at their places in it. */
const cutOut = (text: string, parts: readonly RegExpMatchArray[]): string =>
  parts.reduceRight(
    (text, { 0: part, index = 0 }) => text.slice(0, index) + text.slice(index + part.length),
    text
  )
