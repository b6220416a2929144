/** What paths are made of, and stars: with any other sign a pattern is written as a regular expression. */
const plain = /^[\w\-./@ *]{1,512}$/
/** A star after a dot is one of a regular expression, as in `docs/.*`. */
const star = /(?:^|[^.])\*/
const extension = /^\.[A-Za-z0-9]{1,8}$/

/**
 * The regular expression for paths that a pattern means if it is written as a glob, such as `test/*` or `*.ts`, or as the
 * end of a name, such as `.ts`. Many of these are regular expressions, too, and match other paths than are meant.
 * @returns undefined for what does not look like one
 */
export function ofGlob(pattern: string): string | undefined {
  if (extension.test(pattern)) return `\\${pattern}$`
  if (!plain.test(pattern) || !star.test(pattern) || pattern.includes('.*')) return undefined
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
  // Without a folder, and after any number of them, it is the name of a file in any.
  const anywhere = pattern.startsWith('**/') || !pattern.includes('/')
  return `${anywhere ? '(^|/)' : '^'}${expression}$`
}

const literal = (text: string): string => text.replaceAll('.', '\\.')
