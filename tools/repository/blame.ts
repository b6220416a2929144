import { listOf } from '../../src/engine/record.ts'
import type { Arguments } from '../../src/engine/rows/checks.ts'
import { fieldsOf } from '../../src/results/is-record.ts'
import { CallProblem } from '../../src/results/problem.ts'

const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

/** The forge's hunks with line numbers. A commit that occurs again is given by its id only. */
export function blameHunks(value: unknown, { path, start_line: start = 1 }: Arguments) {
  const hunks = listOf(value).map(fieldsOf)
  const known = new Set<string>()
  let next = Number(start)
  return hunks.map(hunk => {
    const lines = textsOf(hunk.lines)
    if (lines.some(line => line.includes('\0')))
      throw new CallProblem(`${JSON.stringify(path)} is not text, so it has no lines to blame.`)
    const first = next
    next += lines.length
    const { id, author_name, authored_date, message } = fieldsOf(hunk.commit)
    const commit = String(id ?? '').slice(0, 8)
    const place = { start_line: first, end_line: next - 1, commit }
    if (known.has(commit)) return { ...place, lines }
    known.add(commit)
    return { ...place, author_name, authored_date, title: String(message ?? '').split('\n', 1)[0], lines }
  })
}
