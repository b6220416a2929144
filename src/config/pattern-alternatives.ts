/** Most groups within each other whose alternatives are found: people nest few, and a stack has room for some 1,400. */
const MAX_LEVELS = 20

/**
 * The alternatives of a regular expression, at its top level and in a single group of each part: a, ^b_c$ and ^b_d$ of
 * a|^b_(c|d)$. Each is a pattern of its own, and together they match what the whole one does, but for empty ones.
 * @param pattern a valid one
 * @param levels how many groups within each other are opened; what is in deeper ones stays together
 */
export const alternativesOf = (pattern: string, levels = MAX_LEVELS): readonly string[] =>
  partsOf(pattern).flatMap(part => (levels === 0 ? [part.join('')] : withoutGroup(part, levels)))

/** Splits a pattern at each | that is outside of groups and classes. @returns the pieces of each part */
function partsOf(pattern: string): readonly (readonly string[])[] {
  const parts: string[][] = [[]]
  for (const piece of piecesOf(pattern)) {
    if (piece === '|') parts.push([])
    else parts.at(-1)!.push(piece)
  }
  return parts
}

/** Splits a pattern into its groups, its classes, and the signs outside of both. */
function piecesOf(pattern: string): readonly string[] {
  const pieces: string[] = []
  let depth = 0
  let isClass = false
  for (const [sign] of pattern.matchAll(/\\.|./gs)) {
    if (depth === 0 && !isClass) pieces.push(sign)
    else pieces[pieces.length - 1] += sign
    if (isClass) isClass = sign !== ']'
    else if (sign === '[') isClass = true
    else if (sign === '(') depth++
    else if (sign === ')') depth--
  }
  return pieces
}

/** Matches a group that only holds its alternatives together: those of (?!a|b) match nothing by themselves. */
const group = /^\((?:\?:|(?!\?))(.*)\)$/s

/** Matches a sign that repeats what is before it. */
const repeats = /^[?*+{]/

/**
 * The patterns that a part is with each alternative in place of its group. A part stays as it is if it has several
 * groups, where each alternative of one only needs some of the other, or if it repeats or refers to its group.
 */
function withoutGroup(pieces: readonly string[], levels: number): readonly string[] {
  const whole = pieces.join('')
  const at = pieces.findIndex(piece => piece.startsWith('('))
  const [, within] = group.exec(pieces[at] ?? '') ?? []
  const after = pieces.slice(at + 1)
  if (
    within === undefined ||
    repeats.test(after[0] ?? '') ||
    after.some(piece => piece.startsWith('(') || /^\\[1-9]/.test(piece))
  )
    return [whole]
  const [before, behind] = [pieces.slice(0, at).join(''), after.join('')]
  return partsOf(within)
    .filter(part => part.length > 0)
    .flatMap(part => alternativesOf(`${before}${part.join('')}${behind}`, levels - 1))
}
