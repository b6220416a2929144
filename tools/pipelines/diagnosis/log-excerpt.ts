import type { ToolContext } from '../../../src/engine/context.ts'
import { placeOf } from '../../../src/engine/template.ts'
import { shortened } from '../../../src/results/shortened.ts'
import { LogTail } from '../log-tail.ts'

/** Lines of a log that are searched, from its end. */
const SEARCHED_LINES = 5000
/** Characters of them that are looked at. */
const SEARCHED_CHARS = 500_000
/** Lines shown before and after the first error. */
const BEFORE = 5
const AFTER = 20
/** Lines shown where no error is recognized. */
const LAST = 25
/** Characters of one line; what says why is at its beginning. */
const LINE_CHARS = 300
/** Bytes of one log that are read through. */
const MAX_BYTES = 256 * 1024 ** 2

/** Words by which programs say that something went wrong. */
const error =
  /\b(?:error|errors|fatal|exception|traceback|panic(?:ked)?|failed|failure|failures|assertion\w*|not ok|cannot|undefined reference|segmentation fault|out of memory|killed)\b|[✗✖×] |\bERR!|^E {2,}/i
/** The same words where nothing went wrong, and the runner's own last line, which says only that something did. */
const harmless =
  /\b(?:0|no) (?:errors?|failures?|failed)\b|\b(?:errors?|failures?|failed)\s*[:=]\s*0\b|^ERROR: Job failed|error_log/i
/**
 * And where an option's name or a condition has them. Each of these takes the rest of the word or the line with it: in
 * one expression with the words, every dash of a row would be tried with all that follow it.
 */
const harmlessIn: readonly [part: RegExp, words: RegExp][] = [
  [/--\S*/g, /error|fail/i],
  [/if .*/gi, /fail/i]
]

/** Whether a line that has one of the words says that something went wrong. */
const tellsError = (line: string): boolean =>
  !(
    harmless.test(line) ||
    harmlessIn.some(([part, words]) => line.match(part)?.some(found => words.test(found)))
  )

/** What a runner writes once the script is over, before its last line. */
const afterScript = /^(?:Uploading artifacts for|Saving cache for|Cleaning up project directory)/

/** Where the script's own lines end, after one of them. */
function endOfScript(lines: readonly string[], at: number): number {
  const over = lines.findIndex((line, number) => number > at && afterScript.test(line))
  return over < 0 ? lines.length : over
}

/** The part of a job's log that says why it failed. */
export interface LogExcerpt {
  /** The number of the first of the lines in the whole log, from 1. */
  readonly from_line: number
  readonly of_lines: number
  readonly text: string
}

/** Around the first error that is recognized, or else the end. @param lines the last lines of a log of `total` */
export function excerptOf(lines: readonly string[], total: number): LogExcerpt {
  const at = lines.findIndex(line => error.test(line) && tellsError(line))
  const [from, to] =
    at < 0
      ? [Math.max(0, lines.length - LAST), lines.length]
      : [Math.max(0, at - BEFORE), Math.min(lines.length, at + AFTER, endOfScript(lines, at))]
  const shown = lines.slice(from, to).map(line => shortened(line, LINE_CHARS))
  return { from_line: total - lines.length + from + 1, of_lines: total, text: shown.join('\n') }
}

/** Reads a job's log through, keeping its last lines only. @throws what ForgeClient.stream throws */
export async function readExcerpt(
  ids: { readonly project_id: unknown; readonly job_id: unknown },
  { forge }: Pick<ToolContext, 'forge'>
): Promise<LogExcerpt | undefined> {
  const place = placeOf('GET /projects/{project_id}/jobs/{job_id}/trace', ids)
  const tail = await forge.stream(
    { ...place, accept: 'text/plain', maxBytes: MAX_BYTES },
    async ({ body, hold }) => {
      const tail = new LogTail(SEARCHED_LINES, hold)
      for await (const chunk of body) tail.push(chunk)
      tail.end()
      return tail
    }
  )
  if (tail.total === 0) return undefined
  const { lines } = await tail.window(SEARCHED_LINES, 0, SEARCHED_CHARS, forge)
  return forge.paced(() => excerptOf(lines, tail.total))
}
