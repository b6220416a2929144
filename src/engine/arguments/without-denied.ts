const toolNames = /\b[a-z]+(?:_[a-z]+)+\b/g

/** What a caller or a forge has written, which may name anything. */
const quotedText = /"(?:[^"\\]|\\.)*"/g

/** A remark within a clause on where a value comes from. */
const asides = /, (?:as|which) [^,.:;~)]*/g

/**
 * What is said of a failed call, without the clauses that refer a caller to a tool that is denied. The first clause says
 * what is wrong, and stays; so does one that says that a tool is switched off.
 * @param isDenied of a tool by its name
 */
export function withoutDenied(text: string, isDenied: (tool: string) => boolean): string {
  const names = (part: string) => (part.match(toolNames) ?? []).some(isDenied)
  const refers = (clause: string) => !clause.includes('switched off') && names(clause)
  const plain = text.replace(quotedText, quotes => '~'.repeat(quotes.length))
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

const ended = (text: string): string => text.replace(/[:;]$/, '.')

/** A text without the parts that were found at their places in it. */
const cutOut = (text: string, parts: readonly RegExpMatchArray[]): string =>
  parts.reduceRight(
    (text, { 0: part, index = 0 }) => text.slice(0, index) + text.slice(index + part.length),
    text
  )
