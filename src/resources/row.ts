/*
 * What a resource is: a row of data. It names a tool and the arguments that its URI stands for, and is read by running
 * that tool: policy, bounds, errors and the audit line are those of the tool.
 */

export interface ResourceRow {
  /** Unique among resources. */
  readonly name: string
  /** For people, short. */
  readonly title: string
  readonly description: string
  /**
   * A URI, or an RFC 6570 template whose variables are arguments of the tool. `{name}` is one segment, `{+name}` the
   * rest of the URI, slashes included.
   */
  readonly uri: string
  /** The tool that reads it. */
  readonly tool: string
  /** The tool's arguments, where they are not the variables as they are. */
  readonly arguments?: (variables: Variables) => Readonly<Record<string, unknown>>
  /**
   * A record is shown as JSON. Content is only the text or image that the tool shows, without what it says about it.
   */
  readonly shows: 'record' | 'content'
  /** Of all its contents, where that is known. */
  readonly mimeType?: string
}

/** Values of a template's variables, decoded. */
export type Variables = Readonly<Record<string, string>>
