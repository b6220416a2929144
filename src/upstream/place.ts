/** What a request addresses, below the base URL of the API. */
export interface Place {
  /** Encoded, with its query: `/projects/1/issues?state=opened`. */
  readonly path: string
  /** The path with placeholders instead of arguments, and without a query: `/projects/{project_id}/issues`. */
  readonly template?: string
}
