import { Problems } from '../engine/problems.ts'
import { cleanText } from '../results/clean.ts'
import { ArgumentError, CallProblem } from '../results/problem.ts'
import { quoted, quotedName } from '../results/visible.ts'
import type { Given } from './row.ts'

/*
 * Arguments of prompts. A person types or picks them, and what is picked may have been written by anybody: the name of
 * a branch, the title of a merge request. So what becomes part of a prompt is a number, a path, or stands in quotes.
 */

export interface PromptArgument {
  /** For people. */
  readonly description: string
  readonly required: boolean
  /** What completes it; default the source of the argument's own name, where there is one. */
  readonly completedBy?: string
  /** As it stands in the prompt. @throws CallProblem for what it cannot be */
  readonly read: (name: string, value: string) => string
}

/** Of a name of anything, and of what a person says besides. */
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

/** The number of a thing in its project, also as completion offers it, with its title behind it. */
export const iid = argument((name, value) => {
  const number = /^\s*[!#]?(\d{1,15})(?:\s|$)/.exec(value)?.[1]
  if (number !== undefined) return number
  throw new ArgumentError(name, 'must be a number, as in !7 or #7')
})

/** The name of a branch, a tag, a label. */
export const name = argument((name, value) => {
  if (value.length > MAX_NAME || value.includes('\n'))
    throw new ArgumentError(name, `must be one line of at most ${MAX_NAME} characters`)
  return quoted(value.trim())
})

/** What a person says in its own words. */
export const words = argument((name, value) => {
  if (value.length <= MAX_WORDS) return quotedName(cleanText(value.trim()))
  throw new ArgumentError(name, `may have at most ${MAX_WORDS} characters`)
})

/** As forms and programs send what was left empty. */
export const namesNothing = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

/**
 * Reads what a client sent as arguments of a prompt. What is empty counts as not given, as forms send it.
 * @param fallback what stands in for arguments that are not given
 * @throws CallProblem that says what to put right
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
    else if (namesNothing(value)) continue
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

/** How a number is sent, which a person types as one. */
const asString = (value: unknown): string =>
  typeof value === 'number' ? `, as all arguments of prompts: ${JSON.stringify(String(value))}` : ''

/**
 * Whether what was sent may be taken, by names and lengths: what is refused anyway is no reason to ask a person for the
 * rest, nor to keep it until there is an answer.
 */
export const mayBeArguments = (
  declared: Readonly<Record<string, PromptArgument>>,
  sent: Readonly<Record<string, unknown>>
): boolean =>
  Object.entries(sent).every(
    ([name, value]) =>
      Object.hasOwn(declared, name) &&
      (namesNothing(value) || typeof value === 'string') &&
      String(value).length <= MAX_WORDS
  )

function sentRecord(sent: unknown): object {
  if (sent === undefined || sent === null) return {}
  if (typeof sent === 'object' && !Array.isArray(sent)) return sent
  throw new CallProblem('arguments must be an object of strings.')
}
