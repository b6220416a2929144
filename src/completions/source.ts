import { ownText } from '../collections/own-text.ts'
import type { Fields } from '../json/records.ts'
import { textOf } from '../results/is-record.ts'
import { startOf } from '../results/shortened.ts'

/*
 * The sources of values for arguments of prompts and variables of resources: rows that name a tool which lists them.
 * Policy, bounds, errors and the audit line are those of the tool.
 */

export interface CompletionSource {
  /** The name of the argument that it completes. */
  readonly name: string
  /** The tool that lists the values. */
  readonly tool: string
  /** The other arguments that the tool needs, which the person must have filled in. */
  readonly given: readonly string[]
  /** The tool's arguments. @param typed the text to search for; empty for all values */
  readonly arguments: (given: FilledIn, typed: string) => Readonly<Record<string, unknown>>
  /**
   * The part of the typed text that the forge searches for; the rest is matched against its answer. Default: nothing.
   */
  readonly search?: (typed: string) => string
  /** Set if the search names a place, such as a directory: an answer for one place contains nothing of another. */
  readonly isPlace?: true
  readonly value: (record: Fields) => unknown
  /** The title by which people recognize the value, if it is a number. */
  readonly title?: (record: Fields) => unknown
}

export type FilledIn = Readonly<Record<string, string>>

/** One possible value of an argument. */
export interface Candidate {
  readonly value: string
  readonly title: string | undefined
}

/** Most records of a list that are read: sources ask for fewer. */
const MAX_RECORDS = 200
/**
 * Most characters of a value: a longer one is left out, because it would be useless if it were cut. Most characters of
 * a title, which only has to be recognizable.
 */
const MAX_VALUE = 255
const MAX_TITLE = 60

/** Reads the candidates from a list of the forge, each as one line. @param clean removes invisible characters */
export function candidatesIn(
  list: unknown,
  { value, title }: CompletionSource,
  clean: (text: string) => string
): Candidate[] {
  if (!Array.isArray(list)) return []
  return list.slice(0, MAX_RECORDS).flatMap(record => {
    if (typeof record !== 'object' || record === null) return []
    const text = textOf(value(record as Fields))
    // A changed value would no longer be the forge's.
    if (text === '' || text.length > MAX_VALUE || clean(text) !== text || text.includes('\n')) return []
    const said = clean(startOf(textOf(title?.(record as Fields)), 2 * MAX_TITLE)).replace(/\s+/g, ' ')
    return [{ value: text, title: said === '' ? undefined : ownText(said.slice(0, MAX_TITLE)) }]
  })
}

/** The candidates that match the typed text. */
export function matching(candidates: readonly Candidate[], typed: string): readonly Candidate[] {
  const wanted = typed.toLowerCase()
  const number = /^[!#]?(\d+)/.exec(wanted)?.[1]
  return candidates.filter(({ value, title }) =>
    number !== undefined && /^\d+$/.test(value)
      ? value.startsWith(number)
      : value.toLowerCase().includes(wanted) || title?.toLowerCase().includes(wanted) === true
  )
}
