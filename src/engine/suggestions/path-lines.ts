/** Lines as in a web address (`#L10-12`). */
const ofAddress = String.raw`#L\d{1,9}(?:-L?\d{1,9})?`
/** What editors and compilers write lines after. */
const extension = String.raw`(?<=\.\w{1,10})`
/** Lines after a path, as in a web address or in what editors and compilers write (`a.ts:10-12`). */
const lines = new RegExp(String.raw`(?:${ofAddress}|${extension}:\d{1,9}(?:[-:]\d{1,9})?)$`)
/** Those that are hardly part of a name, as one number is: that of a port, of a version or of a minute. */
const surelyLines = new RegExp(String.raw`(?:${ofAddress}|${extension}:\d{1,9}-\d{1,9})$`)

/** A path of what is there, or the address of a file, without the lines after it. */
export const withoutLines = (path: string): string => path.replace(lines, '')

/** What a path that is new ends with, if that is lines for certain: nothing tells whether there is such a name. */
export const linesAfter = (path: string): string | undefined => surelyLines.exec(path)?.[0]
