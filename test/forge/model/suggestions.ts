import type { ForgeState } from '../state.ts'
import type { MergeRequest, Note, Noteable, Suggestion } from '../types.ts'
import { headOf } from './merge-requests.ts'

/** Only suggestions for the one line that the note stands on (docs: suggest changes). */
const BLOCK = /^```suggestion(?::-0\+0)?\n([\s\S]*?)\n?```$/gm

const linesAt = (request: MergeRequest, path: string) =>
  (request.project.commits.get(headOf(request))?.files[path] ?? '').split('\n')

const pathOf = (note: Note) => String(note.position?.new_path)

/** The changes that a note on an added or unchanged line proposes. */
export const suggestionsOf = (state: ForgeState, owner: Noteable, note: Note): Suggestion[] => {
  const line = Number(note.position?.new_line ?? 0)
  if (owner.kind !== 'MergeRequest' || line === 0) return []
  note.suggestions ??= [...note.body.matchAll(BLOCK)].map(([, to]) => ({
    id: state.nextId('suggestion'),
    line,
    from: linesAt(owner as MergeRequest, pathOf(note))[line - 1] ?? '',
    to: to ?? '',
    applied: false
  }))
  return note.suggestions
}

export const presentSuggestion = ({ id, line, from, to, applied }: Suggestion) => ({
  id,
  from_line: line,
  to_line: line,
  applicable: !applied,
  applied,
  from_content: `${from}\n`,
  to_content: `${to}\n`
})

/** A suggestion with where it stands. */
export interface Placed {
  suggestion: Suggestion
  request: MergeRequest
  path: string
}

/** Every suggestion there is. */
export const allSuggestions = (state: ForgeState): Placed[] =>
  state.projects.flatMap(({ mergeRequests }) =>
    mergeRequests.flatMap(request =>
      request.discussions
        .flatMap(({ notes }) => notes)
        .flatMap(note =>
          suggestionsOf(state, request, note).map(suggestion => ({ suggestion, request, path: pathOf(note) }))
        )
    )
  )

/** The files with the suggestions in them; undefined where a line is no longer what it was. */
export const filesWith = (placed: readonly Placed[]): Record<string, string> | undefined => {
  const { request } = placed[0]!
  const files = { ...request.project.commits.get(headOf(request))!.files }
  for (const { suggestion, path } of placed) {
    const lines = (files[path] ?? '').split('\n')
    if (lines[suggestion.line - 1] !== suggestion.from) return undefined
    lines[suggestion.line - 1] = suggestion.to
    files[path] = lines.join('\n')
  }
  return files
}
