/**
 * What stands before a name where a line is not of an env file but of a shell, a Dockerfile, a command line, a unit of
 * systemd or a list: `declare -x` is printed by `export -p`.
 */
const before =
  /^(?:(?:export|declare|typeset|readonly|local|set|setx|setenv|env|arg|let|const|var|environment)(?:[\s=:]+|$)|--?[a-z-]+[\s=]+|\$(?:env:)?|[\p{Cf}\s"'`{[(-]+)/iu

/** A name where it ends, and what is behind it and the sign that parts it from its value. */
const named = /^(\w[\w.-]*)(?=[\s"'`:=＝]|$)["'`]?[\s:=＝]*(.*)$/s

/** What stands around a value and is no part of it: blanks, quotation marks, and what parts it from the next of a list. */
const around: ReadonlySet<string | undefined> = new Set(' \t"\'`,;')

/** A value without the comment behind it, and without what stands around it. */
function bare(text: string): string {
  const [value] = text.split(/\s#/, 1) as [string]
  let from = 0
  let to = value.length
  while (from < to && around.has(value[from])) from++
  while (from < to && around.has(value[to - 1])) to--
  return value.slice(from, to)
}

/**
 * The name that stands at the place of one, whatever is before it, and its value: in `declare -x PORT="1"`, `- PORT=1`,
 * `"PORT": 1`, `setenv PORT 1` and `PORT` alone.
 * @param text a line, or a name as a process has it
 */
export function namedIn(text: string): { name: string; value: string } | undefined {
  let left = text
  for (let found = before.exec(left); found !== null; found = before.exec(left))
    left = left.slice(found[0].length)
  const [, name, value] = named.exec(left) ?? []
  return name === undefined ? undefined : { name, value: bare(value!) }
}
