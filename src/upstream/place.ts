/** What a request is for, below the base of the API. */
export interface Place {
  /** Encoded, with its query: `/projects/1/issues?state=opened`. */
  readonly path: string
  /** The path without what callers fill it with, and without a query: `/projects/{project_id}/issues`. */
  readonly template?: string
}
