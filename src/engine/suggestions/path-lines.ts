/** Lines as in a web address (`#L10-12`). */
const ofAddress = String.raw`#L\d{1,9}(?:-L?\d{1,9})?`
/** The end of a file name, after which editors and compilers write line numbers. */
const extension = String.raw`(?<=\.\w{1,10})`
/** Lines after a path, as in a web address or in what editors and compilers write (`a.ts:10-12`). */
const lines = new RegExp(String.raw`(?:${ofAddress}|${extension}:\d{1,9}(?:[-:]\d{1,9})?)$`)
/** Suffixes that can hardly be part of a name. A single number can be: a port, a version or a minute. */
const surelyLines = new RegExp(String.raw`(?:${ofAddress}|${extension}:\d{1,9}-\d{1,9})$`)

/** An existing path, or the address of a file, without the lines after it. */
export const withoutLines = (path: string): string => path.replace(lines, '')

/** The end of a new path, if it certainly means lines: a new path cannot be checked for existence. */
export const linesAfter = (path: string): string | undefined => surelyLines.exec(path)?.[0]
