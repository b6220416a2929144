/**
 * Matches words and signs before a name, in a line that belongs to a shell, a Dockerfile, a command line, a systemd
 * unit or a list instead of an env file: `export -p` prints `declare -x`.
 */
const before =
  /^(?:(?:export|declare|typeset|readonly|local|set|setx|setenv|env|arg|let|const|var|environment)(?:[\s=:]+|$)|--?[a-z-]+[\s=]+|\$(?:env:)?|[\p{Cf}\s"'`{[(*•-]+)/iu

/** Matches a name up to its end, the sign between name and value, and the text after it. */
const named = /^(\w[\w.-]*)(?=[\s"'`:=＝]|$)["'`]?([\s:=＝]*)(.*)$/s

/** Characters around a value that do not belong to it: blanks, quotation marks, and separators of a list. */
const around: ReadonlySet<string | undefined> = new Set(' \t"\'`,;')

/** A value without a comment after it, and without these characters around it. */
function bare(text: string): string {
  const [value] = text.split(/\s#/, 1) as [string]
  let from = 0
  let to = value.length
  while (from < to && around.has(value[from])) from++
  while (from < to && around.has(value[to - 1])) to--
  return value.slice(from, to)
}

interface Named {
  readonly name: string
  readonly value: string
  /** Whether it is no sentence: there is a sign between both, or one within the name and the value is one word. */
  readonly hasSign: boolean
}

/**
 * The name and value in a line, whatever is before them: in `declare -x PORT="1"`, `- PORT=1`, `"PORT": 1`,
 * `setenv PORT 1` and `PORT` alone.
 * @param text a line, or a name from the environment of a process
 */
export function namedIn(text: string): Named | undefined {
  let left = text
  for (let found = before.exec(left); found !== null; found = before.exec(left))
    left = left.slice(found[0].length)
  const [, name, between, value] = named.exec(left) ?? []
  return name === undefined
    ? undefined
    : {
        name,
        value: bare(value!),
        hasSign: /[:=＝]/.test(between!) || (/[_.-]/.test(name) && !/\s/.test(bare(value!)))
      }
}
