import { badRequest } from '../http.ts'
import { lineCode } from '../present/note.ts'
import type { ForgeState } from '../state.ts'
import type { Discussion, Epic, Issue, MergeRequest, Note, Position, User } from '../types.ts'
import type { FileChange } from './diff.ts'
import { changesOf } from './merge-requests.ts'
import { endTodos, mention } from './todos.ts'

/** Creates a note that is not in a discussion yet. */
export const makeNote = (
  state: ForgeState,
  parts: {
    body: string
    author: User
    at?: string
    type?: Note['type']
    system?: boolean
    internal?: boolean
  }
): Note => {
  const at = parts.at ?? state.time()
  return {
    id: state.nextId('note'),
    type: parts.type ?? null,
    body: parts.body,
    author: parts.author,
    createdAt: at,
    updatedAt: at,
    system: parts.system ?? false,
    internal: parts.internal ?? false,
    resolvable: parts.type !== undefined && parts.type !== null && !parts.system,
    resolvedBy: null,
    resolvedAt: null,
    position: null,
    awards: []
  }
}

/** Objects that have discussions. */
type Discussed = Issue | Epic | MergeRequest

/** Starts a discussion: an individual note, or a thread that can be answered and resolved. */
export const addDiscussion = (
  state: ForgeState,
  owner: Discussed,
  note: Note,
  individual: boolean
): Discussion => {
  const discussion = { id: state.hash('discussion', note.id), individual, notes: [note] }
  owner.discussions.push(discussion)
  owner.updatedAt = note.createdAt
  endTodos(state, owner, note.author)
  if (!note.system) mention(state, owner, note.body, note)
  return discussion
}

/** Adds the forge's own note about an event. */
export const addSystemNote = (state: ForgeState, owner: Discussed, author: User, body: string) =>
  addDiscussion(state, owner, makeNote(state, { body, author, system: true }), true)

/** Answers a discussion. An individual note becomes a thread with its first answer. */
export const addReply = (state: ForgeState, owner: Discussed, discussion: Discussion, note: Note) => {
  const head = discussion.notes[0]!
  if (head.system) throw badRequest('Discussion can not be replied to')
  if (discussion.individual) {
    discussion.individual = false
    Object.assign(head, { type: 'DiscussionNote', resolvable: true })
  }
  Object.assign(note, { type: head.type, resolvable: true, position: head.position })
  discussion.notes.push(note)
  owner.updatedAt = state.time()
  endTodos(state, owner, note.author)
  mention(state, owner, note.body, note)
}

/** Resolves or reopens the resolvable ones of the given notes: a whole thread, or one note. */
export const setResolved = (state: ForgeState, notes: Note[], user: User, resolved: boolean) => {
  for (const note of notes.filter(candidate => candidate.resolvable)) {
    note.resolvedBy = resolved ? user : null
    note.resolvedAt = resolved ? state.time() : null
  }
}

const lineFits = (change: FileChange, position: Position): boolean => {
  const oldLine =
    position.old_line === undefined || position.old_line === null ? null : Number(position.old_line)
  const newLine =
    position.new_line === undefined || position.new_line === null ? null : Number(position.new_line)
  if (oldLine === null && newLine === null) return false
  return change.lines.some(line => line.old === oldLine && line.new === newLine)
}

const REQUIRED_SHAS = ['base_sha', 'start_sha', 'head_sha']

/**
 * Checks a diff position. The three SHAs must be a version of this merge request, the file must be changed there, and
 * the line numbers must name one line (added: new only; removed: old only; unchanged: both). GitLab answers every
 * breach in the same way, with a missing line code (docs: discussions API, parameters for position).
 */
export const checkPosition = (state: ForgeState, request: MergeRequest, given: unknown): Position => {
  const position = given as Position
  const wrong = (keys: string) => badRequest(`Note {${keys}}`)
  for (const key of REQUIRED_SHAS) if (!position[key]) throw wrong(':position=>["is incomplete"]')
  const version = request.versions.find(
    ({ base, start, head }) =>
      position.base_sha === base && position.start_sha === start && position.head_sha === head
  )
  const invalid = wrong(':line_code=>["can\'t be blank", "must be a valid line code"]')
  if (!version) throw invalid
  const path = position.new_path ?? position.old_path
  const change = changesOf(request, version).find(
    ({ newPath, oldPath }) => newPath === path || oldPath === path
  )
  if (!change) throw invalid
  if (position.position_type === 'text' && !lineFits(change, position)) throw invalid
  const stored: Position = {
    ...position,
    old_path: position.old_path ?? change.oldPath,
    new_path: position.new_path ?? change.newPath,
    old_line: position.old_line ?? null,
    new_line: position.new_line ?? null,
    line_range: position.line_range ?? null
  }
  return position.position_type === 'text' && !stored.line_range
    ? { ...stored, line_range: wholeLine(state, stored) }
    : stored
}

const wholeLine = (state: ForgeState, position: Position) => {
  const type = position.new_line !== null && position.old_line === null ? 'new' : 'old'
  const end = {
    line_code: lineCode(state, position),
    type: position.new_line !== null && position.old_line !== null ? null : type,
    old_line: position.old_line,
    new_line: position.new_line
  }
  return { start: end, end }
}
