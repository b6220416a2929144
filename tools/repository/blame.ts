import type { Arguments } from '../../src/engine/checks.ts'
import { CallProblem } from '../../src/engine/problem.ts'

interface Hunk {
  commit?: { id?: string; message?: string; author_name?: string; authored_date?: string }
  lines?: readonly string[]
}

/** The forge's hunks with their line numbers; a commit that comes again is named by its id only. */
export function blameHunks(value: unknown, { path, start_line: start = 1 }: Arguments) {
  const hunks = Array.isArray(value) ? (value as Hunk[]) : []
  if (hunks.some(({ lines }) => lines?.some(line => line.includes('\0'))))
    throw new CallProblem(`${JSON.stringify(path)} is not text, so it has no lines to blame.`)
  const known = new Set<string>()
  let next = Number(start)
  return hunks.map(({ commit = {}, lines = [] }) => {
    const first = next
    next += lines.length
    const id = String(commit.id ?? '').slice(0, 8)
    const place = { start_line: first, end_line: next - 1, commit: id }
    if (known.has(id)) return { ...place, lines }
    known.add(id)
    const { author_name, authored_date, message = '' } = commit
    return { ...place, author_name, authored_date, title: message.split('\n', 1)[0], lines }
  })
}
