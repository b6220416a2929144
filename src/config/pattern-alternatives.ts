/** Matches a pattern that consists of one group with its anchors, as in ^(a|b)$. */
const wholeGroup = /^(\^?)\((?:\?:)?(.*)\)(\$?)$/s

/**
 * The alternatives of a regular expression, at its top level or in the single group that it consists of: a and b of
 * a|b, ^a$ and ^b$ of ^(a|b)$. Each is a pattern of its own.
 * @param pattern a valid one
 */
export function alternativesOf(pattern: string): readonly string[] {
  const parts = parted(pattern)
  const [, before = '', within, after = ''] = wholeGroup.exec(pattern) ?? []
  // The group may end earlier: (a)|(b), (a)(b). The parts of (?!a|b) are not alternatives.
  if (parts === undefined || parts.length > 1 || within === undefined || within.startsWith('?'))
    return parts ?? [pattern]
  return parted(within)?.map(part => `${before}${part}${after}`) ?? parts
}

/** Splits a pattern at each | that is outside of groups and classes; undefined if a group ends that did not begin. */
function parted(pattern: string): string[] | undefined {
  const parts = ['']
  let depth = 0
  let isClass = false
  for (const [sign] of pattern.matchAll(/\\.|./gs)) {
    if (isClass) isClass = sign !== ']'
    else if (sign === '[') isClass = true
    else if (sign === '(') depth++
    else if (sign === ')' && --depth < 0) return undefined
    if (sign === '|' && depth === 0 && !isClass) parts.push('')
    else parts[parts.length - 1] += sign
  }
  return parts
}
