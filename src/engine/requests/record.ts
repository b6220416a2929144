import { isRecord } from '../../results/is-record.ts'
import { CallProblem } from '../../results/problem.ts'
import { OddAnswer } from '../../upstream/errors.ts'

/** The forge's answer, for rows that read its fields. @throws CallProblem if it is not a record */
export function recordOf(value: unknown): Record<string, unknown> {
  if (!isRecord(value)) throw new CallProblem('The forge answered with something that is not a record.')
  return value
}

/** The forge's answer as a list. @throws CallProblem if it is not a list: it must not pass for an empty one */
export function listOf<Item>(value: unknown): readonly Item[] {
  if (!Array.isArray(value)) throw new CallProblem('The forge answered with something that is not a list.')
  return value
}

/** A list inside the forge's answer. @throws CallProblem if it is missing: it must not pass for an empty list */
export function listIn<Item>(value: unknown, field: string): readonly Item[] {
  const list = recordOf(value)[field]
  if (!Array.isArray(list)) throw new CallProblem(`The forge's answer has no list of ${field}.`)
  return list
}

/** Most characters of a text: ids, paths and titles have some hundreds, and each request that uses one has a copy. */
const MAX_TEXT = 4_096

/**
 * A text that a forge's answer must have, for a next request or for one of our sentences, where a missing text must not
 * become "undefined".
 * @throws CallProblem also if the text is longer than MAX_TEXT
 */
export function textIn(value: unknown, field: string): string {
  const text: string = present(
    recordOf(value)[field],
    field,
    field => typeof field === 'string' && field !== ''
  )
  if (text.length > MAX_TEXT)
    throw new CallProblem(`The forge's answer has more than ${MAX_TEXT} characters for ${field}.`)
  return text
}

/** The same for a number, which a forge may also write as a text. @throws CallProblem */
export function numberIn(value: unknown, field: string): number {
  const given = recordOf(value)[field]
  return present(isDigits(given) ? Number(given) : given, field, Number.isSafeInteger)
}

const isDigits = (value: unknown): boolean => typeof value === 'string' && /^\d{1,16}$/.test(value)

function present<Type>(value: unknown, field: string, is: (value: unknown) => boolean): Type {
  if (!is(value)) throw new CallProblem(`The forge's answer lacks ${field}.`)
  return value as Type
}

/**
 * A value as it is written in a URL. By their schemas, arguments are texts, numbers, flags and lists of them, so a
 * record or undefined comes from a forge's answer.
 * @throws OddAnswer for a record or undefined
 */
export function wordFor(name: string, value: unknown): string {
  if (isRecord(value) || value === undefined)
    throw new OddAnswer(new TypeError(`${name} is neither a text nor a number`))
  return String(value)
}
