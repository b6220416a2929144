import type { Arguments } from '../../src/engine/arguments/values.ts'
import { listOf } from '../../src/engine/requests/record.ts'
import { fieldsOf } from '../../src/results/is-record.ts'
import { CallProblem } from '../../src/results/problem.ts'
import { asKey } from '../../src/results/shortened.ts'
import { quotedName, wordsOf } from '../../src/results/visible.ts'

const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

/** Most lines in one record. Lists are cut between records, and a whole file may be one hunk. */
const MAX_LINES = 200

const piecesOf = (lines: readonly string[]): (readonly string[])[] =>
  Array.from({ length: Math.max(1, Math.ceil(lines.length / MAX_LINES)) }, (_, at) =>
    lines.slice(at * MAX_LINES, (at + 1) * MAX_LINES)
  )

/**
 * The forge's hunks with line numbers; long hunks are split. A commit that occurs again is given only by its id. The id
 * is short, unless another commit's id begins in the same way.
 */
export function blameHunks(value: unknown, { path, start_line: start = 1 }: Arguments) {
  const hunks = listOf(value).map(fieldsOf)
  /** From a short id to the full id that it stands for. */
  const known = new Map<string, string>()
  let next = Number(start)
  return hunks.flatMap(hunk => {
    const lines = textsOf(hunk.lines)
    if (lines.some(line => line.includes('\0')))
      throw new CallProblem(`${quotedName(path)} is not text, so it has no lines to blame.`)
    const { id, author_name, authored_date, message } = fieldsOf(hunk.commit)
    const whole = asKey(wordsOf(id ?? ''))
    const short = whole.slice(0, 8)
    const commit = (known.get(short) ?? whole) === whole ? short : whole
    return piecesOf(lines).map(piece => {
      const place = { start_line: next, end_line: next + piece.length - 1, commit }
      next += piece.length
      if (known.has(commit)) return { ...place, lines: piece }
      known.set(commit, whole)
      const title = wordsOf(message ?? '').split('\n', 1)[0]
      return { ...place, author_name, authored_date, title, lines: piece }
    })
  })
}
