import { ForgeError } from './errors.ts'

/** What a request addresses, below the base URL of the API. */
export interface Place {
  /** Encoded, with its query: `/projects/1/issues?state=opened`. */
  readonly path: string
  /** The path with placeholders instead of arguments, and without a query: `/projects/{project_id}/issues`. */
  readonly template?: string
}

/**
 * Most characters of a path with its query. Servers take a quarter of that; each layer below copies and checks all of
 * it, and some megabytes would end the process.
 */
const MAX_PATH = 32_768

/** Refuses a path that no server takes, before anything copies it. @throws ForgeError too-long */
export function refuseLongPath(path: string): void {
  if (path.length > MAX_PATH)
    throw new ForgeError(
      'too-long',
      `A request to the forge would have a URL of more than ${MAX_PATH} characters, which no server takes: it was not sent.`
    )
}
