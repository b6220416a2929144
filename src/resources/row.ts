/*
 * A resource is a row of data. It names a tool and the arguments that its URI stands for, and is read by running that
 * tool: policy, bounds, errors and the audit line are those of the tool.
 */

export interface ResourceRow {
  /** Unique among resources. */
  readonly name: string
  /** A short title for people. */
  readonly title: string
  readonly description: string
  /**
   * A URI, or an RFC 6570 template whose variables are arguments of the tool. `{name}` matches one segment, `{+name}`
   * the rest of the URI, including slashes.
   */
  readonly uri: string
  /** The tool that reads it. */
  readonly tool: string
  /** The tool's arguments, if they differ from the variables. */
  readonly arguments?: (variables: Variables) => Readonly<Record<string, unknown>>
  /**
   * `record` is shown as JSON. `content` is only the text or image that the tool shows, without its remarks about it.
   */
  readonly shows: 'record' | 'content'
  /** The media type of all its contents, if known. */
  readonly mimeType?: string
}

/** The values of a template's variables, decoded. */
export type Variables = Readonly<Record<string, string>>
