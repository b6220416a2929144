import type { ForgeState } from '../state.ts'
import type { MergeRequest, Note, Noteable, Suggestion } from '../types.ts'
import { headOf } from './merge-requests.ts'

/**
 * A suggestion applies to the note's line and some lines around it, at most a hundred on each side. The other lines of
 * a note on several lines do not count (docs: suggest changes).
 */
const BLOCK = /^```suggestion(?::(?:-(\d+))?(?:\+(\d+))?)?\n([\s\S]*?)\n?```$/gm
const MOST_AROUND = 100
const around = (given = '0') => Math.min(Number(given), MOST_AROUND)

const linesAt = (request: MergeRequest, path: string) =>
  (request.project.commits.get(headOf(request))?.files[path] ?? '').split('\n')

const pathOf = (note: Note) => String(note.position?.new_path)

/** The changes that a note on an added or unchanged line proposes. */
export const suggestionsOf = (state: ForgeState, owner: Noteable, note: Note): Suggestion[] => {
  const line = Number(note.position?.new_line ?? 0)
  if (owner.kind !== 'MergeRequest' || line === 0) return []
  const lines = linesAt(owner as MergeRequest, pathOf(note))
  note.suggestions ??= [...note.body.matchAll(BLOCK)].map(([, above, below, to]) => {
    const [first, last] = [Math.max(line - around(above), 1), line + around(below)]
    return {
      id: state.nextId('suggestion'),
      first,
      last,
      from: lines.slice(first - 1, last).join('\n'),
      to: to ?? '',
      applied: false
    }
  })
  return note.suggestions
}

export const presentSuggestion = ({ id, first, last, from, to, applied }: Suggestion) => ({
  id,
  from_line: first,
  to_line: last,
  applicable: !applied,
  applied,
  from_content: `${from}\n`,
  to_content: `${to}\n`
})

/** A suggestion and its place. */
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

/** The files with the suggestions applied; undefined if a line has changed since. */
export const filesWith = (placed: readonly Placed[]): Record<string, string> | undefined => {
  const { request } = placed[0]!
  const files = { ...request.project.commits.get(headOf(request))!.files }
  // From the bottom up, so that lines that are still to be changed do not move.
  for (const { suggestion, path } of placed.toSorted((a, b) => b.suggestion.first - a.suggestion.first)) {
    const { first, last, from, to } = suggestion
    const lines = (files[path] ?? '').split('\n')
    if (lines.slice(first - 1, last).join('\n') !== from) return undefined
    lines.splice(first - 1, last - first + 1, to)
    files[path] = lines.join('\n')
  }
  return files
}
