import type { Arguments } from '../../../src/engine/arguments/values.ts'
import { quoted } from '../../../src/results/visible.ts'
import { isNoneAtAll } from './none-at-all.ts'

/** Words by which other forges filter a search. This forge searches for them as text. */
const qualifier =
  /(?:^|\s)-?((?:is|in|repo|org|user|author|assignee|label|milestone|state|type|sort|mentions|involves):\S{1,100})/i

/** The number of an issue or merge request, as texts write it. */
const reference = /^\s*([#!]\d{1,15})\s*$/

/** Operators that join words in other search languages. */
const operator = /(?<!\S)(AND|NOT|OR|\|{1,2})(?!\S)|(\*)/

/**
 * A notice for a search that found nothing: the forge searched for a filter or an operator as text.
 * @param argument the one that has the search words
 * @param more names the filters there are, as the end of the sentence
 */
export const noQualifiers =
  (argument: string, more = '') =>
  (value: unknown, args: Arguments): string | undefined => {
    const text = String(args[argument])
    const word = qualifier.exec(text)?.[1]
    const sign = operator.exec(text)?.[0]
    const one = reference.exec(text)?.[1]
    if ((word ?? sign ?? one) === undefined || !isNoneAtAll(value, args)) return undefined
    if (one !== undefined)
      return `${one} is searched for as text: ${one.startsWith('#') ? 'get_issue' : 'get_merge_request'} reads it by its number.`
    return word === undefined
      ? `${quoted(sign!)} is searched for as text where the forge has basic search alone: search for one word, or for a part of one, a call.`
      : `${quoted(word)} is searched for as text, and filters nothing: give as ${argument} the words alone, and filters as arguments${more}.`
  }
