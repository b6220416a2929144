import type { FileAction } from './file-actions.ts'

/** Most characters of a text that are read for the head of a patch. */
const HEAD = 4_000
/** As Git and diff write one, with or without the names of its files, and as some models are taught to. */
const beginning =
  /^\s{0,99}(?:(?:diff --git [^\n]{1,999}\n(?:[a-z][^\n]{0,999}\n){0,6})?--- [^\n]{1,999}\n\+\+\+ [^\n]{1,999}\n)?@@ -\d{1,9}(?:,\d{1,9})? \+\d{1,9}(?:,\d{1,9})? @@/
const named = /^\s{0,99}\*\*\* Begin Patch\r?\n\*\*\* /
const patchName = /\.(?:patch|diff|rej)$/i

/** Whether a text is a patch of a file, rather than what the file is to be. */
export const isPatch = (text: string): boolean => {
  const head = text.slice(0, HEAD)
  return beginning.test(head) || named.test(head)
}

/** Whether a file is given a patch as its text, and is by its name none that holds one. */
export const isPatchFor = ({ file_path, content = '' }: FileAction): boolean =>
  !patchName.test(file_path) && isPatch(content)
