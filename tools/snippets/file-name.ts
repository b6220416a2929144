import type { Arguments } from '../../src/engine/arguments/values.ts'
import type { ToolContext } from '../../src/engine/context.ts'
import { ArgumentError } from '../../src/results/problem.ts'
import { actionsIn, type FileAction } from '../families/files/file-actions.ts'
import { below, filesOf, namesOf } from './read-snippet.ts'

const isUnnamed = ({ file_path }: Partial<FileAction>): boolean => file_path === undefined

/**
 * Checks that each file has a name. A single updated file may lack one: it is then the snippet's only file.
 * @throws ArgumentError
 */
export function namedFiles(args: Arguments): void {
  const actions = actionsIn(args, 'files')
  const at = actions.findIndex(isUnnamed)
  if (at >= 0 && (actions.length > 1 || actions[at]!.action !== 'update'))
    throw new ArgumentError(`files.${at}.file_path`, 'is required')
}

/**
 * Adds the name of the snippet's only file to an update without a name.
 * @returns the arguments, unchanged if each file has a name
 * @throws ArgumentError that names the files if there are several; what ForgeClient throws
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
