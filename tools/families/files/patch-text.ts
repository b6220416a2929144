import type { FileAction } from './file-actions.ts'

/** How many characters at the beginning of a text are searched for the head of a patch. */
const HEAD = 4_000
/**
 * The head of a patch as Git and diff write it, with or without file names; `named` is the form that some models are
 * taught.
 */
const beginning =
  /^\s{0,99}(?:(?:diff --git [^\n]{1,999}\n(?:[a-z][^\n]{0,999}\n){0,6})?--- [^\n]{1,999}\n\+\+\+ [^\n]{1,999}\n)?@@ -\d{1,9}(?:,\d{1,9})? \+\d{1,9}(?:,\d{1,9})? @@/
const named = /^\s{0,99}\*\*\* Begin Patch\r?\n\*\*\* /
const patchName = /\.(?:patch|diff|rej)$/i

/** Whether a text is a patch, rather than the new content of a file. */
export const isPatch = (text: string): boolean => {
  const head = text.slice(0, HEAD)
  return beginning.test(head) || named.test(head)
}

/** Whether a file is given a patch as its content, although its name is not that of a patch file. */
export const isPatchFor = ({ file_path, content = '' }: FileAction): boolean =>
  !patchName.test(file_path) && isPatch(content)
