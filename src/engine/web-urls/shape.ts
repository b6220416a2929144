import type { WebUrlUse } from './uses.ts'

/** One shape of a forge's addresses, and the tool for what it names (shapes.ts). */
export interface Shape {
  readonly at: string
  readonly kind: string
  /** The tool that shows it. */
  readonly tool: string
  /** Set if a group can have it, too. */
  readonly group?: true
  /** Whether it belongs to neither a project nor a group: always, or sometimes. */
  readonly alone?: 'always' | 'too'
  /** Set if it occurs only after `/-/`: without that, the word is the name of a project. */
  readonly dashed?: true
  /** How `{rest+}` is read: a ref and a path, one of which may be empty, or two refs. */
  readonly rest?: 'file' | 'directory' | 'compare'
  /** The placeholder in `at` that names a part of the thing whose number is before it. */
  readonly part?: string
  /** Set if it shows lines, which its address may name. */
  readonly lines?: true
  /** Another tool, chosen by what the address gives. */
  readonly instead?: (fields: Readonly<Record<string, unknown>>) => string | undefined
  /** An argument that the tool needs to show anything. */
  readonly needs?: string
  /** The tool that shows a comment on it: by the comment's number, or among all of them. */
  readonly comment?: { readonly tool: string; readonly by: 'note_id' | 'all' }
  /** Converts what the address gives to arguments of the tool, if they differ. */
  readonly use?: WebUrlUse
}
