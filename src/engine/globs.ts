/** Characters of paths, and stars. A pattern with any other character is a regular expression. */
const plain = /^[\w\-./@ *]{1,512}$/
/** Matches a star that is not after a dot. After a dot, as in `docs/.*`, the star belongs to a regular expression. */
const star = /(?:^|[^.])\*/
/** A star that a part begins with repeats nothing in a regular expression, whatever is behind it. */
const leading = /(?:^|\/)\*/
/** A part that begins with `.*`, as regular expressions have for any folders. */
const anything = /(?:^|\/)\.\*/
/** The end of a name, or all of it: `.github` is a folder. */
const dotted = /^\.[A-Za-z0-9]{1,8}$/

/**
 * Converts a glob, such as `test/*` or `*.ts`, or the end of a name, such as `.ts`, to a regular expression for the
 * paths that it means. Many globs are also valid regular expressions, but match other paths than intended.
 * @returns undefined for a pattern that does not look like a glob
 */
export function ofGlob(pattern: string): string | undefined {
  if (dotted.test(pattern)) return `${literal(pattern)}(/|$)`
  if (!plain.test(pattern) || !star.test(pattern)) return undefined
  if (pattern.includes('.*') && (!leading.test(pattern) || anything.test(pattern))) return undefined
  const folder = /^([^*]+\/)\*{1,2}$/.exec(pattern)?.[1]
  if (folder !== undefined) return `^${literal(folder)}`
  const end = /^(?:\*\*\/)?\*([^*/]+)$/.exec(pattern)?.[1]
  if (end !== undefined) return `${literal(end)}$`
  const expression = pattern
    .replace(/^\*\*\//, '')
    .split(/(\*\*\/|\*+)/)
    .map(part =>
      part === '**/' ? '(.*/)?' : part === '*' ? '[^/]*' : part.startsWith('*') ? '.*' : literal(part)
    )
    .join('')
  // A glob without a folder, or with `**/` at its start, matches files in any folder.
  const anywhere = pattern.startsWith('**/') || !pattern.includes('/')
  return `${anywhere ? '(^|/)' : '^'}${expression}$`
}

const literal = (text: string): string => text.replaceAll('.', '\\.')
