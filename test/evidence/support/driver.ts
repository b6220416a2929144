/** What became of a call that someone's client made. */
export interface Outcome {
  /** The answer as the client gives it to its user. */
  value?: unknown
  /** What the forge refused it with. */
  status?: number
  /** What the client could not do, or read. */
  error?: string
  /** The client has no such call. */
  unknown?: boolean
}

/** What is sent as a form. */
interface Upload {
  filename: string
  content: Uint8Array
}

/** Someone's client of a forge, driven by operations. */
export interface Driver {
  name: string
  /**
   * @param key the operation, as surface.ts writes it
   * @param path the values of its path's parameters
   * @param values the fields of its query or body
   */
  call(key: string, path: readonly string[], values: Record<string, unknown>): Promise<Outcome>
  /** Sends a file to a project. */
  upload?(project: string, file: Upload): Promise<Outcome>
  close(): Promise<void>
}
