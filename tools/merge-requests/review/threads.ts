import { type Fields, recordsIn } from '../../../src/results/is-record.ts'
import { withRest } from '../../../src/results/shortened.ts'
import { wordsOf } from '../../../src/results/visible.ts'
import type { LineAt } from './changes.ts'

/** How many characters of a note are shown. A longer note can be read by itself. */
const NOTE_CHARS = 1500

/**
 * The threads that are still open, each with the line of code that it is about.
 * @param lineAt finds lines in the changed files, as far as they are known
 */
export function threadsOf(value: unknown, lineAt: LineAt | undefined): readonly Fields[] {
  return recordsIn(value)
    .map(({ id, notes }) => ({ id, notes: recordsIn(notes) }))
    .filter(({ notes }) => notes.some(({ resolvable, resolved }) => resolvable === true && resolved !== true))
    .map(({ id, notes }) => ({
      discussion_id: id,
      ...placeOf(notes[0]?.position as Fields | undefined, lineAt),
      notes: notes.map(({ id, author, body, created_at }) => ({
        id,
        author: (author as Fields | undefined)?.username,
        body: typeof body === 'string' ? cut(body) : body,
        created_at
      }))
    }))
}

function placeOf(position: Fields | null | undefined, lineAt: LineAt | undefined): Fields | undefined {
  if (!position) return undefined
  const { new_path, old_path, new_line, old_line } = position
  const [side, line] = new_line == null ? (['old', old_line] as const) : (['new', new_line] as const)
  const code = lineAt?.(wordsOf(new_path ?? old_path), side, line)
  return {
    path: new_path ?? old_path,
    ...(side === 'new' ? { line } : { old_line: line }),
    ...(code !== undefined && { code: code.text })
  }
}

const cut = (text: string): string => withRest(text, NOTE_CHARS)
