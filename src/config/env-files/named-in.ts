import { type Variable, variables } from '../schema.ts'

/**
 * What stands before a name where a line is not of an env file but of a shell, a Dockerfile, a command line, a unit of
 * systemd or a list: `declare -x` is printed by `export -p`.
 */
const before =
  /^(?:(?:export|declare|typeset|readonly|local|set|setx|setenv|env|arg|let|const|var|environment)(?:[\s=:]+|$)|--?[a-z-]+[\s=]+|\$(?:env:)?|[\p{Cf}\s"'`{[(-]+)/iu

/** What a name is followed by where it ends. */
const name = /^(\w+)(?![\w.-])/

/**
 * The variable of this service that stands at the place of a name, whatever is before it: in `declare -x PORT="1"`,
 * `- PORT=1`, `"PORT": 1`, `setenv PORT 1` and `PORT` alone.
 * @param text a line, or a name as a process has it
 */
export function namedIn(text: string): Variable | undefined {
  let left = text
  for (let found = before.exec(left); found !== null; found = before.exec(left))
    left = left.slice(found[0].length)
  const [, word] = name.exec(left) ?? []
  return variables.find(variable => variable === word)
}
