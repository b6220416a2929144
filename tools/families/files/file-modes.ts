import type { Arguments } from '../../../src/engine/arguments/values.ts'
import { quotedFew } from '../../../src/results/visible.ts'
import { actionsIn, type FileAction } from './file-actions.ts'

/*
 * Whether files can be run. A forge takes that with any action, and heeds it for a create and a chmod alone (Gitaly,
 * internal/gitaly/service/operations/commit_files.go).
 */

/** Most files that are named. */
const FEW = 10

const isOther = ({ action, execute_filemode: mode }: FileAction): boolean =>
  mode !== undefined && (action === 'update' || action === 'edit' || action === 'move')

/**
 * Puts a chmod behind each action that makes its file executable in a way which the forge would ignore: it does actions
 * in order, so that the one commit has both.
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

/** Says which files stay as executable as they were: models fill in false where they mean nothing by it. */
export function keptModes(args: Arguments): string | undefined {
  const paths = actionsIn(args, 'actions')
    .filter(action => isOther(action) && !action.execute_filemode)
    .map(({ file_path }) => file_path)
  return paths.length === 0
    ? undefined
    : `execute_filemode=false did not change ${quotedFew(paths, FEW)}: give it in a chmod by the next commit.`
}
