import type { Arguments } from '../../src/engine/arguments/values.ts'
import { quotedFew } from '../../src/results/visible.ts'
import { actionsIn, type FileAction } from '../families/files/file-actions.ts'

/*
 * Whether files are executable. A forge accepts execute_filemode with any action, but applies it only to create and
 * chmod (Gitaly, internal/gitaly/service/operations/commit_files.go).
 */

/** How many files a notice names at most. */
const MAX_NAMED = 10

const isOther = ({ action, execute_filemode: mode }: FileAction): boolean =>
  mode !== undefined && (action === 'update' || action === 'edit' || action === 'move')

/**
 * Adds a chmod after each update, edit or move that should make its file executable, as the forge would ignore the flag
 * there. The forge applies actions in order, so one commit does both.
 */
export function withModes(args: Record<string, unknown>): Record<string, unknown> {
  const actions = actionsIn(args, 'actions')
  if (!actions.some(isOther)) return args
  return {
    ...args,
    actions: actions.flatMap(action => {
      if (!isOther(action)) return [action]
      const { execute_filemode, ...rest } = action
      return execute_filemode
        ? [rest, { action: 'chmod', file_path: rest.file_path, execute_filemode }]
        : [rest]
    })
  }
}

/**
 * Names the files for which execute_filemode=false was ignored. Models fill in false where they mean nothing by it, so
 * nothing is changed.
 */
export function keptModes(args: Arguments): string | undefined {
  const paths = actionsIn(args, 'actions')
    .filter(action => isOther(action) && !action.execute_filemode)
    .map(({ file_path }) => file_path)
  return paths.length === 0
    ? undefined
    : `execute_filemode=false did not change ${quotedFew(paths, MAX_NAMED)}: give it in a chmod by the next commit.`
}
