import type { Check } from '../../src/engine/arguments/values.ts'
import { checkPath } from '../../src/engine/requests/template.ts'
import { text } from '../../src/engine/rows/fields.ts'

/** The path of a file. It is encoded as one segment, so it has no leading slash. */
export const FilePath = { ...text('From the root'), namedIn: 'file' }

/** The advice for a branch or tag name that Git does not accept. */
export const nameRule = 'A name has no blanks, no two dots in a row, and none of ~ ^ : ? * [ \\ in it.'

/** A directory without the slashes that people write; undefined for the root. */
const directoryOf = (path: unknown): string | undefined =>
  path === undefined || /^\.?\/?$/.test(String(path)) ? undefined : String(path).replace(/\/$/, '')

/** Checks a path that goes into a query, where no URL template checks it. */
export const isPath: Check = ({ path }) => {
  const directory = directoryOf(path)
  if (directory !== undefined) checkPath('path', directory)
}

/** The `adapt` step for a row whose path may be a directory. */
export const withDirectory = (args: Readonly<Record<string, unknown>>) => ({
  ...args,
  path: directoryOf(args.path)
})
