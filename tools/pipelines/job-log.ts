import { Type } from 'typebox'
import { requestTo } from '../../src/engine/requests/template.ts'
import { JobId, ProjectId } from '../../src/engine/rows/fields.ts'
import { custom, type ToolRow } from '../../src/engine/rows/row.ts'
import { CallProblem } from '../../src/results/problem.ts'
import type { ToolOutput } from '../../src/results/result.ts'
import { LogTail, type LogWindow } from './logs/log-tail.ts'
import { logWindow } from './logs/log-window.ts'

/** Most bytes of a log: more than any forge keeps. Reading one takes time, not memory. */
const MAX_LOG_BYTES = 2 * 1024 ** 3

const unsearched = 'as no log is searched: diagnose_pipeline shows the lines that say why a job failed'
const fromEnd = 'as lines are counted from the end: limit says how many, offset how many to leave out there'

export const jobLogRows: readonly ToolRow[] = [
  custom({
    name: 'get_pipeline_job_output',
    class: 'read',
    title: 'Job log',
    summary: "Read a log's last lines; offset skips lines at its end.",
    input: Type.Object(
      { project_id: ProjectId, job_id: JobId, ...logWindow },
      {
        instead: {
          ...Object.fromEntries(['grep', 'search', 'pattern', 'query'].map(name => [name, unsearched])),
          ...Object.fromEntries(['start_line', 'end_line', 'tail'].map(name => [name, fromEnd]))
        }
      }
    ),
    idempotent: true,
    advice: { 404: 'Check the ids. A job that has not started, or whose log was erased, has no log.' },
    async run({ limit = 1000, offset = 0, ...ids }, { forge, maxChars }): Promise<ToolOutput> {
      const request = {
        ...requestTo('GET /projects/{project_id}/jobs/{job_id}/trace', ids),
        accept: 'text/plain',
        maxBytes: MAX_LOG_BYTES
      }
      const tail = await forge.stream(request, async ({ body }) => {
        const tail = new LogTail(limit + offset)
        for await (const chunk of body(tail)) tail.push(chunk)
        tail.end()
        return tail
      })
      if (tail.total === 0)
        return { text: 'The log is empty: the job has written nothing yet, or its log was erased.' }
      if (offset >= tail.kept) throw new CallProblem(nothingThere(tail, offset))
      const window = await tail.window(limit, offset, maxChars, forge)
      const notice = whatIsMissing(window, tail, { limit, offset, maxChars })
      return { text: window.lines.join('\n'), notices: notice === undefined ? [] : [notice] }
    }
  })
]

const nothingThere = ({ total, kept }: LogTail, offset: number): string =>
  offset >= total
    ? `The log has ${total} lines; offset ${offset} skips them all.`
    : `The log has ${total} lines, of which the last ${kept} can be read; offset ${offset} lies before them.`

/** Says which of the lines are shown, and how to get earlier ones. */
function whatIsMissing(
  { lines, last }: LogWindow,
  { total, kept }: LogTail,
  { limit, offset, maxChars }: { limit: number; offset: number; maxChars: number }
): string | undefined {
  const first = last - lines.length + 1
  if (first === 1 && last === total) return undefined
  const parts = [`Lines ${first} to ${last} of ${total}.`]
  const earliest = total - kept + 1
  const outOfReach = first === earliest && kept < limit + offset
  if (first > Math.max(earliest, last - limit + 1))
    parts.push(`More would exceed the ${maxChars} characters of a result.`)
  if (outOfReach && first > 1) parts.push('Lines before these cannot be read with this tool.')
  else if (first > 1) parts.push(`For earlier lines: offset ${total - first + 1}.`)
  return parts.join(' ')
}
