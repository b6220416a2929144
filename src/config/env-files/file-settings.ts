import { parseEnv } from 'node:util'

/** A setting that Node.js reads from an env file. */
export interface FileSetting {
  readonly name: string
  /** Without blanks around it. */
  readonly value: string
  /** The line with its name, counted from one, as in editors. */
  readonly number: number
  /** The text behind the quotation mark that ends the value, which Node.js does not read. */
  readonly behind: string
  /** The line in which the value ends. */
  readonly lastNumber: number
  /** The text at the end of that line, without a comment: the value, or what is behind its quotation marks. */
  readonly ending: string
  /** The line after that. */
  readonly next: string
}

/** Matches the start of a line up to =, as Node.js reads it: a tab right behind export is a part of the name. */
export const settingStart = /^[ \t]*(?:export [ \t]*)?(?<name>[\w.-]+)[ \t]*=/

/** Matches what is behind that, also in the next lines where quotation marks do not end before. */
const settingEnd =
  /[ \t]*(?:(?<mark>["'`])(?<marked>.*?)\k<mark>(?<behind>[^\n]*)|(?<plain>[^\n]*))(?:(?=\n(?<next>[^\n]*))|$)/

const setting = new RegExp(settingStart.source + settingEnd.source, 'gms')

/**
 * Finds the settings that Node.js reads from an env file, with their lines. Of lines with the same name it is the last
 * one that has a value, although Node.js reads an empty one behind it instead.
 * @param text of the file
 */
export function settingsIn(text: string): readonly FileSetting[] {
  const read = parseEnv(text)
  const found = new Map<string, FileSetting>()
  let number = 1
  let from = 0
  // Node.js drops each carriage return.
  for (const { 0: whole, index, input, groups = {} } of text.replaceAll('\r', '').matchAll(setting)) {
    number += breaksIn(input.slice(from, index))
    from = index
    const { name = '', behind = '', plain = behind, next = '' } = groups
    const lastNumber = number + breaksIn(whole)
    const value = asRead(groups)
    if (value === '' && (found.get(name)?.value ?? '') !== '') continue
    found.set(name, {
      name,
      value,
      number,
      lastNumber,
      behind,
      ending: uncommented(plain),
      next
    })
  }
  // What is within a value, or is read as the line after a name, is no setting of its own.
  return [...found.values()].filter(({ name, value }) => [value, ''].includes(read[name]?.trim() ?? 'unread'))
}

const breaksIn = (text: string): number => text.split('\n').length - 1

const uncommented = (text: string): string => text.split('#', 1)[0]!

/** The value that Node.js makes of the groups of a match. */
function asRead({ mark, marked, plain = '' }: Readonly<Record<string, string | undefined>>): string {
  // A quotation mark that nothing closes keeps what looks like a comment.
  if (marked === undefined) return (/^["'`]/.test(plain) ? plain : uncommented(plain)).trim()
  return (mark === '"' ? marked.replaceAll('\\n', '\n') : marked).trim()
}
