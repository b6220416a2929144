import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { ArgumentError } from '../../src/results/problem.ts'
import { actionsIn, type FileAction } from '../families/files/file-actions.ts'
import { below, filesOf, namesOf } from './read-snippet.ts'

const isUnnamed = ({ file_path }: Partial<FileAction>): boolean => file_path === undefined

/**
 * Checks that each file is named, but for one that is updated alone: that can be the snippet's one file.
 * @throws ArgumentError
 */
export function namedFiles(args: Arguments): void {
  const actions = actionsIn(args, 'files')
  const at = actions.findIndex(isUnnamed)
  if (at >= 0 && (actions.length > 1 || actions[at]!.action !== 'update'))
    throw new ArgumentError(`files.${at}.file_path`, 'is required')
}

/**
 * Puts the name of the snippet's one file into an update that names none.
 * @returns the arguments, as they are where each file is named
 * @throws ArgumentError with the names where there are several; what ForgeClient throws
 */
export async function withFileName(
  args: Record<string, unknown>,
  { forge }: ToolContext
): Promise<Record<string, unknown>> {
  const actions = actionsIn(args, 'files')
  if (!actions.some(isUnnamed)) return args
  const { value } = await forge.send(below(args, ''))
  const [file, ...others] = filesOf(value)
  if (file === undefined || others.length > 0)
    throw new ArgumentError(
      'files.0.file_path',
      file === undefined ? 'is required' : `is required, as there are ${namesOf([file, ...others])}`
    )
  return { ...args, files: actions.map(action => ({ ...action, file_path: file.path })) }
}
