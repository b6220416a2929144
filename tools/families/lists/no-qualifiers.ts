import type { Arguments } from '../../../src/engine/arguments/values.ts'
import { quoted } from '../../../src/results/visible.ts'
import { isNoneAtAll } from './none-at-all.ts'

/** Words by which other forges filter a search; this one looks for them as text. */
const qualifier =
  /(?:^|\s)-?((?:is|in|repo|org|user|author|assignee|label|milestone|state|type|sort|mentions|involves):\S{1,100})/i

/**
 * Says of a search that found nothing that what was meant as a filter was searched for.
 * @param argument that has the words
 * @param more where there are filters, as the end of the sentence
 */
export const noQualifiers =
  (argument: string, more = '') =>
  (value: unknown, args: Arguments): string | undefined => {
    const word = qualifier.exec(String(args[argument]))?.[1]
    return word !== undefined && isNoneAtAll(value, args)
      ? `${quoted(word)} is searched for as text, and filters nothing: give as ${argument} the words alone, and filters as arguments${more}.`
      : undefined
  }
