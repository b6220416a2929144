/*
 * How Node.js reads a file of --env-file: by `Dotenv::ParseContent` in its src/node_dotenv.cc. It reports nothing. A
 * quotation mark that is not closed in its line goes on to the next of its kind, in whatever line that is, and what has
 * no = is left out.
 */

/** A line of such a file. */
export interface EnvFileLine {
  /** As editors count, from one. */
  readonly number: number
  readonly text: string
  /** The line in which the value begins that this one is a part of; undefined where it is none of such. */
  readonly within: number | undefined
  /** Whether that value is in quotation marks. */
  readonly isQuoted: boolean
  /** What stands behind a value in quotation marks that ends in this line, which Node.js leaves out. */
  readonly rest: string
}

/** What Node.js takes from such a file, by name, and the lines. */
export interface EnvFile {
  readonly settings: ReadonlyMap<string, string>
  readonly lines: readonly EnvFileLine[]
}

/** A value that Node.js takes, and where it begins and ends in the text without carriage returns. */
interface Taken {
  readonly name: string
  readonly value: string
  readonly from: number
  readonly to: number
  readonly isQuoted: boolean
  readonly rest: string
}

/** Reads the text of such a file as Node.js 24 does: its settings are those of `util.parseEnv`. */
export function readingOf(text: string): EnvFile {
  const taken = takenFrom(text.replaceAll('\r', ''))
  const lines: EnvFileLine[] = text
    .split(lineEnd)
    .map((line, at) => ({ number: at + 1, text: line, within: undefined, isQuoted: false, rest: '' }))
  const starts = lineStarts(text)
  let at = 0
  /** The index of the line of a place, which is behind the one before. */
  const lineOf = (place: number): number => {
    while (starts[at + 1] !== undefined && starts[at + 1]! <= place) at++
    return at
  }
  for (const { from, to, isQuoted, rest } of taken) {
    const first = lineOf(from)
    const last = lineOf(Math.max(from, to - 1))
    for (let index = first + 1; index <= last; index++)
      lines[index] = { ...lines[index]!, within: first + 1, isQuoted }
    lines[last] = { ...lines[last]!, rest }
  }
  return { settings: new Map(taken.map(({ name, value }) => [name, value])), lines }
}

/** What ends a line in an editor. Node.js takes out each carriage return, one that stands alone as well. */
const lineEnd = /\r\n?|\n/

/** Where the lines of a text begin in the same text without carriage returns. */
function lineStarts(text: string): number[] {
  let place = 0
  return text.split(/(\r\n?|\n)/).flatMap((part, at) => {
    const start = place
    place += part.replaceAll('\r', '').length
    return at % 2 === 0 ? [start] : []
  })
}

const blanks = /[ \t\n]*/y
const emptyOrComment = /\n|#[^\n]*\n?/y
const nameOrLine = /[^=\n]*/y
const inQuotes = /(["'`])(.*?)\1([^\n]*)\n?/sy
const restOfLine = /([^\n]*)\n?/y

const trimmed = (text: string): string => text.replace(/^[ \t\n]+/, '').replace(/(?<![ \t\n])[ \t\n]+$/, '')

/** What a pattern matches at a place. */
function matchAt(pattern: RegExp, text: string, place: number): RegExpExecArray | null {
  pattern.lastIndex = place
  return pattern.exec(text)
}

/** The place behind what a pattern matches at another; the same if it does not. */
const behind = (pattern: RegExp, text: string, place: number): number =>
  place + (matchAt(pattern, text, place)?.[0].length ?? 0)

/** The values that Node.js takes from a text without carriage returns. */
function takenFrom(whole: string): Taken[] {
  const text = trimmed(whole)
  // Places are those of the whole.
  const offset = behind(blanks, whole, 0)
  const taken: Taken[] = []
  let at = 0
  while (at < text.length) {
    const skipped = behind(emptyOrComment, text, at)
    if (skipped > at) {
      at = skipped
      continue
    }
    const equals = behind(nameOrLine, text, at)
    if (text[equals] !== '=') {
      at = behind(blanks, text, equals)
      continue
    }
    const name = trimmed(text.slice(at, equals))
    at = equals + 1
    if (at === text.length || text[at] === '\n') {
      taken.push({ name, value: '', from: offset + equals, to: offset + equals, isQuoted: false, rest: '' })
      continue
    }
    // A value may begin in another line than its name. What is behind an = without a name is read as if it began a line.
    at = behind(blanks, text, at)
    if (name === '') continue
    const { next, from, to, ...value } = valueAt(text, at)
    taken.push({
      ...value,
      name: name.startsWith('export ') ? trimmed(name.slice('export '.length)) : name,
      from: offset + (from ?? equals),
      to: offset + to
    })
    at = next
  }
  return taken
}

/**
 * The value that begins at a place.
 * @returns it, with its beginning if that is a quotation mark, its end, and the place from which is read on
 */
function valueAt(text: string, at: number) {
  const quoted = matchAt(inQuotes, text, at)
  if (quoted !== null) {
    const [all, mark, within = '', rest = ''] = quoted
    const value = mark === '"' ? within.replaceAll('\\n', '\n') : within
    return { value, from: at, to: at + within.length + 2, isQuoted: true, rest, next: at + all.length }
  }
  const [all, line = ''] = matchAt(restOfLine, text, at)!
  // A mark that nothing closes is a part of the value, and so is a # behind it.
  const value = /^["'`]/.test(line) ? line : trimmed(line.split('#', 1)[0]!)
  const next = behind(blanks, text, at + all.length)
  return { value, from: undefined, to: at + line.length, isQuoted: false, rest: '', next }
}
