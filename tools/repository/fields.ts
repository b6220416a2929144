import type { Check } from '../../src/engine/arguments/values.ts'
import { checkPath } from '../../src/engine/requests/template.ts'
import { text } from '../../src/engine/rows/fields.ts'

/** Of a file: encoded as one segment, so without a leading slash. */
export const FilePath = { ...text('From the root'), namedIn: 'file' }

/** Of the name of a branch or tag that Git does not take. */
export const nameRule = 'A name has no blanks, no two dots in a row, and none of ~ ^ : ? * [ \\ in it.'

/** A directory as people write it; nothing for the root. */
const directoryOf = (path: unknown): string | undefined =>
  path === undefined || /^\.?\/?$/.test(String(path)) ? undefined : String(path).replace(/\/$/, '')

/** A path in a query, where no template looks at it. */
export const isPath: Check = ({ path }) => {
  const directory = directoryOf(path)
  if (directory !== undefined) checkPath('path', directory)
}

/** For a row whose path may be a directory. */
export const withDirectory = (args: Readonly<Record<string, unknown>>) => ({
  ...args,
  path: directoryOf(args.path)
})
