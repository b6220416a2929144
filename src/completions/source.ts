import { ownText } from '../own-text.ts'

/*
 * Where the values come from that an argument of a prompt, or a variable of a resource, may have: rows that name a tool
 * which lists them. Policy, bounds, errors and the audit line are those of the tool.
 */

export interface CompletionSource {
  /** The argument that it completes. */
  readonly name: string
  /** The tool that lists the values. */
  readonly tool: string
  /** What the tool has to know besides: other arguments, which the person has filled in by then. */
  readonly given: readonly string[]
  /** The tool's arguments. @param typed what it is asked to search for; empty for all */
  readonly arguments: (given: Given, typed: string) => Readonly<Record<string, unknown>>
  /** Of what was typed, what the forge is to search for; the rest is looked for in its answer. Default nothing. */
  readonly search?: (typed: string) => string
  /** What is searched for is a place, such as a directory: what is in one is in the answer for no other. */
  readonly isPlace?: true
  readonly value: (record: Fields) => unknown
  /** What a person knows it by, where its value is a number. */
  readonly title?: (record: Fields) => unknown
}

export type Given = Readonly<Record<string, string>>
export type Fields = Readonly<Record<string, unknown>>

/** One value that an argument may have. */
export interface Candidate {
  readonly value: string
  readonly title: string | undefined
}

/** Records of a list that are looked at: sources ask for fewer. */
const MAX_RECORDS = 200
/** Of a value: a longer one is no use when it is cut. And of a title, which is only to be recognized. */
const MAX_VALUE = 255
const MAX_TITLE = 60

/** What a list of the forge has to offer, as one line each. @param clean takes out what a person does not see */
export function candidatesIn(
  list: unknown,
  { value, title }: CompletionSource,
  clean: (text: string) => string
): Candidate[] {
  if (!Array.isArray(list)) return []
  return list.slice(0, MAX_RECORDS).flatMap(record => {
    if (typeof record !== 'object' || record === null) return []
    const text = String(value(record as Fields) ?? '')
    // A value that would have to be changed is not the forge's any more.
    if (text === '' || text.length > MAX_VALUE || clean(text) !== text || text.includes('\n')) return []
    const said = clean(String(title?.(record as Fields) ?? '').slice(0, 2 * MAX_TITLE)).replace(/\s+/g, ' ')
    return [{ value: text, title: said === '' ? undefined : ownText(said.slice(0, MAX_TITLE)) }]
  })
}

/** Whether a candidate is one for what was typed. */
export function fits({ value, title }: Candidate, typed: string): boolean {
  const wanted = typed.toLowerCase()
  const number = /^[!#]?(\d+)/.exec(wanted)?.[1]
  if (number !== undefined && /^\d+$/.test(value)) return value.startsWith(number)
  return value.toLowerCase().includes(wanted) || title?.toLowerCase().includes(wanted) === true
}
