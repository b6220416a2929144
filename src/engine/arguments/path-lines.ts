/** Lines after a path, as in a web address (`#L10-12`) or in what editors and compilers write (`a.ts:10-12`). */
const lines = /(?:#L\d{1,9}(?:-L?\d{1,9})?|(?<=\.\w{1,10}):\d{1,9}(?:[-:]\d{1,9})?)$/

/** A path, or the address of a file, without the lines after it. */
export const withoutLines = (path: string): string => path.replace(lines, '')
