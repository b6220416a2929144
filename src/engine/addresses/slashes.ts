const SLASH = 0x2f

/** A path without the slashes before and after it. By a regular expression a row of slashes within would take its square. */
export function withoutSlashes(path: string): string {
  let start = 0
  let end = path.length
  while (start < end && path.charCodeAt(start) === SLASH) start++
  while (end > start && path.charCodeAt(end - 1) === SLASH) end--
  return path.slice(start, end)
}

/** Longer texts are no address, and no path that a forge has. */
export const MAX_ADDRESS_CHARS = 4_096
