import { ArgumentError } from '../../results/problem.ts'
import { type ArgumentSchema, argumentsOf } from '../arguments/argument-flags.ts'
import { textsIn } from '../arguments/texts-in.ts'
import type { Check } from '../arguments/values.ts'
import type { ToolRow } from '../rows/row.ts'

/*
 * Words of programs for no value, alone in a text to be stored: a caller that fills a text with a variable sends them. A
 * forge would store the word, and a change would lose what was there.
 */

const isNull = /^\s*(?:null|undefined)\s*$/i
/** For prose that is replaced, `none` is such a word, too: an answer or a title may consist of it. */
const isNone = /^\s*(?:none|null|undefined)\s*$/i
/** The longest text that is searched: the word, with some blanks. */
const MAX_CHARS = 40

const isProse = ({ quickActions, ofFile, quotesStored }: ArgumentSchema): boolean =>
  quickActions !== undefined && ofFile !== true && quotesStored !== true

/** A name of what is made, or the message of a commit or tag. */
const isMade = ({ made, ofCommit }: ArgumentSchema): boolean => made === true || ofCommit === true

const titles = ['title', 'name', 'new_name']

/**
 * Prepares the refusal of such words.
 * @returns undefined for a tool that stores no prose, message, title or name; otherwise a check that throws ArgumentError
 */
export function wordsForNoneCheck({ class: kind, name: tool, input }: ToolRow): Check | undefined {
  if (kind === 'read') return undefined
  const changes = tool.startsWith('update_')
  const properties = argumentsOf(input)
  const named =
    changes || tool.startsWith('create_')
      ? titles.filter(title => {
          const schema = properties[title]
          return schema !== undefined && !isProse(schema) && !isMade(schema)
        })
      : []
  const proseIn = textsIn(input, isProse)
  const madeIn = textsIn(input, isMade)
  if (proseIn === undefined && madeIn === undefined && named.length === 0) return undefined
  const isWord = changes ? isNone : isNull
  return args => {
    for (const [place, text] of proseIn?.(args) ?? []) refuse(isWord, place, text)
    for (const [place, text] of madeIn?.(args) ?? []) refuse(isNull, place, text, true)
    for (const title of named) refuse(isNull, title, args[title], true)
  }

  function refuse(isWord: RegExp, place: string, text: unknown, isName = false): void {
    if (typeof text !== 'string' || text.length > MAX_CHARS || !isWord.test(text)) return
    throw new ArgumentError(place, saidOf(place, isName, changes, properties))
  }
}

function saidOf(
  place: string,
  isName: boolean,
  changes: boolean,
  properties: Readonly<Record<string, ArgumentSchema>>
): string {
  const name = place.slice(place.lastIndexOf('.') + 1)
  const mayBeEmpty = name === 'description' && properties[place]?.neverEmpty !== true
  if (changes && mayBeEmpty) return 'would be replaced by that word: an empty text "" is for none'
  if (changes && (isName || name === 'description' || name === 'content'))
    return 'would be replaced by that word: left out, it stays'
  return isName
    ? 'would be that word alone: give the one that is meant'
    : 'would be that word alone: where it is meant, write it in `backticks`'
}
