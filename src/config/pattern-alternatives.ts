/** A group around all of a pattern, with its anchors, as in ^(a|b)$. */
const wholeGroup = /^(\^?)\((?:\?:)?(.*)\)(\$?)$/s

/**
 * The alternatives of a regular expression at its top, or in the one group that it is: a and b of a|b, ^a$ and ^b$ of
 * ^(a|b)$. Each is a pattern of its own.
 * @param pattern a valid one
 */
export function alternativesOf(pattern: string): readonly string[] {
  const parts = parted(pattern)
  const [, before = '', within, after = ''] = wholeGroup.exec(pattern) ?? []
  // The group may end before: (a)|(b), (a)(b). And of (?!a|b) the parts are no alternatives.
  if (parts === undefined || parts.length > 1 || within === undefined || within.startsWith('?'))
    return parts ?? [pattern]
  return parted(within)?.map(part => `${before}${part}${after}`) ?? parts
}

/** The parts between |, but for those in groups and in classes; undefined if a group ends that did not begin. */
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
