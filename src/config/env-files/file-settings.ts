import { parseEnv } from 'node:util'

/** A setting that Node.js reads from an env file. */
export interface FileSetting {
  readonly name: string
  /** Without blanks around it. */
  readonly value: string
  /** The line with its name, counted from one, as in editors. */
  readonly number: number
}

/** Matches a name with its value, as Node.js reads them: one in quotation marks may have several lines. */
const setting =
  /^[ \t]*(?:export[ \t]+)?(?<name>[\w.-]+)[ \t]*=[ \t]*(?:(?<mark>["'`])(?<marked>.*?)\k<mark>[^\n]*|(?<plain>[^\n]*))/gms

/**
 * Finds the settings that Node.js reads from an env file, with their lines. If a name is given more than once, the last
 * one counts.
 * @param text of the file
 */
export function settingsIn(text: string): readonly FileSetting[] {
  const read = parseEnv(text)
  const found = new Map<string, FileSetting>()
  let number = 1
  let from = 0
  // Node.js drops each carriage return.
  for (const { index, input, groups = {} } of text.replaceAll('\r', '').matchAll(setting)) {
    number += input.slice(from, index).split('\n').length - 1
    from = index
    const name = groups.name!
    found.set(name, { name, value: asRead(groups), number })
  }
  // What is within a value, or is read as the line after a name, is no setting of its own.
  return [...found.values()].filter(({ name, value }) => read[name]?.trim() === value)
}

/** The value that Node.js makes of the groups of a match. */
function asRead({ mark, marked, plain = '' }: Readonly<Record<string, string | undefined>>): string {
  if (marked === undefined) return plain.split('#', 1)[0]!.trim()
  return (mark === '"' ? marked.replaceAll('\\n', '\n') : marked).trim()
}
