/** The folder of a path in the repository; empty for a path at the top level. */
export const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 0))

/** The last name of a path. */
export const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
