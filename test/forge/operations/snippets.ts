import { LEVEL, levelIn, projectOf } from '../access.ts'
import {
  bodyText,
  type Call,
  created,
  forbidden,
  noContent,
  notFound,
  type Operations,
  ok,
  paged,
  refuse,
  text
} from '../http.ts'
import { type CommitAction, changeFiles } from '../model/commit-actions.ts'
import { fullPath } from '../model/places.ts'
import { presentUser } from '../present/user.ts'
import type { Files, Project, Snippet, Visibility } from '../types.ts'

/** The project of the path; null for the caller's own snippets. */
const placeOf = (call: Call): Project | null => (call.params.id === undefined ? null : projectOf(call))

const rowsOf = (call: Call): Snippet[] => {
  const project = placeOf(call)
  return call.state.snippets.filter(
    snippet => snippet.project === project && (project !== null || snippet.author === call.user)
  )
}

const snippetOf = (call: Call): Snippet => {
  const found = rowsOf(call).find(({ id }) => String(id) === call.params.snippet_id)
  if (!found) throw notFound('Snippet')
  return found
}

const present = ({ state }: Call, snippet: Snippet) => {
  const { id, project, title, description, visibility, author } = snippet
  const at = `${state.url}/${project ? `${fullPath(project)}/` : ''}-/snippets/${id}`
  const files = Object.keys(snippet.files).map(path => ({ path, raw_url: `${at}/raw/main/${path}` }))
  return {
    id,
    title,
    description,
    visibility,
    author: presentUser(state, author),
    created_at: snippet.createdAt,
    updated_at: snippet.updatedAt,
    project_id: project?.id ?? null,
    web_url: at,
    raw_url: `${at}/raw`,
    file_name: files[0]?.path ?? null,
    files,
    imported: false,
    imported_from: 'none',
    repository_storage: 'default'
  }
}

/** The files of a body as actions. */
const actionsOf = (call: Call): CommitAction[] => {
  const files = (call.body.files ?? []) as CommitAction[]
  return files.map(file => ({ ...file, action: file.action ?? 'create' }))
}

const filesAfter = (call: Call, before: Files): Files => changeFiles({ ...before }, actionsOf(call))

const create = (call: Call) => {
  const project = placeOf(call)
  if (project && levelIn(call.user, project) < LEVEL.reporter) throw forbidden()
  const files = filesAfter(call, {})
  if (Object.keys(files).length === 0) throw refuse(400, 'files are missing')
  const at = call.state.time()
  const snippet: Snippet = {
    id: call.state.nextId('snippet'),
    project,
    author: call.user,
    title: bodyText(call, 'title') ?? '',
    description: bodyText(call, 'description') ?? null,
    visibility: (bodyText(call, 'visibility') ?? 'private') as Visibility,
    files,
    createdAt: at,
    updatedAt: at
  }
  call.state.snippets.push(snippet)
  return created(present(call, snippet))
}

const writable = (call: Call): Snippet => {
  const snippet = snippetOf(call)
  const { project, author } = snippet
  if (author !== call.user && (!project || levelIn(call.user, project) < LEVEL.maintainer)) throw forbidden()
  return snippet
}

const update = (call: Call) => {
  const snippet = writable(call)
  snippet.files = filesAfter(call, snippet.files)
  snippet.title = bodyText(call, 'title') ?? snippet.title
  snippet.description = bodyText(call, 'description') ?? snippet.description
  snippet.visibility = (bodyText(call, 'visibility') ?? snippet.visibility) as Visibility
  snippet.updatedAt = call.state.time()
  return ok(present(call, snippet))
}

const remove = (call: Call) => {
  const { snippets } = call.state
  snippets.splice(snippets.indexOf(writable(call)), 1)
  return noContent()
}

/** The content of the first file. The others have an address of their own. */
const raw = (call: Call) => text(Object.values(snippetOf(call).files)[0] ?? '')

const rawFile = (call: Call) => {
  const { files } = snippetOf(call)
  const path = call.params.file_path ?? ''
  if (call.params.ref !== 'main' || !Object.hasOwn(files, path)) throw notFound('File')
  return text(files[path]!)
}

const list = (call: Call) => paged(call, rowsOf(call), snippet => present(call, snippet))
const one = (call: Call) => ok(present(call, snippetOf(call)))

/** Operations on snippets of projects and of people. They differ only in their place. */
export const snippetOperations: Operations = {
  list_project_snippets: list,
  list_personal_snippets: list,
  get_project_snippet: one,
  get_personal_snippet: one,
  get_project_snippet_raw: raw,
  get_personal_snippet_raw: raw,
  get_project_snippet_file_raw: rawFile,
  get_snippet_file_raw: rawFile,
  create_project_snippet: create,
  create_personal_snippet: create,
  update_project_snippet: update,
  update_personal_snippet: update,
  delete_project_snippet: remove,
  delete_personal_snippet: remove
}
