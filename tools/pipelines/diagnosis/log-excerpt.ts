import type { ToolContext } from '../../../src/engine/context.ts'
import { requestTo } from '../../../src/engine/requests/template.ts'
import { shortened } from '../../../src/results/shortened.ts'
import { LogTail } from '../logs/log-tail.ts'

/** Lines at the end of a log that are searched. */
const SEARCHED_LINES = 5000
/** How many characters of these lines are searched. */
const SEARCHED_CHARS = 500_000
/** Lines shown before and after the first error. */
const BEFORE = 5
const AFTER = 20
/** How many lines are shown if no error is recognized. */
const LAST = 25
/** How many characters of a line are shown: the reason is at its beginning. */
const LINE_CHARS = 300
/** Most bytes of one log that are read. */
const MAX_BYTES = 256 * 1024 ** 2

/** Words by which programs say that something went wrong. */
const error =
  /\b(?:error|errors|fatal|exception|traceback|panic(?:ked)?|failed|failure|failures|assertion\w*|not ok|cannot|undefined reference|segmentation fault|out of memory|killed)\b|[✗✖×] |\bERR!|^E {2,}/i
/** The same words where nothing went wrong, and the runner's own last line, which only says that something did. */
const harmless =
  /\b(?:0|no) (?:errors?|failures?|failed)\b|\b(?:errors?|failures?|failed)\s*[:=]\s*0\b|^ERROR: Job failed|error_log/i
/**
 * The same words in the name of an option, or in a condition. The part of the line is matched first, then searched for
 * the words. A single expression would take quadratic time for a row of dashes.
 */
const harmlessIn: readonly [part: RegExp, words: RegExp][] = [
  [/--\S*/g, /error|fail/i],
  [/if .*/gi, /fail/i]
]

/** Whether a line that contains one of the words says that something went wrong. */
const tellsError = (line: string): boolean =>
  !(
    harmless.test(line) ||
    harmlessIn.some(([part, words]) => line.match(part)?.some(found => words.test(found)))
  )

/** What a runner writes between the end of the script and its own last line. */
const afterScript = /^(?:Uploading artifacts for|Saving cache for|Cleaning up project directory)/

/** Where the script's own lines end, after line `at`. */
function endOfScript(lines: readonly string[], at: number): number {
  const over = lines.findIndex((line, number) => number > at && afterScript.test(line))
  return over < 0 ? lines.length : over
}

/** The part of a job's log that says why it failed. */
export interface LogExcerpt {
  /** Number of the first line in the whole log, from 1. */
  readonly from_line: number
  readonly of_lines: number
  readonly text: string
}

/**
 * The lines around the first recognized error, or the last lines if there is none.
 * @param lines the last lines of a log
 * @param total number of lines of the whole log
 */
export function excerptOf(lines: readonly string[], total: number): LogExcerpt {
  const at = lines.findIndex(line => error.test(line) && tellsError(line))
  const [from, to] =
    at < 0
      ? [Math.max(0, lines.length - LAST), lines.length]
      : [Math.max(0, at - BEFORE), Math.min(lines.length, at + AFTER, endOfScript(lines, at))]
  const shown = lines.slice(from, to).map(line => shortened(line, LINE_CHARS))
  return { from_line: total - lines.length + from + 1, of_lines: total, text: shown.join('\n') }
}

/**
 * Reads a job's log and keeps only its last lines.
 * @throws errors of ForgeClient.stream
 */
export async function readExcerpt(
  ids: { readonly project_id: unknown; readonly job_id: unknown },
  { forge }: Pick<ToolContext, 'forge'>
): Promise<LogExcerpt | undefined> {
  const request = requestTo('GET /projects/{project_id}/jobs/{job_id}/trace', ids)
  const tail = await forge.stream(
    { ...request, accept: 'text/plain', maxBytes: MAX_BYTES },
    async ({ body }) => {
      const tail = new LogTail(SEARCHED_LINES)
      for await (const chunk of body(tail)) tail.push(chunk)
      tail.end()
      return tail
    }
  )
  if (tail.total === 0) return undefined
  const { lines } = await tail.window(SEARCHED_LINES, 0, SEARCHED_CHARS, forge)
  return forge.paced(() => excerptOf(lines, tail.total))
}
