import type { Arguments } from '../../src/engine/arguments/values.ts'
import { isEmptyList } from '../../src/results/is-record.ts'
import { quoted } from '../../src/results/visible.ts'

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
  (value: unknown, { [argument]: words, page = 1 }: Arguments): string | undefined => {
    const word = qualifier.exec(String(words))?.[1]
    return word !== undefined && isEmptyList(value) && String(page) === '1'
      ? `${quoted(word)} is searched for as text, and filters nothing: give as ${argument} the words alone, and filters as arguments${more}.`
      : undefined
  }
