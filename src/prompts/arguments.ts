import { Problems } from '../engine/arguments/problems.ts'
import { refuseOtherSign, signsOf } from '../engine/requests/signs.ts'
import { cleanText } from '../results/clean.ts'
import { ArgumentError, CallProblem } from '../results/problem.ts'
import { quoted, quotedName } from '../results/visible.ts'

/*
 * Arguments of prompts. A person types or picks them, and a picked value may have been written by anybody: the name of
 * a branch, the title of a merge request. So only a number, a path, or quoted text becomes part of a prompt.
 */

/** Arguments after reading; those that were not given are missing. */
export type Given<Names extends string = string> = Readonly<Partial<Record<Names, string>>>

export interface PromptArgument {
  /** The description for people. */
  readonly description: string
  readonly required: boolean
  /** The completion source; default: the one of the argument's own name, if it exists. */
  readonly completedBy?: string
  /** Returns the value as it appears in the prompt. @throws CallProblem for an invalid value */
  readonly read: (name: string, value: string) => string
}

/** Most characters of a name, and of free text from a person. */
const MAX_NAME = 255
const MAX_WORDS = 2000

const argument =
  (read: PromptArgument['read']) =>
  (description: string, more: { required?: boolean; completedBy?: string } = {}): PromptArgument => ({
    description,
    required: false,
    ...more,
    read
  })

/** A project: an id, a full path or a web address. */
export const project = argument((name, value) => {
  const text = value.trim()
  if (text.length <= MAX_NAME && /^[\w./%:+~-]+$/.test(text)) return text
  throw new ArgumentError(
    name,
    'must be the id of a project, its full path such as group/project, or its web address'
  )
})

/**
 * The number of an issue or merge request in its project. It is also accepted in the form that completion offers,
 * followed by the title.
 */
export const iid = argument((name, value) => {
  const [, signed, number] = /^\s*([!#]?(\d{1,15}))(?:\s|$)/.exec(value) ?? []
  if (signed === undefined) throw new ArgumentError(name, `must be a number, as in ${signsOf(name)}`)
  refuseOtherSign(name, name, signed)
  return number!
})

/** The name of a branch, a tag, a label. */
export const name = argument((name, value) => {
  if (value.length > MAX_NAME || value.includes('\n'))
    throw new ArgumentError(name, `must be one line of at most ${MAX_NAME} characters`)
  return quoted(value.trim())
})

/** Free text from a person. */
export const words = argument((name, value) => {
  if (value.length <= MAX_WORDS) return quotedName(cleanText(value.trim()))
  throw new ArgumentError(name, `may have at most ${MAX_WORDS} characters`)
})

/** Whether a value counts as not given: forms and programs send such values for empty fields. */
export const isNotGiven = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

/**
 * Reads the arguments of a prompt as the client sent them. Empty ones count as not given, because forms send empty
 * fields.
 * @param fallback values for arguments that are not given
 * @throws CallProblem that says what to correct
 */
export function readArguments(
  declared: Readonly<Record<string, PromptArgument>>,
  sent: unknown,
  fallback: Given
): Given {
  const problems = new Problems()
  const texts: Record<string, string | undefined> = { ...fallback }
  const noTexts = new Set<string>()
  for (const [name, value] of Object.entries(sentRecord(sent))) {
    if (!Object.hasOwn(declared, name)) problems.addUnknown('', name, Object.keys(declared))
    else if (isNotGiven(value)) continue
    else if (typeof value === 'string') texts[name] = value
    else {
      noTexts.add(name)
      problems.add(`${name} must be a string${asString(value)}`)
    }
  }
  const given: Record<string, string> = {}
  for (const [name, { required, read, description }] of Object.entries(declared)) {
    const text = texts[name]
    if (text !== undefined) given[name] = read(name, text)
    else if (required && !noTexts.has(name)) problems.add(`${name} is required: ${description}`)
  }
  problems.refuse()
  return given
}

/** A hint to send a value as text: a client may send a number that a person has typed as a number. */
const asString = (value: unknown): string =>
  typeof value === 'number' ? `, as all arguments of prompts: ${JSON.stringify(String(value))}` : ''

/**
 * Whether the arguments may be acceptable, by their names and lengths. If they will be refused anyway, the person need
 * not be asked for the rest, and nothing need be stored until there is an answer.
 */
export const mayBeArguments = (
  declared: Readonly<Record<string, PromptArgument>>,
  sent: Readonly<Record<string, unknown>>
): boolean =>
  Object.entries(sent).every(
    ([name, value]) =>
      Object.hasOwn(declared, name) &&
      (isNotGiven(value) || typeof value === 'string') &&
      String(value).length <= MAX_WORDS
  )

function sentRecord(sent: unknown): object {
  if (sent === undefined || sent === null) return {}
  if (typeof sent === 'object' && !Array.isArray(sent)) return sent
  throw new CallProblem('arguments must be an object of strings.')
}
