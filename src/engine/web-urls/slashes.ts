const SLASH = 0x2f

/**
 * A path without leading and trailing slashes. A regular expression would take quadratic time for a run of slashes
 * inside the path.
 */
export function withoutSlashes(path: string): string {
  let start = 0
  let end = path.length
  while (start < end && path.charCodeAt(start) === SLASH) start++
  while (end > start && path.charCodeAt(end - 1) === SLASH) end--
  return path.slice(start, end)
}

/** Most characters of an address or path: no forge has longer ones. */
export const MAX_WEB_URL_CHARS = 4_096
