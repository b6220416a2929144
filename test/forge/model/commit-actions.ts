import { refuse } from '../http.ts'
import type { Commit, Files, Project } from '../types.ts'
import { logOf } from './log.ts'

/** One change of a commit (docs: commits API, actions). */
export interface CommitAction {
  action: 'create' | 'update' | 'delete' | 'move' | 'chmod'
  file_path: string
  previous_path?: string
  content?: string
  encoding?: string
  last_commit_id?: string
  execute_filemode?: boolean
}

interface Tree {
  files: Record<string, string>
  modes: Record<string, string>
}

const EXECUTABLE = '100755'

/** The content as the sandbox keeps it: text unchanged, other bytes as base64. */
const contentOf = ({ content = '', encoding }: CommitAction): string => {
  if (encoding !== 'base64') return content
  const bytes = Buffer.from(content, 'base64')
  const text = bytes.toString()
  return Buffer.from(text).equals(bytes) ? text : `base64:${content}`
}

const refuseStale = (
  project: Project,
  parent: Commit | undefined,
  { action, last_commit_id: last, ...rest }: CommitAction
) => {
  if (last === undefined || !parent) return
  const path = rest.previous_path ?? rest.file_path
  if (logOf(project, parent, path)[0]?.sha !== last)
    throw refuse(
      400,
      `You are attempting to ${action} a file ${path} that has changed since you started editing it.`
    )
}

/**
 * Applies an action as Gitaly does, which reads the mode only for create and chmod
 * (internal/gitaly/service/operations/commit_files.go).
 */
const apply = ({ files, modes }: Tree, action: CommitAction) => {
  const { file_path: path, previous_path: before = '' } = action
  const missing = (name: string) => {
    if (!Object.hasOwn(files, name)) throw refuse(400, "A file with this name doesn't exist")
  }
  const taken = () => {
    if (Object.hasOwn(files, path)) throw refuse(400, 'A file with this name already exists')
  }
  switch (action.action) {
    case 'create':
      taken()
      files[path] = contentOf(action)
      if (action.execute_filemode) modes[path] = EXECUTABLE
      break
    case 'update':
      missing(path)
      files[path] = contentOf(action)
      break
    case 'delete':
      missing(path)
      delete files[path]
      delete modes[path]
      break
    case 'move':
      missing(before)
      taken()
      files[path] = action.content === undefined ? files[before]! : contentOf(action)
      if (modes[before]) modes[path] = modes[before]
      delete files[before]
      delete modes[before]
      break
    case 'chmod':
      missing(path)
      if (action.execute_filemode) modes[path] = EXECUTABLE
      else delete modes[path]
      break
  }
}

/**
 * The files of a snippet after all actions.
 * @throws ForgeError in the forge's words
 */
export const changeFiles = (files: Record<string, string>, actions: CommitAction[]): Files => {
  for (const action of actions) apply({ files, modes: {} }, action)
  return files
}

/**
 * The files after all actions. Nothing changes if one of them fails.
 * @throws ForgeError in the forge's words
 */
export const change = (
  project: Project,
  parent: Commit | undefined,
  actions: CommitAction[]
): { files: Files; modes: Record<string, string> } => {
  const tree: Tree = { files: { ...parent?.files }, modes: { ...parent?.modes } }
  for (const action of actions) {
    if (action.file_path.split('/').some(part => part === '' || part === '.' || part === '..'))
      throw refuse(400, 'Path cannot include directory traversal')
    refuseStale(project, parent, action)
    apply(tree, action)
  }
  return tree
}
